#include "historian/embedded_hot.h"

#include <limits>

#include "historian/embedded_schema.h"

namespace flyball::historian {
namespace {

constexpr auto kSlabs =
    "SELECT slab FROM hot_slabs WHERE tag = ? AND slab BETWEEN ? AND ? ORDER BY slab";
constexpr auto kSlabsDown =
    "SELECT slab FROM hot_slabs WHERE tag = ? AND slab <= ? ORDER BY slab DESC";
constexpr auto kRows =
    "SELECT at, run, value, quality FROM hot WHERE slab = ? AND tag = ? AND at BETWEEN ? AND ?"
    " ORDER BY at";
constexpr auto kRowsDown =
    "SELECT at, run, value, quality FROM hot WHERE slab = ? AND tag = ? AND at <= ?"
    " ORDER BY at DESC";
constexpr auto kList = "INSERT OR IGNORE INTO hot_slabs(tag, slab) VALUES(?, ?)";
constexpr auto kInsert =
    "INSERT INTO hot(slab, tag, at, run, value, quality) VALUES(?, ?, ?, ?, ?, ?)";
constexpr auto kErase = "DELETE FROM hot WHERE slab = ? AND tag = ? AND at = ?";
constexpr auto kEraseSlab = "DELETE FROM hot WHERE slab = ? AND tag = ?";
constexpr auto kUnlist = "DELETE FROM hot_slabs WHERE tag = ?";

std::int64_t slab_of(TimeUs at) {
  return at >> kSlabBits;
}

/// NaN is NULL in SQLite; every other double comes back bit for bit from a column without type.
HotSample row_of(const store::Statement& q) {
  const double value = q.is_null(2) ? std::numeric_limits<double>::quiet_NaN() : q.real(2);
  return {{q.integer(0), value, Quality{static_cast<std::uint32_t>(q.integer(3))}}, q.integer(1)};
}

}  // namespace

HotTable::HotTable(store::Database& db)
    : slabs_(db.prepare(kSlabs)),
      slabs_down_(db.prepare(kSlabsDown)),
      rows_(db.prepare(kRows)),
      rows_down_(db.prepare(kRowsDown)),
      list_(db.prepare(kList)),
      insert_(db.prepare(kInsert)),
      erase_(db.prepare(kErase)),
      erase_slab_(db.prepare(kEraseSlab)),
      unlist_(db.prepare(kUnlist)) {}

void HotTable::between(std::int64_t tag, TimeUs from, TimeUs to, std::vector<HotSample>& out) {
  out.clear();
  for (slabs_.bind(tag, slab_of(from), slab_of(to)); slabs_.step();) {
    rows_.bind(slabs_.integer(0), tag, from, to);
    while (rows_.step()) out.push_back(row_of(rows_));
  }
}

std::optional<Sample> HotTable::newest(std::int64_t tag, const RunSet& runs, TimeUs to) {
  std::optional<Sample> out;
  for (slabs_down_.bind(tag, slab_of(to)); !out && slabs_down_.step();) {
    rows_down_.bind(slabs_down_.integer(0), tag, to);
    while (!out && rows_down_.step()) {
      const HotSample row = row_of(rows_down_);
      if (runs.has(row.run)) out = row.sample;
    }
    rows_down_.finish();
  }
  slabs_down_.finish();
  return out;
}

void HotTable::insert(std::int64_t tag, std::int64_t run, std::span<const Sample> samples,
                      std::optional<std::int64_t>& slab) {
  for (const Sample& s : samples) {
    if (slab != slab_of(s.at)) {
      slab = slab_of(s.at);
      list_.bind(tag, *slab).run();
    }
    insert_.bind(*slab, tag, s.at, run, s.value, s.quality.code).run();
  }
}

void HotTable::erase(std::int64_t tag, TimeUs at) {
  erase_.bind(slab_of(at), tag, at).run();
}

void HotTable::erase_all(std::int64_t tag) {
  for (slabs_.bind(tag, slab_of(INT64_MIN), slab_of(INT64_MAX)); slabs_.step();)
    erase_slab_.bind(slabs_.integer(0), tag).run();
  unlist_.bind(tag).run();
}

}  // namespace flyball::historian
