// tests plan: rough pairs and limits in, a file of set values and what to expect of it out.
#include <charconv>
#include <cmath>
#include <filesystem>

#include "app/app.h"
#include "app/records.h"
#include "core/error.h"
#include "evaluate/load_model.h"
#include "plan/plan.h"
#include "store/files.h"

namespace flyball::app {
namespace {

constexpr Index kStepsMost = 3000;
constexpr double kBegun = 0.02, kRisen = 0.632, kSettled = 0.01;

/// "NAME=1,2,3" with `least` to `most` numbers.
struct Named {
  std::string name;
  std::vector<double> values;
};

Named read_named(const std::string& text, std::size_t least, std::size_t most, const char* expected,
                 const char* field) {
  const auto bad = [&] {
    return Error("PLAN_TEXT", {{"text", text}, {"expected", expected}}, std::string("/") + field);
  };
  const auto equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) throw bad();
  Named out{text.substr(0, equals), {}};
  const char *at = text.data() + equals + 1, *end = text.data() + text.size();
  while (at < end) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !std::isfinite(value) || (next != end && *next != ',')) throw bad();
    out.values.push_back(value);
    at = next == end ? end : next + 1;
  }
  if (text.back() == ',' || out.values.size() < least || out.values.size() > most) throw bad();
  return out;
}

/// An answer that rises evenly at its end is that of a level: its rate, and the time at which the
/// line through its end starts as dead time. Otherwise no pair.
std::optional<plan::Pair> level_pair(const Vector& answer, double beat) {
  const Index n = answer.size(), tenth = n / 10;
  const double last = answer(n - 1) - answer(n - 1 - tenth);
  const double before = answer(n - 1 - tenth) - answer(n - 1 - 2 * tenth);
  if (std::abs(last - before) > kSettled * std::abs(last)) return std::nullopt;
  const double per_step = last / static_cast<double>(tenth);
  const double begins = static_cast<double>(n - 1) - answer(n - 1) / per_step;
  return plan::Pair{"", "", per_step / beat, 0, std::max(0.0, begins) * beat, true};
}

/// Rough first-order lags of a model: gain, dead time to 2 % and rise to 63 % of its answers; of a
/// level, its rate.
void add_pairs(const evaluate::LoadedModel& model, plan::Request& r) {
  const double beat = model.beat_ms / 1000;
  std::vector<std::string> mvs, cvs;
  for (const model::ArtifactVariable& v : model.variables) {
    (v.role == "cv" ? cvs : mvs).push_back(v.id);
  }
  const auto nu = static_cast<Index>(mvs.size()), ny = static_cast<Index>(cvs.size());
  const Index rows = model.history + kStepsMost;
  model::Record record{Matrix::Zero(rows, nu), Matrix::Constant(rows, ny, std::nan(""))};
  for (Index i = 0; i < nu; ++i) {
    record.u.col(i).setConstant(model.variables[static_cast<std::size_t>(i)].mean);
  }
  for (Index j = 0; j < ny; ++j) {
    record.y.col(j)
        .head(model.history)
        .setConstant(model.variables[static_cast<std::size_t>(nu + j)].mean);
  }
  Matrix base(kStepsMost, ny), moved(kStepsMost, ny);
  model.predict(record, model.history, kStepsMost, base);
  for (const plan::Mv& mv : r.mvs) {
    const auto column = std::ranges::find(mvs, mv.name) - mvs.begin();
    if (column == nu) continue;
    model::Record stepped = record;
    stepped.u.col(column).tail(kStepsMost).array() += 1;
    model.predict(stepped, model.history, kStepsMost, moved);
    for (const plan::Cv& cv : r.cvs) {
      const auto row = std::ranges::find(cvs, cv.name) - cvs.begin();
      const bool given = std::ranges::any_of(
          r.pairs, [&](const plan::Pair& p) { return p.mv == mv.name && p.cv == cv.name; });
      if (row == ny || given) continue;
      const Vector answer = moved.col(row) - base.col(row);
      const double gain = answer(kStepsMost - 1);
      if (std::abs(gain) < 1e-12 * (1 + std::abs(base(0, row)))) continue;
      if (std::abs(gain - answer(9 * kStepsMost / 10)) > kSettled * std::abs(gain)) {
        std::optional<plan::Pair> pair = level_pair(answer, beat);
        if (!pair) throw Error("PLAN_MODEL_UNSETTLED", {{"mv", mv.name}, {"cv", cv.name}});
        pair->mv = mv.name;
        pair->cv = cv.name;
        r.pairs.push_back(*pair);
        continue;
      }
      const auto first = [&](double share) {
        Index k = 0;
        while (std::abs(answer(k)) < share * std::abs(gain)) ++k;
        return static_cast<double>(k);
      };
      const double theta = std::max(0.0, first(kBegun) - 1);
      r.pairs.push_back(
          {mv.name, cv.name, gain, std::max(first(kRisen) - theta, 0.5) * beat, theta * beat});
    }
  }
}

