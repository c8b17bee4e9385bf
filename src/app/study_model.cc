#include "app/study_model.h"

#include <algorithm>
#include <cmath>

namespace flyball::app {

std::vector<model::ArtifactVariable> file_variables(const dataset::Dataset& data) {
  std::vector<model::ArtifactVariable> out;
  for (const dataset::Role role : {dataset::Role::mv, dataset::Role::dv, dataset::Role::cv}) {
    for (const Index column : data.columns(role)) {
      const auto c = static_cast<std::size_t>(column);
      const dataset::Variable& v = data.spec.variables[c];
      out.push_back({v.id, std::string(enum_name(role)), v.model_unit, data.norm.mean[c],
                     data.norm.std[c], data.norm.min[c], data.norm.max[c], v.transport});
    }
  }
  return out;
}

ModelFile linear_file(const FileContext& context, const identify::IdentifyResult& found,
                      std::string_view trainer_version) {
  model::Artifact a;
  fill_head(context, found.history, found.horizon, trainer_version, a);
  for (const auto& d : found.findings.dead_times) {
    if (d.found) a.dead_times.push_back({d.input, d.cv, d.steps, d.low, d.high});
  }
  for (const auto& cv : found.findings.cvs) {
    a.fits.push_back({cv.cv, cv.na, cv.nb, cv.lambda, cv.differenced, cv.integrating,
                      cv.parameter_names, cv.parameter_values, cv.parameter_std_errors});
  }
  model::pack(found.model, a);
  return {model::write_artifact(a), model::artifact_hash(a)};
}

/// The moves of the set-point tell every gain of the MV.
static bool told_by_set_point(const identify::Findings& findings, const std::string& mv) {
  bool any = false;
  for (const auto& g : findings.loop_gains) {
    if (g.mv != mv) continue;
    if (!g.instrumental || !g.sign_known) return false;
    any = true;
  }
  return any;
}

Index settling_steps(const identify::Findings& findings) {
  Index most = 0;
  for (const auto& s : findings.step_responses) {
    if (s.settling_steps < 0) return 0;
    most = std::max<Index>(most, s.settling_steps);
  }
  return most;
}

/// Of the largest answer: a gain known to be next to nothing.
static constexpr double kNarrow = 0.5;
/// Of a time constant, the least train part in which a gain can be seen.
static constexpr double kSeenTimes = 3;

/// Time constant of an answer, in steps, from how far it comes in the steps that are shown; none
/// when it settles there or overshoots.
static std::optional<double> time_constant(const identify::StepResponse& s) {
  const double share = s.values.back() / *s.gain;
  if (!(share > 0 && share < 0.63)) return std::nullopt;
  return -static_cast<double>(s.values.size() - 1) / std::log1p(-share);
}

/// Gain of a pair of the model with its 95 % range. A level is judged on bounded horizons: its mean
/// rate over the answer, not the rate that it would have for ever.
static void judge_gain(const identify::StepResponse& s, std::int64_t train_rows,
                       gates::PairEvidence& pair) {
  if (s.values.size() < 2 || s.standard_errors.size() != s.values.size()) return;
  double value = 0, error = 0;
  if (s.gain && s.gain_std_error) {
    value = *s.gain;
    error = *s.gain_std_error;
  } else if (s.rate) {
    const auto steps = static_cast<double>(s.values.size() - 1);
    value = s.values.back() / steps;
    error = s.standard_errors.back() / steps;
  } else {
    return;
  }
  double largest = 0;
  for (const double v : s.values) largest = std::max(largest, std::abs(v));
  const double half = 1.96 * error;
  pair.gain = value;
  pair.gain_low = value - half;
  pair.gain_high = value + half;
  pair.gain_known = half < std::abs(value) || (s.gain && half <= kNarrow * largest);
  const auto constant = s.gain ? time_constant(s) : std::nullopt;
  if (!constant || kSeenTimes * *constant <= static_cast<double>(train_rows)) return;
  pair.unseen_steps = constant;
  pair.gain_known = false;
}

void fill_evidence(const identify::Findings& findings, gates::GateInput& input) {
  for (const auto& x : findings.excitation) {
    if (findings.is_set_point(x.input)) continue;
    gates::InputEvidence e{x.input, x.mv, x.excited, x.moves, x.left_out, false};
    for (const auto& f : findings.feedback) {
      if (f.mv != x.input) continue;
      e.computed_from_cvs = f.computed_from_cvs && !told_by_set_point(findings, f.mv);
      e.loop_cv = f.cv;
      e.mv_move = f.mv_move;
      e.cv_move = f.cv_move;
    }
    input.inputs.push_back(std::move(e));
  }
  for (const auto& d : findings.dead_times) {
    gates::PairEvidence pair{d.input, d.cv, d.found ? std::optional(d.steps) : std::nullopt};
    for (const auto& g : findings.loop_gains) {
      if (g.mv == d.input && g.cv == d.cv) pair.sign_known = g.sign_known;
    }
    for (const auto& answer : findings.step_responses) {
      if (d.found && answer.input == d.input && answer.cv == d.cv)
        judge_gain(answer, findings.train_rows, pair);
    }
    input.pairs.push_back(std::move(pair));
  }
  for (const auto& c : findings.collinear) {
    const auto left_out = [&](const std::string& name) {
      const auto e = std::ranges::find(findings.excitation, name, &identify::Excitation::input);
      return e != findings.excitation.end() && e->left_out;
    };
    const bool both_in = !left_out(c.mv);
    if (!c.unseparable || (both_in && std::ranges::any_of(c.others, left_out))) continue;
    const auto kept = std::ranges::find_if_not(c.others, left_out);
    gates::TogetherEvidence t{c.mv, kept == c.others.end() ? c.with : *kept};
    t.both_in = both_in;
    input.together.push_back(std::move(t));
  }
  for (const auto& l : findings.declared_loops) {
    input.loops.push_back({l.mv, l.cv, l.radius, l.gain_margin, l.record_in_loop});
  }
  for (const auto& p : findings.priors) {
    input.priors.push_back({p.prior, std::string(enum_name(p.status)), p.estimate, p.low, p.high,
                            p.quantity == identify::PriorQuantity::gain ? "" : "s", p.input, p.cv});
  }
  for (const auto& cv : findings.cvs)
    input.cvs.push_back(
        {cv.cv, cv.integrating, cv.differenced, cv.noise_floor, cv.settles_by_itself});
}

void fill_moves(const std::vector<diagnose::SeparatingMove>& moves, gates::GateInput& input) {
  for (gates::TogetherEvidence& t : input.together) {
    const auto move = std::ranges::find(moves, t.left_out, &diagnose::SeparatingMove::mv);
    if (move == moves.end()) continue;
    t.step = move->step;
    t.steps = move->steps;
    t.moves = move->moves;
  }
}

report::DeadTime dead_time_entry(const identify::DeadTime& d) {
  report::DeadTime out{d.input, d.cv, std::nullopt, std::nullopt, std::nullopt, ""};
  if (!d.active) {
    out.note = Message{"DEAD_TIME_NONE", {{"p", d.p_value}}}.text();
    return out;
  }
  if (!d.found) {
    out.note = Message{"DEAD_TIME_EDGE", {{"steps", d.steps}}}.text();
    return out;
  }
  out.steps = d.steps;
  out.low = d.low;
  out.high = d.high;
  if (d.feed_through)
    out.note = Message{"DEAD_TIME_FEED_THROUGH", {{"steps", d.steps_after_0}}}.text();
  return out;
}

}  // namespace flyball::app
