// G1-G3: errors of the model on val and test. Per CV for the reader; the mean over CVs decides.
#include <algorithm>
#include <cmath>

#include "evaluate/bootstrap.h"
#include "evaluate/metrics.h"
#include "gates/rules.h"

namespace flyball::gates {
namespace {

bool usable(const evaluate::Score& score) {
  return score.windows > 0 && score.nrmse && *score.nrmse >= 0;
}

/// Fills a missing-evidence answer: null value, not passed.
Check without_windows(Check check, const char* part, const Case& c) {
  check.value.reset();
  check.pass = false;
  if (c.metrics == nullptr) {
    say(check, "GATE_NO_EVALUATION", {});
    return check;
  }
  const bool is_val = std::string_view(part) == "val";
  const evaluate::PartCount& count = is_val ? c.metrics->val : c.metrics->test;
  const std::int64_t windows =
      is_val ? c.metrics->one_step_val.windows : c.metrics->one_step_test.windows;
  if (const auto& points = c.metrics->operating_points; points && windows == 0) {
    say(check, "GATE_NO_POINTS", {{"part", part}, {"points", is_val ? points->val : points->test}});
  } else if (windows > 0) {
    say(check, "GATE_NOT_FINITE", {{"part", part}});
  } else {
    const auto& io = c.metrics->io_spec;
    say(check, "GATE_NO_WINDOWS",
        {{"part", part}, {"rows", count.rows}, {"steps", io.history_steps + io.horizon_steps}});
  }
  return check;
}

std::optional<double> floor_of(const Case& c, const std::string& cv) {
  const CvEvidence* evidence = find_cv(c.input, cv);
  return evidence == nullptr ? std::nullopt : evidence->noise_floor;
}

std::optional<double> mean_floor(const Case& c) {
  std::vector<double> floors;
  for (const auto& target : c.metrics->one_step_test.per_target) {
    floors.push_back(or_nan(floor_of(c, target.cv)));
  }
  return evaluate::finite_or_none(evaluate::mean_or_nan(floors));
}

/// "y3 0.212": the CV with the largest value.
std::string worst(const std::vector<CvCheck>& list) {
  const CvCheck* found = nullptr;
  for (const CvCheck& cv : list) {
    if (cv.value && (found == nullptr || *cv.value > *found->value)) found = &cv;
  }
  if (found == nullptr) return "none";
  return found->cv + " " + Message{"GATE_NUMBER", {{"value", *found->value}}}.text();
}

std::string interval_text(const std::optional<evaluate::ConfidenceInterval>& interval) {
  if (!interval) return Message{"GATE_NO_INTERVAL", {}}.text();
  return Message{"GATE_INTERVAL", {{"low", interval->low}, {"high", interval->high}}}.text();
}

}  // namespace

Check one_step_error(const Case& c) {
  Check check;
  check.threshold = c.limits.nrmse;
  if (c.metrics == nullptr || !usable(c.metrics->one_step_test)) {
    return without_windows(std::move(check), "test", c);
  }
  const evaluate::Score& score = c.metrics->one_step_test;
  for (const evaluate::CvScore& target : score.per_target) {
    check.per_cv.push_back({target.cv, target.nrmse, c.limits.nrmse, floor_of(c, target.cv),
                            target.nrmse && *target.nrmse <= c.limits.nrmse});
  }
  check.value = score.nrmse;
  check.pass = *score.nrmse <= c.limits.nrmse;
  const std::optional<double> floor = mean_floor(c);
  const std::vector<Param> params = {
      {"value", *score.nrmse},
      {"limit", c.limits.nrmse},
      {"floor", or_nan(floor)},
      {"persistence", or_nan(c.metrics->one_step_persistence_test.nrmse)},
      {"worst", worst(check.per_cv)}};
  const auto& points = c.metrics->operating_points;
  if (points && 2 * points->test_outside > points->test) {
    check.pass = false;
    say(check, "G1_POINTS_OUTSIDE", {{"outside", points->test_outside}, {"points", points->test}});
  } else if (points) {
    const bool noise = floor && *score.nrmse <= (1 + c.limits.noise_margin) * *floor;
    std::vector<Param> said = params;
    said.emplace_back("points", score.windows);
    say(check,
        check.pass ? "G1_POINTS_PASS"
        : noise    ? "G1_POINTS_NOISE"
        : floor    ? "G1_POINTS_MODEL"
                   : "G1_POINTS_UNKNOWN",
        said);
  } else if (check.pass) {
    say(check, "G1_PASS", params);
  } else if (floor && *score.nrmse <= (1 + c.limits.noise_margin) * *floor) {
    say(check, "G1_NOISE", params);
  } else if (floor) {
    say(check, "G1_MODEL", params);
  } else {
    say(check, "G1_FLOOR_UNKNOWN", params);
  }
  return check;
}

Check rollout_improvement(const Case& c) {
  Check check;
  check.threshold = c.limits.rollout_improvement;
  if (c.metrics == nullptr || !usable(c.metrics->rollout_test)) {
    return without_windows(std::move(check), "test", c);
  }
  const evaluate::Metrics& m = *c.metrics;
  if (!m.rollout_improvement || !m.persistence_nrmse) {
    say(check, "G2_NO_PERSISTENCE", {});
    return check;
  }
  check.value = m.rollout_improvement;
  check.pass = *m.rollout_improvement >= c.limits.rollout_improvement;
  say(check, check.pass ? "G2_PASS" : "G2_FAIL",
      {{"horizon", m.rollout_test.horizon, "steps"},
       {"rollout", *m.rollout_nrmse},
       {"persistence", *m.persistence_nrmse},
       {"value", *m.rollout_improvement},
       {"limit", c.limits.rollout_improvement}});
  for (std::size_t j = 0; j < m.rollout_test.per_target.size(); ++j) {
    const auto& target = m.rollout_test.per_target[j];
    const double rollout = or_nan(target.nrmse);
    const double held = or_nan(m.persistence_test.per_target[j].nrmse);
    CvCheck cv{target.cv, evaluate::finite_or_none(1 - rollout / held), 0.0,
               evaluate::finite_or_none(held), rollout <= held};
    // A level that only the noise moves cannot be predicted better than it is held.
    const std::optional<double> floor = floor_of(c, target.cv);
    if (!cv.pass && floor && held <= *floor) {
      cv.pass = true;
      say(check, "G2_CV_NOISE", {{"cv", target.cv}, {"persistence", held}, {"floor", *floor}});
    }
    if (!cv.pass) {
      check.pass = false;
      say(check, "G2_CV_WORSE",
          {{"cv", target.cv},
           {"horizon", m.rollout_test.horizon, "steps"},
           {"rollout", rollout},
           {"persistence", held}});
    }
    check.per_cv.push_back(std::move(cv));
  }
  return check;
}

Check rollout_error(const Case& c) {
  Check check;
  check.threshold = c.limits.rollout_nrmse;
  if (c.metrics == nullptr || !usable(c.metrics->rollout_test)) {
    return without_windows(std::move(check), "test", c);
  }
  const evaluate::Score& score = c.metrics->rollout_test;
  check.value = score.nrmse;
  check.pass = *score.nrmse <= c.limits.rollout_nrmse;
  for (std::size_t j = 0; j < score.per_target.size(); ++j) {
    const auto& target = score.per_target[j];
    check.per_cv.push_back({target.cv, target.nrmse, c.limits.rollout_nrmse,
                            c.metrics->persistence_test.per_target[j].nrmse,
                            target.nrmse && *target.nrmse <= c.limits.rollout_nrmse});
  }
  say(check, check.pass ? "G2_ERROR_PASS" : "G2_ERROR_FAIL",
      {{"horizon", score.horizon, "steps"},
       {"value", *score.nrmse},
       {"limit", c.limits.rollout_nrmse}});
  return check;
}

Check generalisation(const Case& c) {
  Check check;
  check.threshold = c.limits.val_test_gap;
  if (c.metrics == nullptr || !usable(c.metrics->one_step_val)) {
    return without_windows(std::move(check), "val", c);
  }
  if (!usable(c.metrics->one_step_test)) return without_windows(std::move(check), "test", c);
  const auto signed_gap = [&](double val, double test) {
    return (test - val) / std::max(c.limits.val_floor, std::abs(val));
  };
  const evaluate::Score &val = c.metrics->one_step_val, &test = c.metrics->one_step_test;
  for (std::size_t j = 0; j < test.per_target.size(); ++j) {
    const double v = or_nan(val.per_target[j].nrmse), t = or_nan(test.per_target[j].nrmse);
    const double gap = std::abs(signed_gap(v, t));
    check.per_cv.push_back({test.per_target[j].cv, evaluate::finite_or_none(gap),
                            c.limits.val_test_gap, val.per_target[j].nrmse,
                            gap <= c.limits.val_test_gap});
  }
  const double gap = signed_gap(*val.nrmse, *test.nrmse);
  check.value = std::abs(gap);
  check.pass = *check.value <= c.limits.val_test_gap;
  const evaluate::Evaluation& e = *c.input.evaluation;
  const auto interval = evaluate::bootstrap(
      e.val_residuals, e.test_residuals, e.train_std,
      {.block_steps = c.metrics->io_spec.horizon_steps, .seed = c.input.seed}, signed_gap);
  const char* code = check.pass ? "G3_PASS" : gap > 0 ? "G3_TEST_WORSE" : "G3_TEST_BETTER";
  say(check, code,
      {{"test", *test.nrmse},
       {"val", *val.nrmse},
       {"floor", c.limits.val_floor},
       {"value", *check.value},
       {"signedValue", gap},
       {"limit", c.limits.val_test_gap},
       {"interval", interval_text(interval)},
       {"low", interval ? interval->low : or_nan(std::nullopt)},
       {"high", interval ? interval->high : or_nan(std::nullopt)}});
  return check;
}

}  // namespace flyball::gates
