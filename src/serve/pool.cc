#include "serve/pool.h"

namespace flyball::serve {

Pool::Pool(const app::DataFolder& data, const Clock& clock, app::JobService& jobs, int readers,
           std::size_t queue_limit)
    : limit_(queue_limit) {
  const auto start = [&](Queue& queue) {
    threads_.emplace_back([this, &queue, &clock, &jobs, data] {
      Worker worker(data, clock, jobs);
      work(queue, worker);
    });
  };
  const std::array<int, 4> threads{readers, 1, 2, 1};
  for (std::size_t lane = 0; lane < queues_.size(); ++lane) {
    for (int i = 0; i < threads[lane]; ++i) start(queues_[lane]);
  }
}

Pool::~Pool() {
  finish();
}

bool Pool::post(Lane lane, std::function<void(Worker&)> work) {
  Queue& queue = queues_[static_cast<std::size_t>(lane)];
  {
    const std::lock_guard lock(queue.mutex);
    if (queue.ended || queue.waiting.size() >= limit_) return false;
    queue.waiting.push_back(std::move(work));
  }
  queue.bell.notify_one();
  return true;
}

void Pool::finish() {
  for (Queue& queue : queues_) {
    const std::lock_guard lock(queue.mutex);
    queue.ended = true;
    queue.bell.notify_all();
  }
  for (std::thread& t : threads_) {
    if (t.joinable()) t.join();
  }
}

void Pool::work(Queue& queue, Worker& worker) {
  for (;;) {
    std::function<void(Worker&)> next;
    {
      std::unique_lock lock(queue.mutex);
      queue.bell.wait(lock, [&] { return queue.ended || !queue.waiting.empty(); });
      if (queue.waiting.empty()) return;
      next = std::move(queue.waiting.front());
      queue.waiting.pop_front();
    }
    try {
      next(worker);
    } catch (const std::exception&) {
      // what was asked for has no answer, but whoever comes next has one
    }
  }
}

}  // namespace flyball::serve
