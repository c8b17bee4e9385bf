#pragma once
// A thread that does what others ask it to, one thing at a time.
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace flyball::jobs {

class OneThread {
 public:
  /// Does it there, waits for its end and throws what it threw.
  void run(std::function<void()> work) {
    const std::lock_guard turn(turn_);
    std::packaged_task<void()> task(std::move(work));
    std::future<void> done = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      task_ = std::move(task);
    }
    bell_.notify_one();
    done.get();
  }

 private:
  void loop(const std::stop_token& stop) {
    for (std::unique_lock lock(mutex_);;) {
      if (!bell_.wait(lock, stop, [this] { return task_.valid(); })) return;
      std::packaged_task<void()> task = std::move(task_);
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex turn_, mutex_;
  std::condition_variable_any bell_;
  std::packaged_task<void()> task_;
  std::jthread thread_{[this](const std::stop_token& stop) { loop(stop); }};
};

}  // namespace flyball::jobs
