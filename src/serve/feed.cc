#include "serve/feed.h"

namespace flyball::serve {

bool Feed::push(std::string piece) {
  const std::lock_guard lock(mutex_);
  if (closed_ || bytes_ + piece.size() > limit_) return false;
  bytes_ += piece.size();
  pieces_.push_back(std::move(piece));
  if (wake_) wake_();
  return true;
}

void Feed::close(std::string last) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  closed_ = true;
  if (!last.empty()) pieces_.push_back(std::move(last));
  if (wake_) wake_();
}

std::optional<std::string> Feed::take(bool& ended) {
  const std::lock_guard lock(mutex_);
  ended = closed_;
  if (pieces_.empty()) return std::nullopt;
  std::string all;
  for (std::string& piece : pieces_) all += piece;
  pieces_.clear();
  bytes_ = 0;
  return all;
}

void Feed::on_ready(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

void Feed::abandon() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  pieces_.clear();
  wake_ = nullptr;
}

bool Feed::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

}  // namespace flyball::serve
