#include "dataset/v1_build.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/checks.h"
#include "dataset/collect.h"
#include "dataset/split.h"
#include "dataset/v1_grid.h"
#include "dataset/v1_json.h"
#include "math/random.h"

namespace flyball::dataset {
namespace {

constexpr double kShortestBeatMs = 1000, kLongestBeatMs = 3'600'000;

std::vector<Index> columns_of(const Spec& spec, std::optional<Role> role) {
  std::vector<Index> out;
  for (std::size_t c = 0; c < spec.variables.size(); ++c) {
    if (!role || spec.variables[c].role == *role) out.push_back(static_cast<Index>(c));
  }
  return out;
}

void validate_v1(const Spec& spec) {
  std::vector<Problem> problems;
  if (spec.variables.size() < 2) {
    problems.push_back(
        {"/variables", {"FIELD_RANGE", {{"value", spec.variables.size()}, {"limits", "2 .. 64"}}}});
  }
  if (std::floor(spec.beat_ms) != spec.beat_ms || spec.beat_ms < kShortestBeatMs ||
      spec.beat_ms > kLongestBeatMs) {
    problems.push_back(
        {"/beatMs",
         {"FIELD_RANGE", {{"value", spec.beat_ms, "ms"}, {"limits", "1000 .. 3600000, whole"}}}});
  }
  for (std::size_t i = 0; i < spec.variables.size(); ++i) {
    const Variable& v = spec.variables[i];
    if (v.transport) {
      problems.push_back({"/variables/" + std::to_string(i) + "/transport",
                          {"V1_TRANSPORT", {{"variable", v.id}}}});
    }
    if (v.scale == 1.0 && v.offset == 0.0) continue;
    problems.push_back(
        {"/variables/" + std::to_string(i) + "/scale", {"V1_UNITS", {{"variable", v.id}}}});
  }
  if (!problems.empty()) throw Error::of("V1_SPEC_INVALID", std::move(problems));
  validate(spec, false);
}

/// One run; rows of the report are added, or why it gives nothing.
class V1Assembler {
 public:
  V1Assembler(const historian::Historian& historian, const Spec& spec, Report& report)
      : historian_(historian), spec_(spec), report_(report) {}

  std::optional<V1Run> run(const plant::Run& run) {
    std::vector<V1Node> nodes;
    for (const Variable& v : spec_.variables) {
      nodes.push_back(v1_node(fetch(run, v), {v.min, v.max, {}, spec_.cleaning.hampel_k},
                              beat_us(spec_), max_interp()));
      report_.run_cleaning[run.id][v.node_id] = nodes.back().counts;
      if (nodes.back().values.empty()) return drop(run, {"RUN_TAG_EMPTY", {{"tag", v.id}}});
    }
    V1Run out;
    out.run_id = run.id;
    if (const auto reason = to_common_grid(nodes, out)) return drop(run, *reason);
    count_missing(out);
    const double missing = (out.values.array() != out.values.array()).cast<double>().mean();
    if (missing > spec_.cleaning.max_drop_ratio) {
      return drop(run, {"RUN_MISSING_RATIO",
                        {{"value", 100 * missing, "%"},
                         {"limit", 100 * spec_.cleaning.max_drop_ratio, "%"}}});
    }
    find_windows(out);
    if (out.windows.empty()) {
      Index longest = 0, now = 0;
      for (Index i = 0; i < out.values.rows(); ++i)
        longest = std::max(longest, now = out.values.row(i).allFinite() ? now + 1 : 0);
      return drop(run, no_window(longest, spec_.window));
    }
    report_.run_shapes.push_back({run.id, out.values.rows(), 1, 0, 0});
    report_.runs_used.push_back(run.id);
    for (const auto& [node, counts] : report_.run_cleaning[run.id])
      report_.cleaning[node] += counts;
    return out;
  }

 private:
  std::optional<V1Run> drop(const plant::Run& run, const Message& why) {
    report_.runs_dropped.push_back({run.id, why.code, why.text()});
    return std::nullopt;
  }

  [[nodiscard]] DurationUs max_interp() const {
    const auto given = to_us(spec_.cleaning.max_interp_ms);
    return given.value_or(3 * beat_us(spec_));
  }

