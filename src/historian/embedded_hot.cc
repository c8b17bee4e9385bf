#include "historian/embedded_hot.h"

#include <limits>

#include "historian/embedded_schema.h"

namespace flyball::historian {
namespace {

constexpr auto kSlabUp = "SELECT min(slab) FROM hot WHERE slab >= ?";
constexpr auto kSlabDown = "SELECT max(slab) FROM hot WHERE slab <= ?";
constexpr auto kRows =
    "SELECT at, run, value, quality FROM hot WHERE slab = ? AND tag = ? AND at BETWEEN ? AND ?"
    " ORDER BY at";
constexpr auto kRowsDown =
    "SELECT at, run, value, quality FROM hot WHERE slab = ? AND tag = ? AND at <= ?"
    " ORDER BY at DESC";
constexpr auto kInsert =
    "INSERT INTO hot(slab, tag, at, run, value, quality) VALUES(?, ?, ?, ?, ?, ?)";
constexpr auto kErase = "DELETE FROM hot WHERE slab = ? AND tag = ? AND at = ?";
constexpr auto kEraseSlab = "DELETE FROM hot WHERE slab = ? AND tag = ?";

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
    : slab_up_(db.prepare(kSlabUp)),
      slab_down_(db.prepare(kSlabDown)),
      rows_(db.prepare(kRows)),
      rows_down_(db.prepare(kRowsDown)),
      insert_(db.prepare(kInsert)),
      erase_(db.prepare(kErase)),
      erase_slab_(db.prepare(kEraseSlab)) {}

template <class F>
void HotTable::for_slabs(TimeUs from, TimeUs to, F f) {
  for (std::int64_t slab = slab_of(from); slab <= slab_of(to); ++slab) {
    slab_up_.bind(slab).step();
    const auto next = slab_up_.integer_or_none(0);
    slab_up_.finish();
    if (!next || *next > slab_of(to)) return;
    slab = *next;
    f(slab);
  }
}

void HotTable::between(std::int64_t tag, TimeUs from, TimeUs to, std::vector<HotSample>& out) {
  out.clear();
  for_slabs(from, to, [&](std::int64_t slab) {
    rows_.bind(slab, tag, from, to);
    while (rows_.step()) out.push_back(row_of(rows_));
  });
}

std::optional<Sample> HotTable::newest(std::int64_t tag, const RunSet& runs, TimeUs to) {
  for (std::int64_t slab = slab_of(to);; --slab) {
    slab_down_.bind(slab).step();
    const auto next = slab_down_.integer_or_none(0);
    slab_down_.finish();
    if (!next) return std::nullopt;
    slab = *next;
    rows_down_.bind(slab, tag, to);
    while (rows_down_.step()) {
      const HotSample row = row_of(rows_down_);
      if (!runs.has(row.run)) continue;
      rows_down_.finish();
      return row.sample;
    }
  }
}

void HotTable::insert(std::int64_t tag, std::int64_t run, const Sample& s) {
  insert_.bind(slab_of(s.at), tag, s.at, run, s.value, s.quality.code).run();
}

void HotTable::erase(std::int64_t tag, TimeUs at) {
  erase_.bind(slab_of(at), tag, at).run();
}

void HotTable::erase_all(std::int64_t tag) {
  for_slabs(INT64_MIN, INT64_MAX, [&](std::int64_t slab) { erase_slab_.bind(slab, tag).run(); });
}

}  // namespace flyball::historian
