#include "historian/embedded_chunks.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace flyball::historian {
namespace {

// All but kRead are answered by an index alone.
constexpr auto kFind =
    "SELECT id, first, last, run, samples FROM chunks"
    " WHERE tag = ? AND first >= ? AND first <= ? ORDER BY first, last, run";
constexpr auto kFindOfRun =
    "SELECT id, first, last, run, samples FROM chunks"
    " WHERE tag = ? AND first >= ? AND first <= ? AND run = ? ORDER BY first";
constexpr auto kBefore =
    "SELECT id, first, last, run, samples FROM chunks"
    " WHERE tag = ? AND run = ? AND first <= ? ORDER BY first DESC LIMIT 1";
constexpr auto kNewest =
    "SELECT id, first, last, run, samples FROM chunks"
    " WHERE tag = ? AND first <= ? ORDER BY first DESC";
constexpr auto kEnd =
    "SELECT max(last) FROM chunks WHERE tag = ?1 AND first >="
    " (SELECT max(first) FROM chunks WHERE tag = ?1) - ?2";
constexpr auto kRead = "SELECT tag, first, last, run, samples, bytes FROM chunks WHERE id = ?";
constexpr auto kInsert =
    "INSERT INTO chunks(tag, run, first, last, samples, bytes) VALUES(?, ?, ?, ?, ?, ?)";
constexpr auto kErase = "DELETE FROM chunks WHERE id = ?";
constexpr auto kAll = "SELECT id, first, last, run, samples, tag FROM chunks ORDER BY id";

ChunkRow row_of(const store::Statement& q) {
  return {q.integer(0), q.integer(1), q.integer(2), q.integer(3), q.integer(4)};
}

TimeUs earlier(TimeUs at, DurationUs by) {
  constexpr TimeUs kLeast = std::numeric_limits<TimeUs>::min();
  return at < kLeast + by ? kLeast : at - by;
}

}  // namespace

ChunkTable::ChunkTable(store::Database& db)
    : db_(db),
      find_(db.prepare(kFind)),
      find_of_run_(db.prepare(kFindOfRun)),
      before_(db.prepare(kBefore)),
      newest_(db.prepare(kNewest)),
      end_(db.prepare(kEnd)),
      read_(db.prepare(kRead)),
      insert_(db.prepare(kInsert)),
      erase_(db.prepare(kErase)) {}

void ChunkTable::find(const TagRow& tag, RunSet runs, TimeUs from, TimeUs to) {
  finish();
  found_from_ = from;
  found_runs_ = std::move(runs);
  const TimeUs least = earlier(from, tag.longest);
  if (const auto run = found_runs_.only()) {
    finding_ = &find_of_run_.bind(tag.id, least, to, *run);
  } else {
    finding_ = &find_.bind(tag.id, least, to);
  }
}

std::optional<ChunkRow> ChunkTable::next() {
  while (finding_->step()) {
    const ChunkRow row = row_of(*finding_);
    if (row.last >= found_from_ && found_runs_.has(row.run)) return row;
  }
  return std::nullopt;
}

void ChunkTable::finish() {
  finding_->finish();
}

std::optional<ChunkRow> ChunkTable::before(std::int64_t tag, std::int64_t run, TimeUs at) {
  before_.bind(tag, run, at);
  std::optional<ChunkRow> out;
  if (before_.step()) out = row_of(before_);
  before_.finish();
  return out;
}

std::optional<Sample> ChunkTable::newest(const TagRow& tag, const RunSet& runs, TimeUs to) {
  if (const auto run = runs.only()) {
    const auto row = before(tag.id, *run, to);
    return row ? std::optional(newest_in(tag, *row, to)) : std::nullopt;
  }
  std::optional<Sample> best;
  for (newest_.bind(tag.id, to); newest_.step();) {
    const ChunkRow row = row_of(newest_);
    // By first time downwards: from here on none can end later than the best.
    if (best && row.first < earlier(best->at, tag.longest)) break;
    if (!runs.has(row.run) || (best && std::min(row.last, to) <= best->at)) continue;
    const Sample found = newest_in(tag, row, to);
    if (!best || found.at > best->at) best = found;
  }
  newest_.finish();
  return best;
}

/// Of a chunk that begins at or before `to`.
Sample ChunkTable::newest_in(const TagRow& tag, const ChunkRow& row, TimeUs to) {
  std::vector<Sample> samples;
  read(tag, row, samples);
  return *std::prev(std::ranges::upper_bound(samples, to, {}, &Sample::at));
}

std::optional<TimeUs> ChunkTable::end(const TagRow& tag) {
  end_.bind(tag.id, tag.longest).step();
  const auto out = end_.integer_or_none(0);
  end_.finish();
  return out;
}

void ChunkTable::read(const TagRow& tag, const ChunkRow& row, std::vector<Sample>& out) {
  if (const char* reason = decode(tag.id, row, out)) {
    throw Error("CHUNK_CORRUPT", {{"tag", tag.node_id},
                                  {"from", format_time(row.first)},
                                  {"to", format_time(row.last)},
                                  {"reason", reason}});
  }
}

const char* ChunkTable::decode(std::int64_t tag, const ChunkRow& row, std::vector<Sample>& out) {
  read_.bind(row.id);
  if (!read_.step()) return "its row is missing";
  // Index and row hold the same; a change of either shows here.
  const bool same = read_.integer(0) == tag && read_.integer(1) == row.first &&
                    read_.integer(2) == row.last && read_.integer(3) == row.run &&
                    read_.integer(4) == row.samples;
  const std::size_t before = out.size();
  const char* reason = same ? decoder_.append(read_.blob(5), out) : "its row was changed";
  read_.finish();
  if (reason != nullptr) return reason;
  const auto samples = std::span(out).subspan(before);
  if (std::ssize(samples) == row.samples && samples.front().at == row.first &&
      samples.back().at == row.last)
    return nullptr;
  out.resize(before);
  return "its samples are not those of its row";
}

void ChunkTable::insert(const TagRow& tag, std::int64_t run, std::span<const Sample> samples) {
  insert_
      .bind(tag.id, run, samples.front().at, samples.back().at, samples.size(),
            encoder_.encode(samples))
      .run();
}

void ChunkTable::erase(std::int64_t id) {
  erase_.bind(id).run();
}

std::vector<DamagedChunk> ChunkTable::verify(Catalog& catalog) {
  std::vector<DamagedChunk> out;
  std::vector<Sample> samples;
  for (store::Statement q = db_.query(kAll); q.step();) {
    const ChunkRow row = row_of(q);
    samples.clear();
    if (const char* reason = decode(q.integer(5), row, samples))
      out.push_back({catalog.node_of(q.integer(5)), row.first, row.last, reason});
  }
  return out;
}

}  // namespace flyball::historian
