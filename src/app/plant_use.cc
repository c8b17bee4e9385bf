#include "app/plant_use.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/units.h"
#include "plant/names.h"
#include "plant/rules.h"

namespace flyball::app {
namespace {

[[noreturn]] void throw_missing(const char* what, const std::string& name, const std::string& line,
                                const std::vector<std::string_view>& known) {
  throw Error("NAME_MISSING", {{"what", what},
                               {"name", name},
                               {"place", " on line " + line},
                               {"suggestion", record_detail::suggestion(name, known)}});
}

plant::Tag tag_of(const std::vector<plant::Tag>& tags, const std::string& name,
                  const std::string& line) {
  const auto it = std::ranges::find(tags, name, &plant::Tag::name);
  if (it != tags.end()) return *it;
  std::vector<std::string_view> known;
  for (const plant::Tag& t : tags) known.push_back(t.name);
  throw_missing("tag", name, line, known);
}

plant::Run run_of(const std::vector<plant::Run>& runs, const std::string& id,
                  const std::string& line) {
  const auto it = std::ranges::find(runs, id, &plant::Run::id);
  if (it != runs.end()) return *it;
  std::vector<std::string_view> known;
  for (const plant::Run& r : runs) known.push_back(r.id);
  throw_missing("run", id, line, known);
}

TagResponse response_of(const historian::Historian& historian, const plant::Tag& tag) {
  TagResponse out;
  out.tag = tag;
  out.node_id = tag.node_id();
  if (const auto newest = historian.latest(out.node_id)) out.newest_at = newest->at;
  if (const auto note = plant::unit_note(tag)) out.notes.push_back(note->text());
  return out;
}

bool same_unit(const std::string& a, const std::string& b) {
  if (a == b) return true;
  try {
    return convert(a, b).is_identity();
  } catch (const Error&) {
    return false;  // one of them is only a text, or of another dimension: not the same
  }
}

/// The tag with what the request names.
plant::Tag changed(plant::Tag tag, const TagSetRequest& request) {
  const auto set = [](auto& to, const auto& from) {
    if (from) to = *from;
  };
  set(tag.unit, request.unit);
  set(tag.kind, request.kind);
  set(tag.states, request.states);
  set(tag.role, request.role);
  if (request.shape) tag.stepped = *request.shape == Shape::stepped;
  set(tag.min, request.min);
  set(tag.max, request.max);
  set(tag.resolution, request.resolution);
  set(tag.mode_tag, request.mode_tag);
  set(tag.description, request.description);
  Json json = to_json_value(tag);
  for (const std::string& name : request.clear) {
    constexpr std::array<std::string_view, 8> kClearable{
        "unit", "role", "stepped", "min", "max", "resolution", "modeTag", "description"};
    if (std::ranges::find(kClearable, name) == kClearable.end())
      throw Error(
          "FIELD_UNKNOWN",
          {{"field", name},
           {"suggestion", record_detail::suggestion(name, {kClearable.begin(), kClearable.end()})}},
          "/clear");
    json.erase(name);
  }
  return parse_record<plant::Tag>(json);
}

double number(const std::string& text, std::string_view part) {
  double value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc{} || end != part.data() + part.size())
    throw Error("PARAM_INVALID", {{"text", text}});
  return value;
}

void store_run(const Plant& plant, const plant::Run& run) {
  const auto writer = plant.historian.begin();
  writer->put_run(run);
  writer->commit();
  plant.store.draft_run(run);
}

RunResponse response_of(const Plant& plant, const plant::Run& run) {
  return {run, plant.store.segments({run.line_id, run.id, {}})};
}

}  // namespace

std::string system_user() {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
    return entry.pw_name;
  return "";
}

plant::RecipeParam parse_param(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) throw Error("PARAM_INVALID", {{"text", text}});
  plant::RecipeParam out;
  out.tag = text.substr(0, equals);
  std::string_view rest = std::string_view(text).substr(equals + 1);
  std::vector<std::string_view> parts;
  for (std::size_t colon; (colon = rest.find(':')) != std::string_view::npos;) {
    parts.push_back(rest.substr(0, colon));
    rest.remove_prefix(colon + 1);
  }
  parts.push_back(rest);
  if (parts.size() > 3) throw Error("PARAM_INVALID", {{"text", text}});
  out.value = number(text, parts[0]);
  if (parts.size() > 1 && !parts[1].empty()) out.min = number(text, parts[1]);
  if (parts.size() > 2 && !parts[2].empty()) out.max = number(text, parts[2]);
  return out;
}

plant::Recipe set_recipe(const Plant& plant, const RecipeSetRequest& request,
                         const plant::Author& author) {
  plant::Recipe recipe = plant.store.recipe(request.line, request.product, request.id);
  if (request.description) recipe.description = *request.description;
  for (const std::string& tag : request.drop) {
    if (std::erase_if(recipe.params, [&](const auto& p) { return p.tag == tag; }) > 0) continue;
    std::vector<std::string_view> known;
    for (const plant::RecipeParam& p : recipe.params) known.push_back(p.tag);
    throw_missing("param of this recipe", tag, request.line, known);
  }
  for (const std::string& text : request.param) {
    const plant::RecipeParam param = parse_param(text);
    const auto old = std::ranges::find(recipe.params, param.tag, &plant::RecipeParam::tag);
    if (old == recipe.params.end()) {
      recipe.params.push_back(param);
    } else if (text.find(':', text.rfind('=')) == std::string::npos) {
      old->value = param.value;
    } else {
      *old = param;
    }
  }
  plant.store.put(recipe, plant.historian.tags(request.line), author);
  return plant.store.recipe({recipe.line_id, recipe.product_id, recipe.id});
}

