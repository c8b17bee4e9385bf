#include "app/study_plan.h"

#include <charconv>
#include <cmath>
#include <map>

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

/// parse() of an optional text; its error becomes a problem at the field.
template <class T, class Parse>
void read_optional(const std::optional<std::string>& text, const char* at, Parse parse,
                   std::optional<T>& out, std::vector<Problem>& problems) {
  if (!text) return;
  try {
    out = parse(*text);
  } catch (const Error& e) {
    problems.push_back({at, e.message()});
  }
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

StudyPlan plan_study(const StudyRequest& r) {
  StudyPlan plan;
  std::vector<Problem> problems;
  check_roles(r, problems);
  check_split(r.split, plan, problems);
  plan.import.line = r.line;
  plan.import.product = r.product;
  plan.import.recipe = r.recipe;
  if (r.columns) plan.import.columns = split_list(*r.columns);
  plan.import.time_column = r.time_column;
  plan.import.run_column = r.run_column;
  if (r.max_rejects) plan.import.max_rejects = *r.max_rejects;
  read_optional(r.period, "/period", parse_duration, plan.import.period, problems);
  read_optional(r.beat, "/beat", parse_duration, plan.beat, problems);
  read_optional(r.start, "/start", parse_time, plan.import.start, problems);
  plan.import.delimiter = r.delimiter;
  plan.import.decimal = r.decimal;
  if (r.out && r.out->empty()) problems.push_back({"/out", {"FIELD_REQUIRED", {{"field", "out"}}}});
  if (!problems.empty()) throw Error::of("SPEC_INVALID", std::move(problems));
  return plan;
}

dataset::Spec study_spec(const StudyRequest& r, const StudyPlan& plan,
                         const historian::ImportResult& imported, dataset::Window window) {
  std::map<std::string, std::string> units;
  std::vector<std::string_view> known;
  for (const auto& tag : imported.tags) {
    units[tag.tag] = tag.unit;
    known.push_back(tag.tag);
  }
  dataset::Spec spec;
  std::vector<Problem> problems;
  const auto add = [&](const std::vector<std::string>& names, dataset::Role role) {
    for (const std::string& name : names) {
      if (!units.contains(name)) {
        problems.push_back({"",
                            {"COLUMN_MISSING",
                             {{"column", name},
                              {"suggestion", record_detail::suggestion(name, known)},
                              {"columns", joined(known)}}}});
        continue;
      }
      dataset::Variable& v = spec.variables.emplace_back();
      v.id = name;
      v.node_id = r.line + "/" + name;
      v.role = role;
      v.unit = v.model_unit = units[name];
      v.scale = 1;
      v.offset = 0;
      v.stepped = role == dataset::Role::mv;
      v.integrating =
          std::find(r.integrating.begin(), r.integrating.end(), name) != r.integrating.end();
    }
  };
  add(r.mv, dataset::Role::mv);
  add(r.cv, dataset::Role::cv);
  add(r.dv, dataset::Role::dv);
  if (!problems.empty()) throw Error::of("COLUMNS_MISSING", std::move(problems));

  const std::optional<DurationUs> beat = plan.beat            ? plan.beat
                                         : plan.import.period ? plan.import.period
                                                              : imported.step;
  if (!beat) throw Error("BEAT_UNKNOWN", {}, "/beat");
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

}  // namespace flyball::app