  [[nodiscard]] std::vector<historian::Sample> fetch(const plant::Run& run,
                                                     const Variable& v) const {
    historian::PageRequest request;
    request.node_id = v.node_id;
    request.filter = {spec_.line_id, spec_.product_id, spec_.recipe_id, run.id};
    request.from = spec_.from_us.value_or(request.from);
    request.to = spec_.to_us.value_or(request.to);
    request.limit = 1'000'000;
    return historian::read_all(historian_, request);
  }

  /// From the latest first bucket to the earliest last one.
  std::optional<Message> to_common_grid(const std::vector<V1Node>& nodes, V1Run& out) const {
    const DurationUs beat = beat_us(spec_);
    TimeUs from = INT64_MIN, to = INT64_MAX;
    for (const V1Node& n : nodes) {
      from = std::max(from, n.start);
      to = std::min(to, n.start + (std::ssize(n.values) - 1) * beat);
    }
    const std::int64_t steps = to < from ? 0 : (to - from) / beat + 1;
    const auto needed = spec_.window.history_steps + spec_.window.horizon_steps + 2;
    if (steps < needed) {
      return Message{"RUN_TOO_SHORT", {{"value", steps, "steps"}, {"limit", needed, "steps"}}};
    }
    out.values.resize(steps, std::ssize(nodes));
    for (std::size_t c = 0; c < nodes.size(); ++c) {
      const auto first = nodes[c].values.begin() + (from - nodes[c].start) / beat;
      std::copy_n(first, steps, out.values.col(static_cast<Index>(c)).data());
    }
    return std::nullopt;
  }

  void count_missing(const V1Run& run) {
    for (std::size_t c = 0; c < spec_.variables.size(); ++c) {
      CleanCounts& counts = report_.run_cleaning[run.run_id][spec_.variables[c].node_id];
      const auto column = run.values.col(static_cast<Index>(c)).array();
      counts.steps = run.values.rows();
      counts.missing = (column != column).count();
    }
  }

  /// t = H..T−F: history of all nodes, horizon of controls and targets, all finite.
  void find_windows(V1Run& run) const {
    const auto steps = static_cast<std::size_t>(run.values.rows());
    std::vector<std::uint8_t> past(steps, 1), future(steps, 1);
    for (std::size_t c = 0; c < spec_.variables.size(); ++c) {
      const double* const v = run.values.col(static_cast<Index>(c)).data();
      for (std::size_t i = 0; i < steps; ++i) {
        if (std::isfinite(v[i])) continue;
        past[i] = 0;
        if (spec_.variables[c].role != Role::dv) future[i] = 0;
      }
    }
    const Index history = spec_.window.history_steps, horizon = spec_.window.horizon_steps;
    std::vector<Index> complete(steps);  // rows in a row with the history of all nodes
    Index known = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      complete[i] = past[i] == 0 ? 0 : (i == 0 ? 0 : complete[i - 1]) + 1;
      known = future[i] == 0 ? 0 : known + 1;
      const Index t = static_cast<Index>(i) + 1 - horizon;
      if (t >= history && known >= horizon && complete[static_cast<std::size_t>(t - 1)] >= history)
        run.windows.push_back(t);
    }
  }

