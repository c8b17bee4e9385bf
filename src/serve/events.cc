#include "serve/events.h"

#include <fmt/format.h>

namespace flyball::serve {
namespace {

std::string text_of(std::string_view type, std::string_view data, std::int64_t id = 0) {
  const std::string place = id > 0 ? fmt::format("id: {}\n", id) : "";
  return fmt::format("{}event: {}\ndata: {}\n\n", place, type, data);
}

}  // namespace

std::int64_t Hub::publish(Event event) {
  const std::lock_guard lock(mutex_);
  const std::int64_t id = ++last_;
  kept_.push_back({id, event.line, event.user, text_of(event.type, event.data, id)});
  if (kept_.size() > ring_) kept_.pop_front();
  std::erase_if(readers_, [&](Reader& reader) {
    if (reader.feed->closed()) return true;
    const std::optional<bool> gets = reader.gets(kept_.back());
    if (!gets) reader.feed->close(text_of("closing", "{\"reason\":\"sign in again\"}"));
    if (!gets || !*gets) return !gets;
    if (reader.feed->push(kept_.back().text)) return false;
    reader.feed->close(text_of("dropped", "{\"reason\":\"too slow\"}"));
    return true;
  });
  return id;
}

std::shared_ptr<Feed> Hub::subscribe(MayRead may_read, std::optional<std::int64_t> after,
                                     std::string user) {
  auto feed = std::make_shared<Feed>();
  feed->heartbeat = ": still here\n\n";
  Reader reader{feed, std::move(may_read), std::move(user)};
  const std::lock_guard lock(mutex_);
  std::erase_if(readers_, [](const Reader& r) { return r.feed->closed(); });
  feed->push("retry: 2000\n\n");
  // An id of another life of the service is beyond all that this one gave.
  const bool gap = after && (*after > last_ || (!kept_.empty() && *after + 1 < kept_.front().id));
  if (gap) feed->push(text_of("gap", "{}", last_ > 0 ? last_ : 0));
  if (after && !gap) {
    for (const Kept& k : kept_) {
      if (k.id > *after && reader.gets(k).value_or(false)) feed->push(k.text);
    }
  }
  if (closed_) {
    feed->close(text_of("closing", "{}"));
  } else {
    readers_.push_back(std::move(reader));
  }
  return feed;
}

void Hub::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (Reader& reader : readers_) reader.feed->close(text_of("closing", "{}"));
  readers_.clear();
}

std::size_t Hub::readers() const {
  const std::lock_guard lock(mutex_);
  std::size_t open = 0;
  for (const Reader& r : readers_) open += r.feed->closed() ? 0 : 1;
  return open;
}

}  // namespace flyball::serve
