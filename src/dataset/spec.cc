#include "dataset/spec.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/error.h"
#include "dataset/transport.h"

namespace flyball::dataset {
namespace {

std::string at(std::size_t i, const char* name) {
  return "/variables/" + std::to_string(i) + "/" + name;
}

void check_units(const Spec& spec, std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < spec.variables.size(); ++i) {
    const Variable& v = spec.variables[i];
    const auto told = [](const std::optional<double>& x) {
      return x ? std::to_string(*x) : std::string("absent");
    };
    if (!v.scale || !std::isfinite(*v.scale) || *v.scale == 0) {
      problems.push_back(
          {at(i, "scale"), {"UNIT_SCALE_INVALID", {{"variable", v.id}, {"value", told(v.scale)}}}});
    }
    if (!v.offset || !std::isfinite(*v.offset)) {
      problems.push_back(
          {at(i, "offset"),
           {"UNIT_OFFSET_INVALID", {{"variable", v.id}, {"value", told(v.offset)}}}});
    }
  }
}

void check_variables(const Spec& spec, bool needs_mv, std::vector<Problem>& problems) {
  std::set<std::string> ids, nodes;
  std::size_t mvs = 0, cvs = 0;
  for (std::size_t i = 0; i < spec.variables.size(); ++i) {
    const Variable& v = spec.variables[i];
    mvs += v.role == Role::mv ? 1 : 0;
    cvs += v.role == Role::cv ? 1 : 0;
    if (v.id.empty()) problems.push_back({at(i, "id"), {"FIELD_REQUIRED", {{"field", "id"}}}});
    if (!ids.insert(v.id).second)
      problems.push_back({at(i, "id"), {"VARIABLE_TWICE", {{"variable", v.id}}}});
    if (!nodes.insert(v.node_id).second) {
      problems.push_back({at(i, "nodeId"), {"VARIABLE_TWICE", {{"variable", v.node_id}}}});
    }
    if (v.min && v.max && !(*v.min < *v.max)) {
      problems.push_back({at(i, "min"), {"RANGE_EMPTY", {{"low", *v.min}, {"high", *v.max}}}});
    }
    const auto not_negative = [&](const std::optional<double>& x, const char* name) {
      if (x && !(*x >= 0)) {
        problems.push_back(
            {at(i, name), {"FIELD_RANGE", {{"value", *x}, {"limits", "0 and above"}}}});
      }
    };
    not_negative(v.resolution, "resolution");
    not_negative(v.max_interp_ms, "maxInterpMs");
    not_negative(v.max_hold_ms, "maxHoldMs");
    if (v.mode_tag.empty() != v.modes.empty()) {
      problems.push_back({at(i, v.modes.empty() ? "modes" : "modeTag"),
                          {"MODE_INCOMPLETE", {{"variable", v.id}}}});
    }
  }
  if (mvs == 0 && needs_mv) problems.push_back({"/variables", {"ROLE_MISSING", {{"role", "mv"}}}});
  if (cvs == 0) problems.push_back({"/variables", {"ROLE_MISSING", {{"role", "cv"}}}});
}

void check_rest(const Spec& spec, std::vector<Problem>& problems) {
  const double share = spec.split.val_ratio + spec.split.test_ratio;
  if (!(share <= 0.9 + 1e-12)) {
    problems.push_back({"/split", {"SPLIT_SUM", {{"value", share}, {"limit", 0.9}}}});
  }
  if (const double us = spec.beat_ms * 1000; std::abs(us - std::nearbyint(us)) > 1e-6 * us) {
    problems.push_back({"/beatMs", {"BEAT_RESOLUTION", {{"value", spec.beat_ms, "ms"}}}});
  }
  if (spec.from_us && spec.to_us && !(*spec.from_us < *spec.to_us)) {
    problems.push_back(
        {"/fromUs", {"RANGE_EMPTY", {{"low", *spec.from_us, "us"}, {"high", *spec.to_us, "us"}}}});
  }
  const auto not_negative = [&](const std::optional<double>& x, const char* name) {
    if (x && !(*x >= 0)) {
      problems.push_back({std::string("/cleaning/") + name,
                          {"FIELD_RANGE", {{"value", *x}, {"limits", "0 and above"}}}});
    }
  };
  not_negative(spec.cleaning.max_interp_ms, "maxInterpMs");
  not_negative(spec.cleaning.max_gap_ms, "maxGapMs");
  for (std::size_t i = 0; i < spec.marks.size(); ++i) {
    const MarkedStretch& m = spec.marks[i];
    const std::string where = "/marks/" + std::to_string(i);
    if (m.from_us >= m.to_us)
      problems.push_back(
          {where + "/fromUs",
           {"RANGE_EMPTY", {{"low", format_time(m.from_us)}, {"high", format_time(m.to_us)}}}});
    if (m.variable.empty()) continue;
    if (std::ranges::find(spec.variables, m.variable, &Variable::id) == spec.variables.end())
      problems.push_back({where + "/variable", {"MARK_VARIABLE", {{"variable", m.variable}}}});
    else if (m.kind != plant::MarkKind::bad)
      problems.push_back({where + "/variable",
                          {"MARK_OF_TAG", {{"kind", enum_name(m.kind)}, {"tag", m.variable}}}});
  }
}

void sort_once(std::vector<std::string>& texts) {
  std::ranges::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
}

int rank(Role role) {
  return role == Role::mv ? 0 : role == Role::dv ? 1 : 2;
}

}  // namespace

DurationUs beat_us(const Spec& spec) {
  return std::llround(spec.beat_ms * 1000);
}

DurationUs to_us(double ms) {
  return std::llround(std::min(ms, 1e15) * 1000);
}

std::optional<DurationUs> to_us(const std::optional<double>& ms) {
  return ms ? std::optional(to_us(*ms)) : std::nullopt;
}

Spec canonical_order(Spec spec) {
  std::ranges::stable_sort(spec.variables, [](const Variable& a, const Variable& b) {
    return std::pair(rank(a.role), a.node_id) < std::pair(rank(b.role), b.node_id);
  });
  for (Variable& v : spec.variables) sort_once(v.modes);
  sort_once(spec.run_ids);
  const auto key = [](const MarkedStretch& m) {
    return std::tuple(m.from_us, m.to_us, m.kind, m.variable);
  };
  const auto equal = [&](const auto& a, const auto& b) { return key(a) == key(b); };
  std::ranges::sort(spec.marks, {}, key);
  spec.marks.erase(std::unique(spec.marks.begin(), spec.marks.end(), equal), spec.marks.end());
  return spec;
}

void validate(const Spec& spec, bool needs_mv) {
  std::vector<Problem> problems;
  read_record<Spec>(to_json_value(spec), "", problems);  // ranges and lengths of the field lists
  check_variables(spec, needs_mv, problems);
  check_rest(spec, problems);
  check_transport(spec, problems);
  const bool only_units = problems.empty();
  check_units(spec, problems);
  if (!problems.empty()) {
    throw Error::of(only_units ? "UNIT_CONTRACT_INVALID" : "SPEC_INVALID", std::move(problems));
  }
  for (std::size_t i = 0; i < spec.variables.size(); ++i) {
    if (const std::string& node = spec.variables[i].node_id;
        !node.starts_with(spec.line_id + "/")) {
      throw Error("NODE_LINE_MISMATCH", {{"node", node}, {"line", spec.line_id}}, at(i, "nodeId"));
    }
  }
}

}  // namespace flyball::dataset