  const historian::Historian& historian_;
  const Spec& spec_;
  Report& report_;
};

/// Shuffled, then test first, then val, the rest train; brought into the order of the arrays.
void split_by_run(std::vector<V1Run>& runs, const Split& split) {
  std::vector<std::int64_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  math::Random random(static_cast<std::uint32_t>(split.seed));
  math::shuffle(order, random);
  const std::vector<Part> parts = parts_by_run(runs.size(), split);
  std::vector<V1Run> out;
  for (const Part part : {Part::train, Part::val, Part::test}) {
    for (const std::int64_t i : order) {
      const auto at = static_cast<std::size_t>(i);
      if (parts[at] != part) continue;
      out.push_back(std::move(runs[at]));
      out.back().part = part;
    }
  }
  runs = std::move(out);
}

/// Rows [t + from, t + to) of each train window.
V1Norm norm_of(const std::vector<V1Run>& runs, const std::vector<Index>& columns, Index from,
               Index to) {
  V1Norm out;
  for (const Index c : columns) {
    const auto for_each_value = [&](const auto& f) {
      for (const V1Run& run : runs) {
        if (run.part != Part::train) continue;
        const double* const v = run.values.col(c).data();
        for (const Index t : run.windows) {
          for (Index i = t + from; i < t + to; ++i) f(v[i]);
        }
      }
    };
    double n = 0, sum = 0, squares = 0;
    for_each_value([&](double x) { ++n, sum += x; });
    const double mean = sum / n;
    for_each_value([&](double x) { squares += (x - mean) * (x - mean); });
    const double std = std::sqrt(squares / (n - 1));
    out.mean.push_back(mean);
    out.std.push_back(std >= 1 ? std : 1);
  }
  return out;
}

/// Rows [t + from, t + to) of every window; no column gives one of zeros.
Emit array(const V1Dataset& d, std::vector<Index> columns, const V1Norm& norm, Index from,
           Index to) {
  return [&d, columns = std::move(columns), &norm, from, to](const Sink& sink) {
    Pieces pieces(sink);
    for (const V1Run& run : d.runs) {
      for (const Index t : run.windows) {
        for (Index i = t + from; i < t + to; ++i) {
          for (std::size_t k = 0; k < columns.size(); ++k)
            pieces.add(
                static_cast<float>((run.values(i, columns[k]) - norm.mean[k]) / norm.std[k]));
          if (columns.empty()) pieces.add(0.0F);
        }
      }
    }
    pieces.flush();
  };
}

}  // namespace

V1Dataset build_v1(const historian::Historian& historian, const Spec& spec, const Limits& limits,
                   const ProgressFn& progress, std::stop_token stop) {
  validate_v1(spec);
  check_nodes(historian, spec);
  V1Dataset out;
  out.spec = spec;
  const auto runs = runs_asked_for(historian, spec, out.report);
  if (spec.run_ids.empty()) {
    for (const plant::Run& run : runs) out.spec.run_ids.push_back(run.id);
  }
  V1Assembler assembler(historian, out.spec, out.report);
  std::int64_t windows = 0;
  const Index history = spec.window.history_steps, horizon = spec.window.horizon_steps;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    check_stop(stop);
    if (progress)
      progress({"dataset", static_cast<double>(i) / static_cast<double>(runs.size()), runs[i].id});
    auto run = assembler.run(runs[i]);
    if (!run) continue;
    windows += std::ssize(run->windows);
    out.runs.push_back(std::move(*run));
    check_windows(windows, history, horizon, limits);
  }
  if (out.runs.empty()) refuse_all(out.report);
  split_by_run(out.runs, spec.split);
  out.x = norm_of(out.runs, columns_of(spec, {}), -history, 0);
  out.u = norm_of(out.runs, columns_of(spec, Role::mv), 0, horizon);
  out.y = norm_of(out.runs, columns_of(spec, Role::cv), 0, horizon);
  if (out.u.mean.empty()) out.u = {{0}, {1}};
  for (const Part part : {Part::train, Part::val, Part::test})
    out.report.windows.of(part) = v1_windows(out, part);
  out.report.window_count = out.report.windows.sum();
  return out;
}

std::vector<FileSource> v1_files(const V1Dataset& d) {
  const auto text = [](std::string bytes) {
    return [bytes = std::move(bytes)](const Sink& sink) { sink(bytes); };
  };
  const Index history = d.spec.window.history_steps, horizon = d.spec.window.horizon_steps;
  return {{kSpecFile, text(v1_spec_text(d.spec))},
          {kManifestFile, text(v1_manifest_text(d))},
          {"arrays/x.f32", array(d, columns_of(d.spec, {}), d.x, -history, 0)},
          {"arrays/u.f32", array(d, columns_of(d.spec, Role::mv), d.u, 0, horizon)},
          {"arrays/y.f32", array(d, columns_of(d.spec, Role::cv), d.y, 0, horizon)}};
}

std::int64_t v1_array_bytes(const V1Dataset& d) {
  const auto columns = [&](std::optional<Role> role) {
    return std::ssize(columns_of(d.spec, role));
  };
  const std::int64_t future = std::max<std::int64_t>(1, columns(Role::mv)) + columns(Role::cv);
  return 4 * d.report.window_count *
         (d.spec.window.history_steps * columns({}) + d.spec.window.horizon_steps * future);
}

}  // namespace flyball::dataset