void check_stored(const historian::Historian& historian, const plant::Tag& old,
                  const plant::Tag& now, bool correct_unit, const std::string& at,
                  std::vector<Problem>& problems) {
  const bool unit = old.unit.empty() || correct_unit || same_unit(old.unit, now.unit);
  const bool states = old.kind == now.kind && now.states.size() >= old.states.size() &&
                      std::equal(old.states.begin(), old.states.end(), now.states.begin());
  if ((unit && states) || !historian.latest(old.node_id())) return;
  if (!unit) {
    problems.push_back({at + "/unit",
                        {"TAG_UNIT_FIXED",
                         {{"tag", old.name},
                          {"unit", old.unit},
                          {"given", now.unit.empty() ? "none" : now.unit}}}});
  }
  if (!states) problems.push_back({at + "/states", {"TAG_STATES_FIXED", {{"tag", old.name}}}});
}

TagResponse show_tag(const Plant& plant, const TagRequest& request) {
  return response_of(plant.historian,
                     tag_of(plant.historian.tags(request.line), request.name, request.line));
}

TagResponse set_tag(const Plant& plant, const TagSetRequest& request) {
  (void)plant.store.line(request.line);
  const std::vector<plant::Tag> tags = plant.historian.tags(request.line);
  const auto known = std::ranges::find(tags, request.name, &plant::Tag::name);
  plant::Tag fresh;
  fresh.name = request.name;
  fresh.line_id = request.line;
  const plant::Tag tag = changed(known == tags.end() ? fresh : *known, request);
  std::vector<Problem> problems;
  plant::check(tag, tags, "", problems);
  if (known != tags.end())
    check_stored(plant.historian, *known, tag, request.correct_unit, "", problems);
  if (!problems.empty()) throw Error::of("SPEC_INVALID", std::move(problems));
  const auto writer = plant.historian.begin();
  writer->put_tag(tag);
  writer->commit();
  return response_of(plant.historian, tag);
}

void check_run(const plant::Run& run, const std::vector<plant::Run>& runs) {
  plant::check_slug("run", run.id);
  if (run.ended_at) {
    if (*run.ended_at <= run.started_at)
      throw Error("RANGE_EMPTY",
                  {{"low", format_time(run.started_at)}, {"high", format_time(*run.ended_at)}});
    return;
  }
  for (const plant::Run& other : runs) {
    if (other.id != run.id && !other.ended_at)
      throw Error("RUN_RUNNING", {{"run", other.id}, {"line", run.line_id}});
  }
}

RunResponse show_run(const Plant& plant, const RunRequest& request) {
  historian::Filter filter;
  filter.line_id = request.line;
  return response_of(plant, run_of(plant.historian.runs(filter, false), request.id, request.line));
}

RunResponse add_run(const Plant& plant, const RunAddRequest& request) {
  const plant::Recipe recipe = plant.store.recipe(request.line, request.product, request.recipe);
  const plant::Run run{request.id,    request.line, recipe.product_id, recipe.id,
                       request.start, request.end,  request.evidence};
  historian::Filter filter;
  filter.line_id = request.line;
  const std::vector<plant::Run> runs = plant.historian.runs(filter, false);
  if (std::ranges::find(runs, run.id, &plant::Run::id) != runs.end())
    throw Error("NAME_EXISTS",
                {{"what", "run"}, {"name", run.id}, {"place", " on line " + run.line_id}});
  check_run(run, runs);
  store_run(plant, run);
  return response_of(plant, run);
}

RunResponse end_run(const Plant& plant, const RunEndRequest& request, TimeUs now) {
  historian::Filter filter;
  filter.line_id = request.line;
  const std::vector<plant::Run> runs = plant.historian.runs(filter, false);
  plant::Run run = run_of(runs, request.id, request.line);
  if (run.ended_at) throw Error("RUN_ENDED", {{"run", run.id}, {"at", format_time(*run.ended_at)}});
  run.ended_at = request.end.value_or(now);
  check_run(run, runs);
  store_run(plant, run);
  return response_of(plant, run);
}

std::vector<std::string> users_of(const Plant& plant, registry::Registry& registry,
                                  const plant::RecipeKey& key) {
  std::vector<std::string> out;
  historian::Filter filter;
  filter.line_id = key.line_id;
  filter.product_id = key.product_id;
  filter.recipe_id = key.id;
  for (const plant::Run& run : plant.historian.runs(filter, false)) out.push_back("run " + run.id);
  if (key.product_id.empty() && key.id.empty()) {
    for (const plant::Tag& tag : plant.historian.tags(key.line_id))
      out.push_back("tag " + tag.name);
  }
  const auto cites = [&](const auto& row) {
    return row.line_id == key.line_id &&
           (key.product_id.empty() || row.product_id == key.product_id) &&
           (key.id.empty() || row.recipe_id == key.id);
  };
  const auto collect = [&](const char* what, auto pages) {
    std::optional<std::string> cursor;
    do {
      const auto page = pages(cursor);
      for (const auto& row : page.rows) {
        if (cites(row)) out.push_back(what + row.id);
      }
      cursor = page.next_cursor;
    } while (cursor);
  };
  collect("dataset ", [&](const auto& cursor) { return registry.datasets(1000, cursor); });
  collect("model ", [&](const auto& cursor) { return registry.models(1000, cursor); });
  return out;
}

}  // namespace flyball::app