plan::Request read_request(const StepTestRequest& request, registry::Registry* registry) {
  plan::Request r;
  for (const std::string& text : request.mv) {
    const Named n = read_named(text, 3, 4, "NAME=NOW,LOW,HIGH[,MAXMOVE]", "mv");
    plan::Mv mv{n.name, n.values[0], n.values[1], n.values[2], {}};
    if (n.values.size() == 4) mv.max_move = n.values[3];
    r.mvs.push_back(std::move(mv));
  }
  for (const std::string& text : request.cv) {
    const Named n = read_named(text, 4, 4, "NAME=NOW,LOW,HIGH,NOISE", "cv");
    r.cvs.push_back({n.name, n.values[0], n.values[1], n.values[2], n.values[3]});
  }
  for (const std::string& text : request.pair) {
    constexpr const char* kExpected = "MV:CV=GAIN,TAU,THETA, or MV:CV=RATE,THETA of a level";
    const Named n = read_named(text, 2, 3, kExpected, "pair");
    const auto colon = n.name.find(':');
    if (colon == std::string::npos) {
      throw Error("PLAN_TEXT", {{"text", text}, {"expected", kExpected}}, "/pair");
    }
    const bool level = n.values.size() == 2;
    r.pairs.push_back({n.name.substr(0, colon), n.name.substr(colon + 1), n.values[0],
                       level ? 0 : n.values[1], n.values.back(), level});
  }
  std::optional<double> beat;
  if (request.beat) beat = static_cast<double>(*request.beat) / 1e6;
  if (registry != nullptr) {
    const registry::ModelRow row = registry->model(*request.model);
    const evaluate::LoadedModel model =
        evaluate::load_model(row.artifact_kind, registry->model_file(row, "model.json"));
    add_pairs(model, r);
    if (!beat) beat = model.beat_ms / 1000;
  }
  if (!beat) throw Error("PLAN_BEAT", {}, "/beat");
  r.beat = *beat;
  r.precision = request.precision;
  if (request.steps) r.steps = *request.steps;
  r.seed = static_cast<std::uint32_t>(request.seed);
  return r;
}

}  // namespace

StepTestResponse App::plan_step_test(const StepTestRequest& request, const Call& call) {
  const plan::Request r = read_request(request, request.model ? &records().registry : nullptr);
  const plan::Plan p = plan::plan(r);
  StepTestResponse out;
  out.file = request.out.value_or("step-test.csv");
  out.steps = p.moves.rows();
  out.duration = static_cast<double>(p.moves.rows()) * r.beat;
  out.switch_steps = p.switch_steps;
  out.settling_steps = p.settling_steps;
  out.correlation = p.correlation;
  out.precision_reached = p.reached;
  for (std::size_t m = 0; m < r.mvs.size(); ++m) {
    const auto u = p.moves.col(static_cast<Index>(m));
    std::int64_t moves = 1;
    for (Index t = 1; t < u.size(); ++t) moves += u(t) != u(t - 1) ? 1 : 0;
    out.moves.push_back({r.mvs[m].name, r.mvs[m].now, p.amplitudes[m], moves});
  }
  for (std::size_t j = 0; j < r.cvs.size(); ++j) {
    const plan::Excursion& e = p.excursions[j];
    out.answers.push_back({e.cv, e.lowest, e.highest, r.cvs[j].low, r.cvs[j].high, e.bound});
  }
  for (const plan::Precision& g : p.precisions) {
    out.gains.push_back({g.mv, g.cv, g.gain, g.std_error, g.std_error / std::abs(g.gain)});
  }
  out.note = Message{"PLAN_NOTE", {}}.text();
  if (p.shortest) {
    out.note += ' ' + Message{"PLAN_SHORTEST",
                              {{"steps", std::int64_t{p.moves.rows()}}, {"precision", r.precision}}}
                          .text();
  }
  if (call.remote) {
    out.csv = plan::to_csv(r, p);
  } else {
    store::write_file(out.file, plan::to_csv(r, p));
  }
  return out;
}

}  // namespace flyball::app
