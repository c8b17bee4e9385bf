#include "historian/embedded_reader.h"

#include <algorithm>

#include "core/error.h"
#include "historian/embedded_schema.h"

namespace flyball::historian {
namespace {

/// A file whose first writer was killed before it made the tables holds no samples: it is read as
/// an empty one.
std::unique_ptr<store::Database> open(const std::filesystem::path& file) {
  auto db = std::make_unique<store::Database>(file, store::DatabaseOptions{.read_only = true});
  const int found = store::schema_version(*db);
  constexpr int kKnown = std::ssize(kHistorianMigrations);
  if (found > kKnown) throw Error("DATABASE_TOO_NEW", {{"found", found}, {"known", kKnown}});
  if (found == 0) {
    db = std::make_unique<store::Database>(":memory:");
    store::migrate(*db, kHistorianMigrations);
  }
  return db;
}

/// The statements inside see one state.
class Snapshot {
 public:
  explicit Snapshot(store::Database& db) : db_(db) { db_.exec("BEGIN"); }
  ~Snapshot() {
    try {
      db_.exec("ROLLBACK");
    } catch (...) {
      // An I/O error has already ended it.
    }
  }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  store::Database& db_;
};

/// Merges what was appended at `middle` with what stands before it.
void merge_tail(std::vector<Sample>& out, std::size_t middle) {
  if (middle == 0 || middle == out.size() || out[middle - 1].at < out[middle].at) return;
  const auto mid = out.begin() + static_cast<std::ptrdiff_t>(middle);
  const auto by_time = [](const Sample& a, const Sample& b) { return a.at < b.at; };
  std::inplace_merge(std::upper_bound(out.begin(), mid, *mid, by_time), mid, out.end(), by_time);
}

}  // namespace

struct EmbeddedReader::Range {
  TagRow tag;
  RunSet runs;
  TimeUs from, to;  ///< both inclusive
};

EmbeddedReader::EmbeddedReader(const std::filesystem::path& file)
    : db_(open(file)), catalog_(*db_), hot_(*db_), chunks_(*db_) {}

Page EmbeddedReader::page(const PageRequest& request) {
  if (request.limit < 1) {
    throw Error("FIELD_RANGE", {{"value", request.limit}, {"limits", "1 or more"}}, "/limit");
  }
  Page out;
  const TimeUs from = std::max(request.from, request.after.value_or(INT64_MIN));
  if (from >= request.to) return out;
  const Snapshot snapshot(*db_);
  const auto tag = catalog_.find_tag(request.node_id);
  if (!tag) return out;
  const Range range{*tag, catalog_.passing(request.filter), request.after == from ? from + 1 : from,
                    request.to - 1};
  if (range.runs.empty() || range.from > range.to) return out;

  std::vector<Sample>& samples = out.samples;
  hot_.between(tag->id, range.from, range.to, hot_rows_);
  hot_taken_ = 0;
  reserve(range, request.limit, samples);
  const auto limit = static_cast<std::size_t>(request.limit);
  chunks_.find(range.tag, range.runs, range.from, range.to);
  while (const auto row = chunks_.next()) {
    take_hot(range.runs, row->first, samples);
    // Nothing that follows lies before this chunk: is the page complete without it?
    if (samples.size() > limit && samples[limit].at < row->first) break;
    take_chunk(range, *row, samples);
  }
  chunks_.finish();
  take_hot(range.runs, INT64_MAX, samples);
  if (samples.size() > limit) {
    samples.resize(limit);
    out.next = samples.back().at;
  }
  return out;
}

void EmbeddedReader::reserve(const Range& range, std::int64_t limit, std::vector<Sample>& out) {
  std::int64_t expected = std::ssize(hot_rows_);
  chunks_.find(range.tag, range.runs, range.from, range.to);
  for (auto row = chunks_.next(); row && expected < limit; row = chunks_.next())
    expected += row->samples;
  chunks_.finish();
  out.reserve(static_cast<std::size_t>(expected));
}

void EmbeddedReader::take_hot(const RunSet& runs, TimeUs to, std::vector<Sample>& out) {
  const std::size_t middle = out.size();
  for (; hot_taken_ < hot_rows_.size() && hot_rows_[hot_taken_].sample.at < to; ++hot_taken_) {
    const HotSample& row = hot_rows_[hot_taken_];
    if (runs.has(row.run)) out.push_back(row.sample);
  }
  merge_tail(out, middle);
}

void EmbeddedReader::take_chunk(const Range& range, const ChunkRow& row, std::vector<Sample>& out) {
  const std::size_t middle = out.size();
  if (range.from <= row.first && row.last <= range.to) {
    chunks_.read(range.tag, row, out);
  } else {
    part_.clear();
    chunks_.read(range.tag, row, part_);
    out.insert(out.end(), std::ranges::lower_bound(part_, range.from, {}, &Sample::at),
               std::ranges::upper_bound(part_, range.to, {}, &Sample::at));
  }
  merge_tail(out, middle);
}

std::optional<Sample> EmbeddedReader::latest(const std::string& node_id, const Filter& filter,
                                             TimeUs before) {
  if (before == INT64_MIN) return std::nullopt;
  const Snapshot snapshot(*db_);
  const auto tag = catalog_.find_tag(node_id);
  if (!tag) return std::nullopt;
  const RunSet runs = catalog_.passing(filter);
  if (runs.empty()) return std::nullopt;
  const auto hot = hot_.newest(tag->id, runs, before - 1);
  const auto sealed = chunks_.newest(*tag, runs, before - 1);
  if (!hot || !sealed) return hot ? hot : sealed;
  return hot->at > sealed->at ? hot : sealed;
}

std::vector<plant::Run> EmbeddedReader::runs(const Filter& filter, bool with_samples) {
  return catalog_.runs(filter, with_samples);
}
std::vector<plant::Tag> EmbeddedReader::tags(const std::string& line_id) {
  return catalog_.tags(line_id);
}
std::vector<ImportRecord> EmbeddedReader::imports(const std::string& line_id, std::int64_t limit) {
  return catalog_.imports(line_id, limit);
}

std::vector<DamagedChunk> EmbeddedReader::verify() {
  const Snapshot snapshot(*db_);
  db_->check_integrity();
  return chunks_.verify(catalog_);
}

}  // namespace flyball::historian
