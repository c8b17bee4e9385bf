#include "cli/interrupt.h"

#include <csignal>
#include <cstdlib>
#include <ctime>

namespace flyball::cli {
namespace {

sigset_t interrupts() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  const sigset_t set = interrupts();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::jthread([this](const std::stop_token& ended) {
    const sigset_t waited = interrupts();
    const timespec tick{0, 50'000'000};
    while (!ended.stop_requested()) {
      if (sigtimedwait(&waited, nullptr, &tick) < 0) continue;
      if (stop_.stop_requested()) std::_Exit(130);
      stop_.request_stop();
    }
  });
}

InterruptWatch::~InterruptWatch() {
  thread_.request_stop();
  thread_.join();
}

}  // namespace flyball::cli
