// The part of PlantStore that keeps context segments.
#include <algorithm>

#include "core/digest.h"
#include "plant/plant_store.h"
#include "plant/wire_enum.h"
#include "store/savepoint.h"

namespace flyball::plant {
namespace {

const std::string kSelect =
    "SELECT s.id, s.line_id, s.run_id, s.product_id, s.recipe_id, s.recipe_version, "
    "v.content_hash, s.condition_id, s.from_time, s.to_time, s.status, s.confirmed_by, "
    "s.rejected_by, s.confirmed_at, s.rejected_at, s.reason, s.evidence "
    "FROM context_segments s JOIN recipe_versions v ON v.line_id = s.line_id "
    "AND v.product_id = s.product_id AND v.recipe_id = s.recipe_id "
    "AND v.version = s.recipe_version ";
const std::string kOrder = " ORDER BY s.line_id, s.run_id, s.from_time, s.rowid";
const std::string kAll = kSelect + "WHERE (?1 = '' OR s.run_id = ?1)" + kOrder;
const std::string kOfLine = kSelect + "WHERE ?1 = '' AND s.line_id = ?2" + kOrder;
const std::string kOfRun = kSelect + "WHERE s.line_id = ?2 AND s.run_id = ?1" + kOrder;
const std::string kById = kSelect + "WHERE s.id = ?";
constexpr std::string_view kPut =
    "INSERT INTO context_segments(id, line_id, run_id, product_id, recipe_id, recipe_version, "
    "condition_id, from_time, to_time, status, reason, evidence) "
    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, 'draft', '', ?) ON CONFLICT(id) DO UPDATE SET "
    "product_id = excluded.product_id, recipe_id = excluded.recipe_id, "
    "recipe_version = excluded.recipe_version, condition_id = excluded.condition_id, "
    "evidence = excluded.evidence WHERE status = 'draft'";
constexpr std::string_view kDropDrafts =
    "DELETE FROM context_segments WHERE line_id = ? AND run_id = ? AND status = 'draft'";
constexpr std::string_view kConfirm =
    "UPDATE context_segments SET status = 'confirmed', confirmed_by = ?2, confirmed_at = ?3, "
    "reason = ?4, recipe_version = ?5 WHERE id = ?1";
constexpr std::string_view kReject =
    "UPDATE context_segments SET status = 'rejected', rejected_by = ?2, rejected_at = ?3, "
    "reason = ?4, recipe_version = ?5 WHERE id = ?1";
constexpr std::string_view kDecision =
    "INSERT INTO segment_decisions(segment_id, at, by_whom, decision, recipe_version, reason) "
    "VALUES(?, ?, ?, ?, ?, ?)";
constexpr std::string_view kDecisions =
    "SELECT at, by_whom, decision, recipe_version, reason FROM segment_decisions "
    "WHERE segment_id = ? ORDER BY rowid";

std::vector<ContextSegment> read(store::Statement q) {
  std::vector<ContextSegment> out;
  while (q.step()) {
    out.push_back({q.text(0), q.text(1), q.text(2), q.text(3), q.text(4), q.integer(5), q.text(6),
                   q.text(7), q.integer(8), q.integer(9), enum_of<SegmentStatus>(q.text(10)),
                   q.text_or_none(11), q.text_or_none(12), q.integer_or_none(13),
                   q.integer_or_none(14), q.text(15), enum_of<EvidenceSource>(q.text(16))});
  }
  return out;
}

std::string id_of(const ContextSegment& s) {
  return "seg-" + sha256(canonical(Json::array({s.line_id, s.run_id, s.from, s.to}))).substr(0, 16);
}

/// The parts of `whole` that none of `taken` (ascending, disjoint) covers.
std::vector<Interval> without(Interval whole, const std::vector<ContextSegment>& taken) {
  std::vector<Interval> out;
  for (const ContextSegment& t : taken) {
    if (t.to <= whole.from || t.from >= whole.to) continue;
    if (t.from > whole.from) out.push_back({whole.from, t.from});
    whole.from = std::max(whole.from, t.to);
  }
  if (whole.from < whole.to) out.push_back(whole);
  return out;
}

RecipeKey recipe_of(const ContextSegment& s) {
  return {s.line_id, s.product_id, s.recipe_id};
}

}  // namespace

std::vector<ContextSegment> PlantStore::segments(const SegmentFilter& filter) const {
  std::vector<ContextSegment> out;
  if (filter.line_id.empty()) {
    out = read(db_.query(kAll, filter.run_id));
  } else {
    // By its own statement a run is found in the index.
    out = read(db_.query(filter.run_id.empty() ? kOfLine : kOfRun, filter.run_id, filter.line_id));
  }
  if (filter.status)
    std::erase_if(out, [&](const ContextSegment& s) { return s.status != *filter.status; });
  return out;
}

