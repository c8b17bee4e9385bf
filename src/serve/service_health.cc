// Whether the service can work, in words and in numbers.
#include <sys/statvfs.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "serve/service.h"

namespace flyball::serve {
namespace {

double free_bytes(const std::filesystem::path& folder) {
  struct statvfs s {};
  if (::statvfs(folder.c_str(), &s) != 0) return 0;
  return static_cast<double>(s.f_bavail) * static_cast<double>(s.f_frsize);
}

bool answers(Worker& worker) {
  try {
    app::ListRequest one;
    one.limit = 1;
    (void)worker.app.list_models(one, {});
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

bool has_room(Worker& worker) {
  try {
    worker.app.check_disk();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Response Service::ready(Worker& worker) const {
  const Json checks = {
      {"folder", ::access(data_.path.c_str(), W_OK) == 0},
      {"database", answers(worker)},
      {"disk", has_room(worker)},
  };
  bool all = true;
  for (const Json& check : checks) all = all && check.get<bool>();
  return json_response({{"ready", all}, {"checks", checks}, {"freeBytes", free_bytes(data_.path)}},
                       all ? 200 : 503);
}

Response Service::metrics_page() const {
  std::map<std::string, double> values{
      {"flyball_resident_bytes", resident_bytes()},
      {"flyball_disk_free_bytes", free_bytes(data_.path)},
      {"flyball_event_readers", static_cast<double>(hub_.readers())}};
  for (const auto& [name, value] : gauges_) values[name] = value();
  Response out;
  out.body = metrics_.text(values);
  out.with("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  return out;
}

}  // namespace flyball::serve
