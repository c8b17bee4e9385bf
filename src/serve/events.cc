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
  kept_.push_back({id, event.line, text_of(event.type, event.data, id)});
  if (kept_.size() > ring_) kept_.pop_front();
  std::erase_if(readers_, [&](Reader& reader) {
    if (!event.line.empty() && !reader.may_read(event.line)) return reader.feed->closed();
    if (reader.feed->push(kept_.back().text)) return false;
    reader.feed->close(text_of("dropped", "{\"reason\":\"too slow\"}"));
    return true;
  });
  return id;
}

std::shared_ptr<Feed> Hub::subscribe(std::function<bool(const std::string&)> may_read,
                                     std::optional<std::int64_t> after) {
  auto feed = std::make_shared<Feed>();
  feed->heartbeat = ": still here\n\n";
  const std::lock_guard lock(mutex_);
  std::erase_if(readers_, [](const Reader& r) { return r.feed->closed(); });
  feed->push("retry: 2000\n\n");
  // An id of another life of the service is beyond all that this one gave.
  const bool gap = after && (*after > last_ || (!kept_.empty() && *after + 1 < kept_.front().id));
  if (gap) feed->push(text_of("gap", "{}", last_ > 0 ? last_ : 0));
  if (after && !gap) {
    for (const Kept& k : kept_) {
      if (k.id > *after && (k.line.empty() || may_read(k.line))) feed->push(k.text);
    }
  }
  if (closed_) {
    feed->close(text_of("closing", "{}"));
  } else {
    readers_.push_back({feed, std::move(may_read)});
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
