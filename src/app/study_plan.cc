#include "app/study_plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace flyball::app {
namespace {

void check_roles(const StudyRequest& r, std::vector<Problem>& problems) {
  std::map<std::string, std::string> roles;
  const auto add = [&](const std::vector<std::string>& names, const char* role) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto [it, fresh] = roles.emplace(names[i], role);
      const std::string at = std::string("/") + role + "/" + std::to_string(i);
      if (!fresh)
        problems.push_back(
            {at, {"ROLE_CONFLICT", {{"tag", names[i]}, {"first", it->second}, {"second", role}}}});
    }
  };
  add(r.mv, "mv");
  add(r.cv, "cv");
  add(r.dv, "dv");
  for (const char* role : {"mv", "cv"}) {
    if ((*role == 'm' ? r.mv : r.cv).empty())
      problems.push_back({std::string("/") + role, {"FIELD_REQUIRED", {{"field", role}}}});
  }
  for (const std::string& name : r.integrating) {
    const auto it = roles.find(name);
    if (it == roles.end() || it->second != "cv")
      problems.push_back({"/integrating", {"INTEGRATING_NOT_CV", {{"tag", name}}}});
  }
}

void read_set_points(const StudyRequest& r, StudyPlan& plan, std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < r.setpoint.size(); ++i) {
    const std::string& text = r.setpoint[i];
    const std::size_t equals = text.find('=');
    const identify::SetPoint s{text.substr(0, equals),
                               equals == std::string::npos ? "" : text.substr(equals + 1)};
    const bool twice = std::ranges::any_of(plan.set_points, [&](const identify::SetPoint& other) {
      return other.mv == s.mv || other.tag == s.tag;
    });
    const bool other_role = std::ranges::count(r.mv, s.tag) + std::ranges::count(r.cv, s.tag) > 0;
    if (s.tag.empty() || std::ranges::count(r.mv, s.mv) == 0 || twice || other_role) {
      problems.push_back(
          {"/setpoint/" + std::to_string(i), {"SETPOINT_FLAG_INVALID", {{"text", text}}}});
      continue;
    }
    plan.set_points.push_back(s);
  }
}

void check_split(const std::string& text, StudyPlan& plan, std::vector<Problem>& problems) {
  std::vector<double> shares;
  for (const std::string& item : split_list(text)) {
    double v = -1;
    const auto [end, ec] = std::from_chars(item.data(), item.data() + item.size(), v);
    shares.push_back(ec == std::errc{} && end == item.data() + item.size() ? v : -1);
  }
  const bool three = shares.size() == 3 && shares[0] > 0 && shares[1] >= 0 && shares[2] >= 0;
  if (!three || std::abs(shares[0] + shares[1] + shares[2] - 1) > 1e-6 || shares[0] < 0.1) {
    problems.push_back({"/split", {"SPLIT_INVALID", {{"text", text}}}});
    return;
  }
  plan.val_ratio = shares[1];
  plan.test_ratio = shares[2];
}

/// Options of a static model mean nothing to another trainer.
void check_static(const StudyRequest& r, std::vector<Problem>& problems) {
  if (r.trainer == Trainer::static_response_1) return;
  const auto refuse = [&](bool given, const char* field, const char* flag) {
    if (given) problems.push_back({field, {"STATIC_OPTION", {{"flag", flag}}}});
  };
  refuse(r.points.has_value(), "/points", "--points");
  refuse(r.steady_steps.has_value(), "/steadySteps", "--steady-steps");
  refuse(r.steady_tolerance.has_value(), "/steadyTolerance", "--steady-tolerance");
}

