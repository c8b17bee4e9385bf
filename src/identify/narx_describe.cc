#include "identify/narx_describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "math/distributions.h"
#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr double kLevel = 0.01;      ///< of the test that an input has an answer
constexpr Index kSettleSteps = 600;  ///< before a step is made
constexpr Index kStepsShownMax = 300;
constexpr double kSettled = 0.02;  ///< of the last value

std::optional<double> known(double v) {
  return std::isfinite(v) ? std::optional(v) : std::nullopt;
}

std::string name_of(const TrainingData& data, Index cv, const NarxProduct& product) {
  std::string out;
  for (const model::NarxFactor& f : product) {
    const bool own = f.signal == data.nu();
    out += fmt::format("{}{}(t-{})", out.empty() ? "" : " · ",
                       data.name(own ? data.nu() + cv : static_cast<Index>(f.signal)), f.lag);
  }
  return out.empty() ? "1" : out;
}

const NarxProduct& product_of(const NarxSearch& s, std::size_t term) {
  return s.pool[static_cast<std::size_t>(s.fit.terms[term])];
}

/// Wald test that the terms which hold the input are all zero.
DeadTime answer_of(const TrainingData& data, Index input, Index cv, const NarxSearch& s) {
  DeadTime d;
  d.input = data.name(input);
  d.cv = data.name(data.nu() + cv);
  std::vector<Index> terms;
  Index first = -1;
  for (std::size_t i = 0; i < s.fit.terms.size(); ++i) {
    bool holds = false;
    for (const model::NarxFactor& f : product_of(s, i)) {
      if (f.signal != input) continue;
      holds = true;
      first = first < 0 ? static_cast<Index>(f.lag) : std::min(first, static_cast<Index>(f.lag));
    }
    if (holds) terms.push_back(static_cast<Index>(i));
  }
  if (terms.empty()) return d;
  const auto n = static_cast<Index>(terms.size());
  Vector theta(n);
  Matrix c(n, n);
  for (Index i = 0; i < n; ++i) {
    theta(i) = s.fit.theta(terms[static_cast<std::size_t>(i)]);
    for (Index j = 0; j < n; ++j)
      c(i, j) =
          s.covariance(terms[static_cast<std::size_t>(i)], terms[static_cast<std::size_t>(j)]);
  }
  if (!c.allFinite()) return d;
  c.diagonal() *= 1 + 1e-9;  // directions that count as known
  const auto solved = math::solve(c, theta);
  if (!solved || !solved->allFinite()) return d;
  const double wald = theta.dot(solved->col(0));
  d.p_value = wald > 0 ? 1 - math::chi2_cdf(wald, static_cast<double>(n)) : 1;
  d.active = d.found = d.by_test = d.p_value < kLevel;
  d.steps = d.low = d.high = first;
  d.steps_after_0 = std::max<Index>(first, 1);
  return d;
}

/// Answer to a step of one train standard deviation from rest at the train means, per unit.
StepResponse answer_to_step(const TrainingData& data, const model::PolynomialNarx& m, Index input,
                            Index cv, Index steps) {
  const Index before = m.max_lag() + kSettleSteps, ny = m.output_count();
  model::Record record{Matrix(before + steps + 1, data.nu()), Matrix(before + steps + 1, ny)};
  for (Index i = 0; i < data.nu(); ++i) record.u.col(i).setConstant(data.mean(i));
  for (Index j = 0; j < ny; ++j) record.y.col(j).setConstant(data.mean(data.nu() + j));
  model::NarxSimulator simulator(m);
  Matrix rest(before + steps + 1 - m.max_lag(), ny), moved = rest;
  const Index t = m.max_lag();
  simulator.start(record, t, t);
  simulator.rollout(record, t, t, rest.rows(), model::Future::measured, rest);
  const double size = data.std(input);
  record.u.col(input).tail(steps + 1).array() += size;
  simulator.start(record, t, t);
  simulator.rollout(record, t, t, moved.rows(), model::Future::measured, moved);
  StepResponse out;
  out.input = data.name(input);
  out.cv = data.name(data.nu() + cv);
  const Vector answer = (moved - rest).col(cv).tail(steps + 1) / size;
  out.values.assign(answer.begin(), answer.end());
  const double last = answer(steps), band = kSettled * std::abs(last);
  Index settled = steps;
  while (settled > 0 && std::abs(answer(settled - 1) - last) <= band) --settled;
  if (settled < steps - steps / 10) {
    out.gain = last;
    out.settling_steps = settled;
  }
  return out;
}

