#include "cli/secret.h"

#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <iostream>

#include "core/error.h"

namespace flyball::cli {
namespace {

/// No echo, and Ctrl-C as a character, so that the terminal is never left without echo.
class QuietTerminal {
 public:
  QuietTerminal() {
    if (tcgetattr(STDIN_FILENO, &before_) != 0) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
    changed_ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0;
  }
  ~QuietTerminal() {
    if (changed_) tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
  }
  QuietTerminal(const QuietTerminal&) = delete;
  QuietTerminal& operator=(const QuietTerminal&) = delete;

 private:
  termios before_{};
  bool changed_ = false;
};

}  // namespace

std::string read_secret(const std::string& name, bool no_input) {
  const bool terminal = isatty(STDIN_FILENO) == 1;
  if (terminal && no_input) throw Error("SECRET_MISSING", {{"secret", name}});
  std::string line;
  if (terminal) {
    const QuietTerminal quiet;
    fmt::print(stderr, "{}: ", name);
    std::getline(std::cin, line);
    fmt::print(stderr, "\n");
  } else {
    std::getline(std::cin, line);
  }
  if (line.find('\x03') != std::string::npos) throw Error("CANCELLED");
  if (line.empty()) throw Error("SECRET_MISSING", {{"secret", name}});
  return line;
}

}  // namespace flyball::cli