dataset::Variable variable_of(const plant::Tag& tag, dataset::Role role) {
  dataset::Variable v;
  v.id = tag.name;
  v.node_id = tag.node_id();
  v.role = role;
  v.unit = v.model_unit = tag.unit;
  v.scale = 1;
  v.offset = 0;
  v.stepped = plant::is_stepped(tag, role);
  v.min = tag.min;
  v.max = tag.max;
  v.resolution = tag.resolution;
  return v;
}

}  // namespace

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> out{""};
  for (const char c : text) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  for (std::string& item : out) {
    while (!item.empty() && item.front() == ' ') item.erase(0, 1);
    while (!item.empty() && item.back() == ' ') item.pop_back();
  }
  return out;
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < 30; ++i)
    out += (i > 0 ? ", " : "") + std::string(names[i]);
  return names.size() > 30 ? out + ", ..." : out;
}

historian::ImportOptions import_options(historian::ImportOptions options) {
  if (options.columns.size() == 1) options.columns = split_list(options.columns.front());
  return options;
}

StudyPlan plan_study(const StudyRequest& r) {
  StudyPlan plan;
  std::vector<Problem> problems;
  check_roles(r, problems);
  read_set_points(r, plan, problems);
  check_split(r.split, plan, problems);
  std::vector<std::string> inputs = r.mv;
  inputs.insert(inputs.end(), r.dv.begin(), r.dv.end());
  plan.loops = read_loops(r, problems);
  plan.transports = read_transports(r, inputs, problems);
  plan.priors = identify::parse_priors(r.prior, inputs, r.cv, problems);
  plan.import = import_options(r);
  check_static(r, problems);
  if (r.out && r.out->empty()) problems.push_back({"/out", {"FIELD_REQUIRED", {{"field", "out"}}}});
  if (!problems.empty()) throw Error::of("SPEC_INVALID", std::move(problems));
  return plan;
}

dataset::Spec study_spec(const StudyRequest& r, const StudyPlan& plan,
                         const std::vector<plant::Tag>& tags, std::optional<DurationUs> step,
                         dataset::Window window) {
  std::vector<std::string_view> known;
  for (const plant::Tag& tag : tags) known.push_back(tag.name);
  dataset::Spec spec;
  std::vector<Problem> problems;
  const auto add = [&](const std::vector<std::string>& names, dataset::Role role) {
    for (const std::string& name : names) {
      const auto tag = std::ranges::find(tags, name, &plant::Tag::name);
      if (tag == tags.end()) {
        problems.push_back({"",
                            {"COLUMN_MISSING",
                             {{"column", name},
                              {"suggestion", record_detail::suggestion(name, known)},
                              {"columns", joined(known)}}}});
        continue;
      }
      spec.variables.push_back(variable_of(*tag, role));
      spec.variables.back().integrating = std::ranges::count(r.integrating, name) > 0;
    }
  };
  add(r.mv, dataset::Role::mv);
  add(r.cv, dataset::Role::cv);
  add(r.dv, dataset::Role::dv);
  for (const identify::SetPoint& s : plan.set_points) {
    if (std::ranges::count(r.dv, s.tag) == 0) add({s.tag}, dataset::Role::dv);
    if (!spec.variables.empty() && spec.variables.back().id == s.tag)
      spec.variables.back().stepped = true;
  }
  for (const DeclaredTransport& t : plan.transports) {
    const bool has = std::ranges::count(spec.variables, t.delay.flow, &dataset::Variable::id) > 0;
    if (!has) add({t.delay.flow}, dataset::Role::dv);
  }
  declare(plan.transports, spec);
  if (!problems.empty()) throw Error::of("COLUMNS_MISSING", std::move(problems));

  const std::optional<DurationUs> beat = r.beat ? r.beat : r.period ? r.period : step;
  if (!beat) throw Error("BEAT_UNKNOWN", {}, "/beat");
  keep_modes(r.mode, tags, spec);
  spec.line_id = r.line;
  spec.product_id = r.product;
  spec.recipe_id = r.recipe;
  spec.beat_ms = static_cast<double>(*beat) / 1000;
  spec.window = window;
  spec.split.val_ratio = plan.val_ratio;
  spec.split.test_ratio = plan.test_ratio;
  spec.split.seed = r.seed;
  return spec;
}