std::vector<LeaderboardRow> rows_of(const std::string& cv, const NarxSearch& s) {
  std::map<std::array<double, 6>, std::size_t> best;  // of each path, the chosen before all
  const auto key = [](const NarxCandidate& c) {
    return std::array<double, 6>{static_cast<double>(c.lags.na),     static_cast<double>(c.lags.nb),
                                 static_cast<double>(c.lags.degree), c.lags.even ? 1.0 : 0.0,
                                 static_cast<double>(c.restart),     c.ridge};
  };
  const auto better = [&](std::size_t a, std::size_t b) {
    if ((a == s.chosen) != (b == s.chosen)) return a == s.chosen;
    return s.candidates[a].pooled < s.candidates[b].pooled;
  };
  for (std::size_t i = 0; i < s.candidates.size(); ++i) {
    const auto [at, added] = best.emplace(key(s.candidates[i]), i);
    if (!added && better(i, at->second)) at->second = i;
  }
  std::vector<LeaderboardRow> rows;
  for (const auto& [path, i] : best) {
    const NarxCandidate& c = s.candidates[i];
    LeaderboardRow row;
    row.cv = cv;
    row.trainer = "polynomial_narx";
    row.order = c.lags.max_lag();
    row.parameters = c.terms - 1;
    row.score = known(c.score);
    row.one_step = known(c.one_step);
    row.free_run = known(c.free_run);
    row.loss = known(c.loss);
    row.reason = c.reason;
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, [](const LeaderboardRow& a, const LeaderboardRow& b) {
    return a.loss.value_or(HUGE_VAL) < b.loss.value_or(HUGE_VAL);
  });
  return rows;
}

void describe_cv(const NarxSearch& s, CvFinding& f) {
  const NarxCandidate& c = s.candidates[s.chosen];
  f.na = c.lags.na;
  f.nb = c.lags.nb;
  f.parameters = static_cast<std::int64_t>(s.fit.terms.size()) - 1;
  f.rows = s.fit.rows;
  f.folds = static_cast<std::int64_t>(c.folds.size());
  f.rank = static_cast<std::int64_t>(s.fit.terms.size());
  f.lambda = c.ridge;
  f.condition = f.radius = 0;
  f.differenced = false;
  f.score = known(c.score);
  f.orders.clear();
  f.parameter_names.clear();
  f.parameter_values.clear();
  f.parameter_std_errors.clear();
}

}  // namespace

model::NarxOutput narx_output(const TrainingData& data, Index cv, const NarxSearch& s,
                              double share) {
  const Index column = data.nu() + cv;
  const double margin = share * (data.high(column) - data.low(column));
  model::NarxOutput out;
  out.low = data.low(column) - margin;
  out.high = data.high(column) + margin;
  for (std::size_t i = 0; i < s.fit.terms.size(); ++i) {
    NarxProduct factors = product_of(s, i);
    for (model::NarxFactor& f : factors) f.signal = f.signal == data.nu() ? column : f.signal;
    out.terms.push_back({std::move(factors), s.fit.theta(static_cast<Index>(i))});
  }
  return out;
}

void describe_narx(const TrainingData& data, const IdentifyResult& linear,
                   const std::vector<NarxSearch>& searches, NarxResult& out) {
  constexpr std::array<std::string_view, 4> kOfData{"INPUT_CONSTANT", "MV_NOT_EXCITED",
                                                    "FEEDBACK_FOUND", "MV_COLLINEAR"};
  Findings& f = out.findings;
  f = linear.findings;
  f.dead_times.clear();
  f.step_responses.clear();
  f.warnings.clear();
  f.settling_steps = -1;
  for (const Message& w : linear.findings.warnings) {
    if (std::ranges::find(kOfData, w.code) != kOfData.end()) f.warnings.push_back(w);
  }
  const Index steps = std::min(5 * out.horizon, kStepsShownMax);
  for (Index m = 0; m < data.nu(); ++m) {
    bool answered = false;
    for (Index j = 0; j < data.ny(); ++j) {
      f.dead_times.push_back(answer_of(data, m, j, searches[static_cast<std::size_t>(j)]));
      if (!f.dead_times.back().found) continue;
      answered = true;
      f.step_responses.push_back(answer_to_step(data, out.model, m, j, steps));
      f.settling_steps = std::max(f.settling_steps, f.step_responses.back().settling_steps);
    }
    Excitation& e = f.excitation[static_cast<std::size_t>(m)];
    const bool moved = !e.constant && !(e.mv && !e.excited);
    if (!moved) continue;
    e.left_out = !answered;
    e.reason = answered ? "" : "no CV answers";
    if (!answered)
      f.warnings.push_back(
          {"INPUT_NO_ANSWER", {{"input", e.input}, {"range", f.dead_time_max, "steps"}}});
  }
  for (std::size_t j = 0; j < searches.size(); ++j) {
    const NarxSearch& s = searches[j];
    describe_cv(s, f.cvs[j]);
    const std::string& cv = data.outputs[j];
    if (s.held > 0)
      f.warnings.push_back({"NARX_BOUND_ACTS", {{"cv", cv}, {"share", 100 * s.held, "%"}}});
    for (std::size_t i = 0; i < s.fit.terms.size(); ++i) {
      const auto at = static_cast<Index>(i);
      out.terms.push_back({cv, name_of(data, static_cast<Index>(j), product_of(s, i)),
                           s.fit.theta(at), std::sqrt(std::max(0.0, s.covariance(at, at))),
                           s.fit.err[i]});
    }
    for (LeaderboardRow& row : rows_of(cv, s)) out.leaderboard.push_back(std::move(row));
  }
}

}  // namespace flyball::identify