ContextSegment PlantStore::segment(const std::string& id) const {
  const std::vector<ContextSegment> found = read(db_.query(kById, id));
  if (found.empty()) {
    throw Error("NAME_MISSING",
                {{"what", "context segment"}, {"name", id}, {"place", ""}, {"suggestion", ""}});
  }
  return found.front();
}

std::vector<SegmentDecision> PlantStore::decisions(const std::string& id) const {
  std::vector<SegmentDecision> out;
  for (store::Statement q = db_.query(kDecisions, id); q.step();)
    out.push_back(
        {q.integer(0), q.text(1), enum_of<SegmentStatus>(q.text(2)), q.integer(3), q.text(4)});
  return out;
}

void PlantStore::check_version(const RecipeKey& key, std::int64_t version) const {
  const std::vector<RecipeVersion> known = recipe_versions(key);
  if (std::ranges::find(known, version, &RecipeVersion::version) == known.end())
    throw Error("RECIPE_VERSION_MISSING", {{"recipe", key.id},
                                           {"product", key.product_id},
                                           {"version", version},
                                           {"newest", known.back().version}});
}

ContextSegment PlantStore::draft(ContextSegment s) {
  if (s.from >= s.to)
    throw Error("RANGE_EMPTY", {{"low", format_time(s.from)}, {"high", format_time(s.to)}});
  const Recipe known = recipe(recipe_of(s));
  if (s.recipe_version == 0) s.recipe_version = known.version;
  check_version(recipe_of(s), s.recipe_version);
  s.id = id_of(s);
  db_.run(kPut, s.id, s.line_id, s.run_id, s.product_id, s.recipe_id, s.recipe_version,
          s.condition_id, s.from, s.to, enum_name(s.evidence));
  return segment(s.id);
}

std::vector<ContextSegment> PlantStore::draft_run(const Run& run) {
  std::vector<ContextSegment> out;
  if (!run.ended_at) return out;
  const std::vector<RecipeVersion> versions =
      recipe_versions({run.line_id, run.product_id, run.recipe_id});
  store::Savepoint savepoint(db_);
  db_.run(kDropDrafts, run.line_id, run.id);
  const std::vector<ContextSegment> taken =
      segments({run.line_id, run.id, SegmentStatus::confirmed});
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const TimeUs from = i == 0 ? run.started_at : std::max(run.started_at, versions[i].created_at);
    const TimeUs to = i + 1 == versions.size()
                          ? *run.ended_at
                          : std::min(*run.ended_at, versions[i + 1].created_at);
    if (from >= to) continue;
    for (const Interval& part : without({from, to}, taken)) {
      ContextSegment s;
      s.line_id = run.line_id;
      s.run_id = run.id;
      s.product_id = run.product_id;
      s.recipe_id = run.recipe_id;
      s.recipe_version = versions[i].version;
      s.from = part.from;
      s.to = part.to;
      s.evidence = run.evidence;
      out.push_back(draft(std::move(s)));
    }
  }
  savepoint.commit();
  return out;
}

ContextSegment PlantStore::confirm(const std::string& id, const Author& person,
                                   std::optional<std::int64_t> recipe_version) {
  ContextSegment s = segment(id);
  if (recipe_version) s.recipe_version = *recipe_version;
  check_version(recipe_of(s), s.recipe_version);
  for (const ContextSegment& other : segments({s.line_id, s.run_id, SegmentStatus::confirmed})) {
    if (other.id == s.id || other.to <= s.from || other.from >= s.to) continue;
    throw Error("SEGMENT_OVERLAP", {{"segment", s.id},
                                    {"other", other.id},
                                    {"run", s.run_id},
                                    {"from", format_time(std::max(s.from, other.from))},
                                    {"to", format_time(std::min(s.to, other.to))}});
  }
  return decide(s, SegmentStatus::confirmed, person);
}

ContextSegment PlantStore::reject(const std::string& id, const Author& person) {
  return decide(segment(id), SegmentStatus::rejected, person);
}

ContextSegment PlantStore::decide(const ContextSegment& s, SegmentStatus status,
                                  const Author& person) {
  if (person.by.find_first_not_of(' ') == std::string::npos)
    throw Error("PERSON_MISSING", {{"segment", s.id}});
  const bool confirms = status == SegmentStatus::confirmed;
  if (s.status == status) {
    throw Error("SEGMENT_DECIDED",
                {{"segment", s.id},
                 {"status", enum_name(status)},
                 {"by", confirms ? s.confirmed_by.value_or("") : s.rejected_by.value_or("")}});
  }
  store::Savepoint savepoint(db_);
  db_.run(confirms ? kConfirm : kReject, s.id, person.by, person.at, person.reason,
          s.recipe_version);
  db_.run(kDecision, s.id, person.at, person.by, enum_name(status), s.recipe_version,
          person.reason);
  savepoint.commit();
  return segment(s.id);
}

}  // namespace flyball::plant
