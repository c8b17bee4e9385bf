#include "math/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace flyball::math {
namespace {

class Tasks {
 public:
  Tasks(Index n, const std::function<void(Index)>& task) : n_(n), first_failed_(n), task_(task) {}

  /// Takes tasks until there is none or one has failed.
  void work() {
    while (!failed_.load()) {
      const Index i = next_.fetch_add(1);
      if (i >= n_) return;
      try {
        task_(i);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        failed_.store(true);
        if (i < first_failed_) {
          first_failed_ = i;
          error_ = std::current_exception();
        }
      }
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const Index n_;
  std::atomic<Index> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  Index first_failed_;
  std::exception_ptr error_;
  const std::function<void(Index)>& task_;
};

}  // namespace

void parallel_for(Index n, const std::function<void(Index)>& task, unsigned threads) {
  const unsigned wanted = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  Tasks tasks(n, task);
  {
    std::vector<std::jthread> others;
    for (Index k = 1; k < std::min<Index>(n, wanted); ++k)
      others.emplace_back([&tasks] { tasks.work(); });
    tasks.work();
  }
  tasks.rethrow();
}

}  // namespace flyball::math
