#include "identify/static_response.h"

#include <algorithm>
#include <array>

#include "core/checks.h"
#include "identify/static_parts.h"

namespace flyball::identify {
namespace {

/// Of the catalogue, for the reasons that the search of segments counts.
std::string reason_code(std::string_view reason) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> codes{
      {{"moves", "STATIC_REASON_MOVES"},
       {"short", "STATIC_REASON_SHORT"},
       {"drifts", "STATIC_REASON_DRIFTS"},
       {"varies", "STATIC_REASON_VARIES"},
       {"shared", "STATIC_REASON_SHARED"},
       {"missing", "STATIC_REASON_MISSING"}}};
  const auto at =
      std::ranges::find(codes, reason, &std::pair<std::string_view, std::string_view>::first);
  return std::string(at->second);
}

using dataset::Part;

std::vector<std::string> cv_names(const dataset::Dataset& data) {
  std::vector<std::string> out;
  for (const Index c : data.columns(dataset::Role::cv))
    out.push_back(data.spec.variables[static_cast<std::size_t>(c)].id);
  return out;
}

std::string refused_text(const std::vector<dataset::SteadyRefusal>& refused) {
  std::int64_t holds = 0;
  const dataset::SteadyRefusal* most = nullptr;
  for (const auto& r : refused) {
    if (r.part != Part::train) continue;
    holds += r.holds;
    if (most == nullptr || r.holds > most->holds) most = &r;
  }
  if (most == nullptr) return Message{"STATIC_REFUSED_NONE", {}}.text();
  return Message{
      "STATIC_REFUSED",
      {{"holds", holds},
       {"most", most->holds},
       {"reason", Message{reason_code(most->reason), {{"variable", most->variable}}}.text()}}}
      .text();
}

/// Throws when there is nothing that a surface could be fitted to.
void check_points(const PointTable& points, const StaticFindings& f,
                  const std::vector<std::string>& cvs) {
  const auto n = static_cast<std::int64_t>(points.u.rows());
  const auto parameters =
      1 + static_cast<std::size_t>(std::ranges::count(f.inputs, false, &StaticInput::left_out));
  const std::int64_t needed = statics::points_needed(std::max<std::size_t>(parameters, 2));
  if (n < needed) {
    throw Error("STATIC_TOO_FEW", {{"points", n},
                                   {"needed", needed},
                                   {"missing", needed - n},
                                   {"inputs", f.inputs.size()},
                                   {"refused", refused_text(f.refused)}});
  }
  const auto mvs = std::ranges::count(f.inputs, true, &StaticInput::mv);
  if (std::ranges::none_of(f.inputs, [](const StaticInput& i) { return i.mv && !i.left_out; }))
    throw Error("MVS_CONSTANT", {{"count", static_cast<std::int64_t>(mvs)}});
  for (Index j = 0; j < points.y.cols(); ++j) {
    if (dataset::is_constant(points.y.col(j).minCoeff(), points.y.col(j).maxCoeff()))
      throw Error("STATIC_CV_CONSTANT", {{"cv", cvs[static_cast<std::size_t>(j)]}, {"points", n}});
  }
}

model::StaticResponse empty_model(const dataset::OperatingPoints& points, const PointTable& table,
                                  const std::vector<StaticInput>& inputs) {
  model::StaticResponse m;
  m.mean = table.mean;
  m.scale = table.scale;
  m.low = table.u.colwise().minCoeff().transpose();
  m.high = table.u.colwise().maxCoeff().transpose();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].left_out) continue;
    // A setting that never changed is compared with the noise it was measured with.
    const auto t =
        std::ranges::find(points.rule.tolerances, inputs[i].input, &dataset::SteadyTolerance::id);
    const double slack = t == points.rule.tolerances.end() ? 0 : std::max(t->drift, t->spread);
    m.low(static_cast<Index>(i)) -= slack;
    m.high(static_cast<Index>(i)) += slack;
  }
  return m;
}

void warn_of(const StaticCv& cv, std::vector<Message>& warnings) {
  if (cv.lack_of_fit.p_value && *cv.lack_of_fit.p_value < 0.05)
    warnings.push_back({"STATIC_LACK_OF_FIT",
                        {{"cv", cv.cv}, {"p", *cv.lack_of_fit.p_value}, {"basis", cv.basis}}});
  for (const LeveragePoint& p : cv.high_leverage) {
    if (p.leverage > 0.9) {
      warnings.push_back(
          {"STATIC_HANGS_ON",
           {{"cv", cv.cv}, {"run", p.run}, {"row", p.first_step + 1}, {"leverage", p.leverage}}});
      break;
    }
  }
}

}  // namespace

StaticResult identify_static(const dataset::Dataset& data, const dataset::OperatingPoints& points,
                             const ProgressFn& progress, std::stop_token stop) {
  StaticResult out;
  StaticFindings& f = out.findings;
  f.rule = points.rule;
  f.refused = points.refused;
  f.train_points = static_cast<std::int64_t>(points.part(Part::train).size());
  f.val_points = static_cast<std::int64_t>(points.part(Part::val).size());
  f.test_points = static_cast<std::int64_t>(points.part(Part::test).size());
  const PointTable table = point_table(data, points, f.inputs);
  const std::vector<std::string> cvs = cv_names(data);
  check_points(table, f, cvs);
  statics::judge_inputs(table, f.inputs, f.warnings);
  out.model = empty_model(points, table, f.inputs);
  const auto bases = statics::bases_of(f.inputs);
  std::vector<model::Surface> surfaces;
  for (std::size_t j = 0; j < cvs.size(); ++j) {
    check_stop(stop);
    if (progress)
      progress({"identify", static_cast<double>(j) / static_cast<double>(cvs.size()), cvs[j]});
    const auto choice = statics::choose(table, static_cast<Index>(j), cvs[j], bases, f.candidates);
    model::Surface surface;
    f.cvs.push_back(statics::describe(table, points, static_cast<Index>(j), cvs[j], f.inputs,
                                      choice, out.model, surface));
    surfaces.push_back(std::move(surface));
    warn_of(f.cvs.back(), f.warnings);
  }
  out.model.surfaces = std::move(surfaces);
  model::check(out.model);
  return out;
}

Json to_json(const StaticFindings& f) {
  Json out = Json::object();
  out["rule"] = to_json_value(f.rule);
  out["trainPoints"] = f.train_points;
  out["valPoints"] = f.val_points;
  out["testPoints"] = f.test_points;
  out["refused"] = to_json_value(f.refused);
  out["inputs"] = to_json_value(f.inputs);
  out["candidates"] = to_json_value(f.candidates);
  out["cvs"] = to_json_value(f.cvs);
  return out;
}

}  // namespace flyball::identify
