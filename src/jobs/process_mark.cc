#include "jobs/process_mark.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace flyball::jobs {
namespace {

/// Where process numbers count: boot of the machine and namespace.
std::string numbering() {
  std::ifstream boot("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(boot, id);
  std::error_code failed;
  return id + "/" + std::filesystem::read_symlink("/proc/self/ns/pid", failed).string();
}

/// Field 22 of /proc/PID/stat, ticks since boot; empty: there is none such, or it has ended and
/// only waits to be reaped.
std::string began(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(')');  // the name may hold anything
  if (name_end == std::string::npos) return {};
  std::istringstream rest(text.substr(name_end + 1));
  std::string field;
  for (int i = 3; i <= 22 && rest >> field; ++i) {
    if (i == 3 && (field == "Z" || field == "X")) return {};
  }
  return field;
}

}  // namespace

std::string process_mark() {
  const std::string pid = std::to_string(::getpid());
  return pid + " " + began(pid) + " " + numbering();
}

bool may_live(const std::string& mark) {
  std::istringstream parts(mark);
  std::string pid, start, where;
  if (!(parts >> pid >> start >> where)) return false;
  return where != numbering() || began(pid) == start;
}

}  // namespace flyball::jobs
