#include "historian/embedded_store.h"

#include <algorithm>

#include "historian/append_rules.h"
#include "historian/embedded_schema.h"

namespace flyball::historian {
namespace {

constexpr auto kVersion = "PRAGMA data_version";
/// The log would otherwise keep its size after a bulk import; 4 MB hold the hot rows of 500 tags.
constexpr auto kSettings = "PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -4000";

constexpr auto kSamplesOfRun =
    "SELECT (SELECT COALESCE(SUM(samples), 0) FROM chunks WHERE run = ?1) + "
    "(SELECT COUNT(*) FROM hot WHERE run = ?1)";
constexpr auto kRemoveChunks = "DELETE FROM chunks WHERE run = ?";
constexpr auto kRemoveHot = "DELETE FROM hot WHERE run = ?";
constexpr auto kRemoveRun = "DELETE FROM runs WHERE id = ?";

store::Database& migrated(store::Database& db) {
  store::migrate(db, kHistorianMigrations);
  db.exec(kSettings);
  return db;
}

bool same(const plant::Run& a, const plant::Run& b) {
  const auto fields = [](const plant::Run& r) {
    return std::tie(r.id, r.line_id, r.product_id, r.recipe_id, r.started_at, r.ended_at,
                    r.evidence);
  };
  return fields(a) == fields(b);
}

}  // namespace

EmbeddedStore::EmbeddedStore(const std::filesystem::path& file, const EmbeddedOptions& given)
    : options(given),
      db(file, {.busy_timeout = given.patience, .page_size = kPageSize}),
      catalog(migrated(db)),
      hot(db),
      chunks(db),
      version_(db.prepare(kVersion)) {}

void EmbeddedStore::refresh() {
  version_.bind().step();
  const std::int64_t version = version_.integer(0);
  version_.finish();
  if (version != seen_version_) forget();
  seen_version_ = version;
}

void EmbeddedStore::forget() {
  tags_.clear();
  runs_.clear();
}

TagState& EmbeddedStore::tag(const std::string& node_id) {
  auto found = tags_.find(node_id);
  if (found == tags_.end()) found = tags_.emplace(node_id, load(node_id)).first;
  return found->second;
}

TagState EmbeddedStore::load(const std::string& node_id) {
  TagState out;
  if (const auto row = catalog.find_tag(node_id)) {
    out.row = *row;
  } else {
    out.row = {catalog.put_tag(plain_tag(node_id)), node_id, 0};
    return out;
  }
  out.longest_stored = out.row.longest;
  std::vector<HotSample> rows;
  hot.between(out.row.id, INT64_MIN, INT64_MAX, rows);
  out.hot = rows.size();
  out.newest = chunks.end(out.row);
  if (!rows.empty()) out.newest = std::max(out.newest.value_or(INT64_MIN), rows.back().sample.at);
  return out;
}

RunRow* EmbeddedStore::find_run(const plant::Run& run) {
  const std::string key = run.line_id + "/" + run.id;
  if (const auto found = runs_.find(key); found != runs_.end()) return &found->second;
  const auto row = catalog.find_run(run.line_id, run.id);
  return row ? &runs_.emplace(key, *row).first->second : nullptr;
}

void EmbeddedStore::check_run(const plant::Run& run) {
  if (const RunRow* known = find_run(run)) check_same_recipe(known->run, run);
}

std::int64_t EmbeddedStore::remove_run(std::int64_t id) {
  store::Statement count = db.query(kSamplesOfRun, id);
  const std::int64_t samples = count.step() ? count.integer(0) : 0;
  count.finish();
  for (const auto* sql : {kRemoveChunks, kRemoveHot, kRemoveRun}) db.run(sql, id);
  forget();
  return samples;
}

std::int64_t EmbeddedStore::put_run(const plant::Run& run) {
  RunRow* known = find_run(run);
  if (known == nullptr) {
    const std::int64_t id = catalog.put_run(run);
    runs_.emplace(run.line_id + "/" + run.id, RunRow{id, run});
    return id;
  }
  if (!same(known->run, run)) {
    known->run = run;
    catalog.put_run(run);
  }
  return known->id;
}

}  // namespace flyball::historian
