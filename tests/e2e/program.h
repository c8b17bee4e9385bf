#pragma once
// Runs the real program as a child process.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/temp_folder.h"

namespace flyball::testing {

inline std::string read_text(const std::filesystem::path& path) {
  std::stringstream s;
  s << std::ifstream(path).rdbuf();
  return s.str();
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

struct Outcome {
  int code = -1;        ///< exit code; 128 + signal when killed
  bool killed = false;  ///< by a signal that it had not yet learned to catch
  std::string out, err;
  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// A program that runs; wait() gives its outcome.
class Running {
 public:
  explicit Running(const std::vector<std::string>& arguments,
                   const std::string& input = "/dev/null") {
    std::vector<std::string> words{FLYBALL_BINARY_DIR "/src/flyball"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const std::string out = (folder_ / "out").string(), err = (folder_ / "err").string();
    pid_ = ::fork();
    if (pid_ == 0) {
      std::vector<char*> argv;
      for (std::string& w : words) argv.push_back(w.data());
      argv.push_back(nullptr);
      ::dup2(::open(input.c_str(), O_RDONLY), 0);
      ::dup2(::open(out.c_str(), O_CREAT | O_WRONLY, 0600), 1);
      ::dup2(::open(err.c_str(), O_CREAT | O_WRONLY, 0600), 2);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
  }

  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  /// What nobody waited for does not outlive the test.
  ~Running() {
    if (ended_) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  void signal(int number) const { ::kill(pid_, number); }

  /// kill -9 of the processes that it has started.
  void kill_children() const {
    const std::filesystem::path tasks = "/proc/" + std::to_string(pid_) + "/task";
    std::error_code gone;
    for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
      std::ifstream children(task.path() / "children");
      for (pid_t child = 0; children >> child;) ::kill(child, SIGKILL);
    }
  }

  Outcome wait() {
    int status = 0;
    rusage usage{};
    ::wait4(pid_, &status, 0, &usage);
    ended_ = true;
    peak_kilobytes_ = usage.ru_maxrss;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), !WIFEXITED(status),
            read_text(folder_ / "out"), read_text(folder_ / "err")};
  }

  /// What it has written to stdout so far.
  [[nodiscard]] std::string out_so_far() const { return read_text(folder_ / "out"); }
  [[nodiscard]] pid_t pid() const { return pid_; }

  /// Of the process that ended.
  [[nodiscard]] long peak_kilobytes() const { return peak_kilobytes_; }

 private:
  TempFolder folder_;
  bool ended_ = false;
  pid_t pid_ = -1;
  long peak_kilobytes_ = 0;
};

inline Outcome run(const std::vector<std::string>& arguments,
                   const std::string& input = "/dev/null") {
  return Running(arguments, input).wait();
}

/// The exit code, and a part of what was said.
inline void expect_refusal(const Outcome& outcome, int code, const std::string& part) {
  EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
  EXPECT_NE((outcome.out + outcome.err).find(part), std::string::npos) << outcome.err;
}

/// Files and folders below a folder that look half made.
inline std::vector<std::string> left_overs(const std::filesystem::path& folder) {
  std::vector<std::string> out;
  if (!std::filesystem::exists(folder)) return out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".staging") != std::string::npos || name.ends_with(".tmp"))
      out.push_back(entry.path().string());
  }
  return out;
}

/// The hair dryer record and the arguments that study it.
inline std::vector<std::string> dryer_study(const std::filesystem::path& data) {
  return {"study",     FLYBALL_SOURCE_DIR "/examples/data/hair_dryer.dat",
          "--columns", "voltage,temperature",
          "--period",  "80ms",
          "--mv",      "voltage",
          "--cv",      "temperature",
          "--data",    data.string(),
          "--quiet",   "--json"};
}

}  // namespace flyball::testing
