// A model that runs away is useful to nobody, whatever its one-step error.
#include <algorithm>

#include "evaluate/artifact.h"
#include "gates/rules.h"

namespace flyball::gates {
namespace {

constexpr double kMargin = 1e-6;    // ρ(A) < 1 − kMargin
constexpr double kNearOne = 0.999;  // above it a longer beat is proposed

void check_radius(const Case& c, Check& check) {
  if (c.input.kind != ArtifactKind::linear_state_space) return;
  check.threshold = 1 - kMargin;
  const auto found =
      evaluate::inspect_artifact(enum_name(c.input.kind), c.input.model_json, nullptr);
  check.value = found.spectral_radius;
  if (!found.spectral_radius) {
    check.pass = false;
    say(check, "STABLE_RADIUS_UNKNOWN", {});
  } else if (!(*found.spectral_radius < 1 - kMargin)) {
    check.pass = false;
    say(check, "STABLE_RADIUS", {{"value", *found.spectral_radius}, {"limit", 1 - kMargin}});
  } else if (*found.spectral_radius > kNearOne) {
    say(check, "STABLE_NEAR_ONE", {{"value", *found.spectral_radius}, {"limit", kNearOne}});
  }
}

/// A record that was taken in a loop and stayed bounded contradicts a model that says otherwise.
void check_loops(const Case& c, Check& check) {
  for (const LoopEvidence& loop : c.input.loops) {
    const bool settles = loop.radius < 1 - kMargin;
    check.pass = check.pass && settles;
    say(check,
        settles               ? loop.gain_margin ? "STABLE_LOOP" : "STABLE_LOOP_ANY_GAIN"
        : loop.record_in_loop ? "STABLE_LOOP_CONTRADICTED"
        : loop.gain_margin    ? "STABLE_LOOP_UNSTABLE"
                              : "STABLE_LOOP_NO_GAIN",
        {{"mv", loop.mv},
         {"cv", loop.cv},
         {"value", loop.radius},
         {"margin", or_nan(loop.gain_margin)}});
  }
}

void check_excursions(const Case& c, Check& check) {
  for (const evaluate::Excursion& e : c.metrics->excursions) {
    if (e.free_run && *e.free_run <= c.limits.max_excursion) continue;
    check.pass = false;
    say(check, e.free_run ? "STABLE_FREE_RUN" : "STABLE_FREE_RUN_UNKNOWN",
        {{"cv", e.cv}, {"value", or_nan(e.free_run)}, {"limit", c.limits.max_excursion}});
  }
  for (const evaluate::StepAnswer& s : c.metrics->step_answers) {
    if (s.excursion && *s.excursion <= c.limits.max_excursion) continue;
    check.pass = false;
    say(check, s.excursion ? "STABLE_STEP" : "STABLE_STEP_UNKNOWN",
        {{"mv", s.mv},
         {"cv", s.cv},
         {"steps", s.steps, "steps"},
         {"value", or_nan(s.excursion)},
         {"limit", c.limits.max_excursion}});
  }
}

void check_fit(const Case& c, Check& check) {
  const evaluate::Metrics& m = *c.metrics;
  for (const std::string& id : m.io_spec.cvs) {
    const CvEvidence* cv = find_cv(c.input, id);
    const bool is_change = cv != nullptr && (cv->integrating || cv->integrated_disturbance);
    std::optional<double> percent;
    for (const auto& f : m.free_run_fit) {
      if (!is_change && f.cv == id && f.block == dataset::Part::test) percent = f.percent;
    }
    for (const auto& f : m.change_fit) {
      if (is_change && f.cv == id && f.block == dataset::Part::test) percent = f.percent;
    }
    if (percent && *percent >= c.limits.min_fit) continue;
    check.pass = false;
    const char* code = !percent    ? "STABLE_FIT_UNKNOWN"
                       : is_change ? "STABLE_CHANGE_FIT"
                                   : "STABLE_FIT";
    say(check, code,
        {{"cv", id},
         {"value", or_nan(percent), "%"},
         {"limit", c.limits.min_fit, "%"},
         {"horizon", m.io_spec.horizon_steps, "steps"}});
  }
}

}  // namespace

Check stable(const Case& c) {
  Check check;
  check.pass = true;
  if (c.metrics == nullptr) {
    check.pass = false;
    say(check, "GATE_NO_EVALUATION", {});
    return check;
  }
  check_radius(c, check);
  const evaluate::IoSpec& io = c.metrics->io_spec;
  if (io.cvs.empty() || c.metrics->excursions.size() != io.cvs.size() ||
      c.metrics->step_answers.size() != io.mvs.size() * io.cvs.size()) {
    check.pass = false;
    say(check, "STABLE_UNKNOWN", {});
  }
  check_loops(c, check);
  check_excursions(c, check);
  check_fit(c, check);
  if (check.pass) {
    double largest = 0;
    for (const auto& e : c.metrics->excursions) largest = std::max(largest, *e.free_run);
    for (const auto& s : c.metrics->step_answers) largest = std::max(largest, *s.excursion);
    const bool linear = c.input.kind == ArtifactKind::linear_state_space;
    say(check, linear ? "STABLE_PASS" : "STABLE_PASS_NONLINEAR",
        {{"radius", or_nan(check.value)},
         {"excursion", largest},
         {"limit", c.limits.max_excursion}});
  }
  return check;
}

}  // namespace flyball::gates