void check_stored(const historian::Historian& historian, const historian::Filter& filter) {
  std::set<std::string> lines, recipes;
  for (const plant::Tag& tag : historian.tags("")) lines.insert(tag.line_id);
  if (!lines.contains(filter.line_id)) {
    throw Error("LINE_EMPTY",
                {{"line", filter.line_id},
                 {"lines", lines.empty() ? "none" : joined({lines.begin(), lines.end()})}});
  }
  if (!historian.runs(filter).empty()) return;
  for (const plant::Run& run : historian.runs({.line_id = filter.line_id}))
    recipes.insert(run.product_id + "/" + run.recipe_id);
  throw Error("NO_RUNS_STORED", {{"line", filter.line_id},
                                 {"product", filter.product_id.empty() ? "any" : filter.product_id},
                                 {"recipe", filter.recipe_id.empty() ? "any" : filter.recipe_id},
                                 {"run", filter.run_id.empty() ? "any" : filter.run_id},
                                 {"known", joined({recipes.begin(), recipes.end()})}});
}

void keep_modes(const std::vector<std::string>& modes, const std::vector<plant::Tag>& tags,
                dataset::Spec& spec) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const std::size_t equals = modes[i].find('=');
    const std::string name = modes[i].substr(0, equals);
    const auto variable = std::ranges::find(spec.variables, name, &dataset::Variable::id);
    const auto tag = std::ranges::find(tags, name, &plant::Tag::name);
    if (equals == std::string::npos || variable == spec.variables.end()) {
      problems.push_back(
          {"/mode/" + std::to_string(i), {"MODE_FLAG_INVALID", {{"text", modes[i]}}}});
    } else if (tag == tags.end() || !tag->mode_tag) {
      problems.push_back({"/mode/" + std::to_string(i), {"MODE_TAG_UNKNOWN", {{"tag", name}}}});
    } else {
      variable->mode_tag = *tag->mode_tag;
      variable->modes = split_list(modes[i].substr(equals + 1));
    }
  }
  if (!problems.empty()) throw Error::of("SPEC_INVALID", std::move(problems));
}

namespace {

std::vector<plant::Run> runs_of(const historian::Historian& historian, const StudyRequest& r) {
  return historian.runs({r.line, r.product, r.recipe, r.run.value_or("")});
}

}  // namespace

std::vector<std::string> run_ids_of(const historian::Historian& historian,
                                    const historian::Filter& filter) {
  constexpr std::size_t kMostRuns = 200;
  std::vector<std::string> out;
  for (const plant::Run& run : historian.runs(filter)) {
    if (run.ended_at) out.push_back(run.id);
  }
  if (out.size() > kMostRuns && filter.run_id.empty()) out.clear();
  std::ranges::sort(out);
  return out;
}

std::optional<DurationUs> usual_step(const historian::Historian& historian,
                                     const StudyRequest& request) {
  std::vector<DurationUs> steps;
  for (const plant::Run& run : runs_of(historian, request)) {
    historian::PageRequest page;
    page.node_id = request.line + "/" + request.cv.front();
    page.filter = {run.line_id, run.product_id, run.recipe_id, run.id};
    const auto samples = historian::read_all(historian, page);
    for (std::size_t i = 1; i < samples.size(); ++i)
      steps.push_back(samples[i].at - samples[i - 1].at);
  }
  if (steps.empty()) return std::nullopt;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

bool has_elapsed_times(const historian::Historian& historian, const StudyRequest& request) {
  constexpr TimeUs kFirstYear = TimeUs{365} * 86'400 * 1'000'000;
  const auto runs = runs_of(historian, request);
  return !runs.empty() && runs.front().started_at >= 0 && runs.front().started_at < kFirstYear;
}

}  // namespace flyball::app
