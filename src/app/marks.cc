// Stretches of history that people mark, and the use cases on them.
#include "app/marks.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/caller.h"
#include "app/items.h"
#include "app/records.h"

namespace flyball::app {
namespace {

/// Run of the spec, cut to its times.
std::vector<Interval> used_times(const dataset::Spec& spec, const historian::Historian& historian) {
  constexpr TimeUs kEnd = std::numeric_limits<TimeUs>::max();
  std::vector<Interval> out;
  for (const plant::Run& run :
       historian.runs({spec.line_id, spec.product_id, spec.recipe_id, {}})) {
    const bool used = spec.run_ids.empty() || std::ranges::count(spec.run_ids, run.id) > 0;
    if (!used) continue;
    out.push_back({std::max(run.started_at, spec.from_us.value_or(run.started_at)),
                   std::min(run.ended_at.value_or(kEnd), spec.to_us.value_or(kEnd))});
  }
  return out;
}

void check_tag(const std::vector<plant::Tag>& tags, const std::string& name,
               const std::string& line) {
  if (name.empty() || std::ranges::find(tags, name, &plant::Tag::name) != tags.end()) return;
  std::vector<std::string_view> known;
  for (const plant::Tag& tag : tags) known.push_back(tag.name);
  throw Error("NAME_MISSING",
              {{"what", "tag"},
               {"name", name},
               {"place", " on line " + line},
               {"suggestion", record_detail::suggestion(name, known)}},
              "/tag");
}

}  // namespace

void follow_marks(dataset::Spec& spec, const std::vector<plant::Mark>& marks,
                  const historian::Historian& historian) {
  if (marks.empty()) return;
  const std::vector<Interval> used = used_times(spec, historian);
  for (const plant::Mark& m : marks) {
    const bool concerns =
        m.tag.empty() ||
        std::ranges::find(spec.variables, m.tag, &dataset::Variable::id) != spec.variables.end();
    const bool meets = std::ranges::any_of(
        used, [&](const Interval& run) { return m.from < run.to && run.from < m.to; });
    if (concerns && meets) spec.marks.push_back({m.kind, m.tag, m.from, m.to});
  }
}

ItemsResponse App::list_marks(const MarkListRequest& request, const Call& call) {
  std::vector<plant::Mark> rows = readable(call, records().plant.marks(request.line.value_or("")));
  std::erase_if(rows, [&](const plant::Mark& m) {
    return (request.kind && m.kind != *request.kind) ||
           (request.tag && !m.tag.empty() && m.tag != *request.tag) ||
           m.to <= request.from.value_or(m.from) || m.from >= request.to.value_or(m.to);
  });
  return page(
      rows, [](const plant::Mark& m) { return m.id; }, request.limit, request.cursor);
}

plant::Mark App::add_mark(const MarkAddRequest& request, const Call& call) {
  plant::PlantStore& store = records(true).plant;
  (void)store.line(request.line);
  check_tag(historian().tags(request.line), request.tag, request.line);
  plant::Mark mark;
  mark.line_id = request.line;
  mark.tag = request.tag;
  mark.kind = request.kind;
  mark.from = request.from;
  mark.to = request.to;
  mark.by = author_of(call, request.by);
  mark.reason = request.reason;
  mark.at = clock_.now();
  return store.add_mark(std::move(mark));
}

DeleteResponse App::delete_mark(const DeleteRequest& request, const Call&) {
  plant::PlantStore& store = records(!request.dry_run).plant;
  (void)store.mark(request.id);
  if (!request.dry_run) store.remove_mark(request.id);
  return {{request.id}, request.dry_run};
}

}  // namespace flyball::app
