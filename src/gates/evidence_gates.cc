// G4, G5, informative and sealed: is there enough evidence, and is it what it claims to be?
#include <algorithm>
#include <set>

#include "evaluate/artifact.h"
#include "gates/rules.h"

namespace flyball::gates {

namespace {

/// Of a static model (decisions.md §2, Windows are not evidence).
constexpr std::int64_t kFewestPoints = 10, kPointsPerParameter = 3;

}  // namespace

Check coverage(const Case& c, bool parts_suffice) {
  Check check;
  check.threshold = static_cast<double>(c.limits.min_rows);
  if (c.metrics == nullptr) {
    say(check, "GATE_NO_EVALUATION", {});
    return check;
  }
  const evaluate::Metrics& m = *c.metrics;
  std::set<std::string> runs;
  for (const auto* part : {&m.train, &m.val, &m.test})
    runs.insert(part->runs.begin(), part->runs.end());
  const auto run_count = static_cast<std::int64_t>(runs.size());
  const bool all_parts = m.train.rows > 0 && m.val.rows > 0 && m.test.rows > 0;
  const bool enough_rows = m.row_count >= c.limits.min_rows;
  const bool enough_runs = run_count >= c.limits.min_runs || (parts_suffice && all_parts);
  check.value = static_cast<double>(m.row_count);
  check.pass = enough_rows && enough_runs;
  const std::vector<Param> params = {{"rows", m.row_count},
                                     {"limit", c.limits.min_rows},
                                     {"more", c.limits.min_rows - m.row_count},
                                     {"runs", run_count},
                                     {"runLimit", c.limits.min_runs},
                                     {"train", m.train.rows},
                                     {"val", m.val.rows},
                                     {"test", m.test.rows}};
  if (const auto& points = m.operating_points) {
    const std::int64_t needed = std::max(kFewestPoints, kPointsPerParameter * points->parameters);
    const std::vector<Param> counts = {{"points", points->count()},
                                       {"needed", needed},
                                       {"more", needed - points->count()},
                                       {"rows", m.row_count},
                                       {"limit", c.limits.min_rows},
                                       {"train", points->train},
                                       {"val", points->val},
                                       {"test", points->test}};
    if (points->count() < needed) {
      check.pass = false;
      say(check, "G4_POINTS_FEW", counts);
    }
    if (check.pass) {
      say(check, "G4_POINTS_PASS", counts);
      return check;
    }
  }
  if (check.pass) say(check, "G4_PASS", params);
  if (!enough_rows) say(check, "G4_ROWS", params);
  if (!enough_runs) say(check, parts_suffice ? "G4_PARTS" : "G4_RUNS", params);
  return check;
}

Check artifact(const Case& c) {
  Check check;
  check.threshold = 1;
  if (c.input.model_json.empty()) {
    say(check, "G5_EMPTY", {});
    return check;
  }
  const evaluate::ArtifactInspection found =
      evaluate::inspect_artifact(enum_name(c.input.kind), c.input.model_json,
                                 c.metrics == nullptr ? nullptr : &c.metrics->io_spec);
  check.pass = !found.problem;
  check.value = check.pass ? 1 : 0;
  if (found.problem) {
    check.reasons.push_back(words(*found.problem));
  } else {
    say(check, "G5_PASS", {{"bytes", c.input.model_json.size(), "bytes"}});
  }
  return check;
}

namespace {

/// Says which gains of MVs in loops may have either sign.
bool signs_known(const Case& c, Check& check) {
  bool known = true;
  for (const PairEvidence& pair : c.input.pairs) {
    if (pair.sign_known) continue;
    known = false;
    const auto input = std::ranges::find(c.input.inputs, pair.input, &InputEvidence::id);
    if (input == c.input.inputs.end() || input->computed_from_cvs) continue;
    say(check, "INFORMATIVE_SIGN",
        {{"mv", pair.input},
         {"cv", pair.cv},
         {"cvMove", input->cv_move},
         {"mvMove", input->mv_move}});
  }
  return known;
}

/// Inputs of the model whose gain on the CV is known, MVs where it has any.
bool keeps_a_gain(const Case& c, const std::string& cv) {
  bool mv_known = false, dv_known = false, mv_any = false;
  for (const PairEvidence& pair : c.input.pairs) {
    const auto input = std::ranges::find(c.input.inputs, pair.input, &InputEvidence::id);
    if (pair.cv != cv || !pair.dead_time_steps || input == c.input.inputs.end() || input->left_out)
      continue;
    mv_any = mv_any || input->is_mv;
    (input->is_mv ? mv_known : dv_known) |= pair.gain_known;
  }
  return mv_any ? mv_known : dv_known;
}

/// Lists the gains that are not known; false when a CV keeps none.
bool gains_known(const Case& c, Check& check) {
  for (const PairEvidence& pair : c.input.pairs) {
    if (pair.gain_known || !pair.gain) continue;
    if (pair.unseen_steps) {
      say(check, "INFORMATIVE_UNSEEN",
          {{"input", pair.input},
           {"cv", pair.cv},
           {"gain", *pair.gain},
           {"steps", *pair.unseen_steps, "steps"}});
      continue;
    }
    say(check, "INFORMATIVE_GAIN",
        {{"input", pair.input},
         {"cv", pair.cv},
         {"gain", *pair.gain},
         {"low", or_nan(pair.gain_low)},
         {"high", or_nan(pair.gain_high)}});
  }
  return std::ranges::all_of(c.input.cvs, [&](const CvEvidence& cv) {
    const bool any = std::ranges::any_of(c.input.pairs, [&](const PairEvidence& pair) {
      return pair.cv == cv.id && pair.dead_time_steps && !pair.gain_known;
    });
    return !any || keeps_a_gain(c, cv.id);
  });
}

void say_together(const Case& c, Check& check) {
  for (const TogetherEvidence& t : c.input.together) {
    const std::vector<Param> params = {{"input", t.left_out},
                                       {"kept", t.kept},
                                       {"step", t.step},
                                       {"steps", t.steps},
                                       {"moves", t.moves}};
    if (t.both_in) {
      say(check, "INFORMATIVE_TOGETHER_BOTH", params);
      continue;
    }
    say(check, t.steps > 0 ? "INFORMATIVE_TOGETHER_MOVE" : "INFORMATIVE_TOGETHER", params);
  }
}

bool together(const Case& c, const std::string& input) {
  return std::ranges::count(c.input.together, input, &TogetherEvidence::left_out) > 0;
}

}  // namespace

Check informative(const Case& c) {
  Check check;
  check.threshold = static_cast<double>(c.input.cvs.size());
  if (c.input.cvs.empty() || c.input.inputs.empty()) {
    check.threshold.reset();
    say(check, "INFORMATIVE_UNKNOWN", {});
    return check;
  }
  std::int64_t answered = 0;
  bool fed_back = false;
  for (const InputEvidence& input : c.input.inputs) {
    if (!input.computed_from_cvs) continue;
    fed_back = true;
    if (input.loop_cv.empty() || !(input.mv_move > 0)) {
      say(check, "INFORMATIVE_FEEDBACK", {{"mv", input.id}});
    } else {
      say(check, "INFORMATIVE_FEEDBACK_MOVE",
          {{"mv", input.id},
           {"cv", input.loop_cv},
           {"cvMove", input.cv_move},
           {"mvMove", input.mv_move}});
    }
  }
  const bool signs = signs_known(c, check);
  say_together(c, check);
  const bool gains = gains_known(c, check);
  bool levels = true;
  for (const CvEvidence& cv : c.input.cvs) {
    if (!cv.settles_by_itself) continue;
    levels = false;
    say(check, "INFORMATIVE_NO_LEVEL", {{"cv", cv.id}});
  }
  for (const CvEvidence& cv : c.input.cvs) {
    const bool has_input = std::ranges::any_of(c.input.pairs, [&](const PairEvidence& pair) {
      const auto input = std::ranges::find(c.input.inputs, pair.input, &InputEvidence::id);
      return pair.cv == cv.id && pair.dead_time_steps && input != c.input.inputs.end() &&
             !input->left_out;
    });
    answered += has_input ? 1 : 0;
    if (!has_input) say(check, "INFORMATIVE_NO_INPUT", {{"cv", cv.id}});
  }
  for (const InputEvidence& input : c.input.inputs) {
    const bool not_moved = (input.is_mv && !input.excited) || (input.left_out && input.moves == 0);
    if ((!input.left_out && !not_moved) || together(c, input.id)) continue;
    say(check, not_moved ? "INFORMATIVE_NOT_MOVED" : "INFORMATIVE_LEFT_OUT",
        {{"input", input.id}, {"moves", input.moves}});
  }
  check.value = static_cast<double>(answered);
  check.pass = !fed_back && signs && gains && levels && c.input.together.empty() &&
               answered == static_cast<std::int64_t>(c.input.cvs.size());
  if (check.pass) say(check, "INFORMATIVE_PASS", {{"cvs", answered}});
  return check;
}

Check priors(const Case& c) {
  Check check;
  check.threshold = 0;
  std::int64_t impossible = 0;
  for (const PriorEvidence& p : c.input.priors) {
    const bool out = p.status == "impossible";
    impossible += out ? 1 : 0;
    if (!out && p.status != "violated") continue;
    const bool zero = out && !p.low && p.estimate;
    say(check,
        zero  ? "PRIOR_ZERO_ANSWERED"
        : out ? "PRIOR_IMPOSSIBLE"
              : "PRIOR_VIOLATED",
        {{"prior", p.prior},
         {"input", p.input},
         {"cv", p.cv},
         {"estimate", or_nan(p.estimate), p.unit},
         {"low", or_nan(p.low), p.unit},
         {"high", or_nan(p.high), p.unit}});
  }
  check.value = static_cast<double>(impossible);
  check.pass = impossible == 0;
  if (check.reasons.empty()) say(check, "PRIORS_PASS", {{"count", c.input.priors.size()}});
  return check;
}

Check sealed(const Case& c) {
  Check check;
  check.threshold = 0;
  if (c.metrics == nullptr) {
    say(check, "GATE_NO_EVALUATION", {});
    return check;
  }
  const evaluate::Metrics& m = *c.metrics;
  check.value = static_cast<double>(m.shared_rows);
  check.pass = true;
  const auto fail = [&](const char* code, std::vector<Param> params) {
    check.pass = false;
    say(check, code, std::move(params));
  };
  if (m.shared_rows > 0) fail("SEALED_SHARED", {{"rows", m.shared_rows}});
  // What the file says of its origin, beside what the caller says.
  const evaluate::ArtifactInspection file =
      evaluate::inspect_artifact(enum_name(c.input.kind), c.input.model_json, nullptr);
  const auto differs = [](const std::string& evaluated, const std::string& claimed,
                          const std::string& in_file) {
    return evaluated.empty() || evaluated != claimed || (!in_file.empty() && evaluated != in_file);
  };
  if (differs(m.dataset_sha256, c.input.dataset_sha256, file.dataset_sha256)) {
    fail("SEALED_DATASET", {{"evaluated", m.dataset_sha256}, {"trained", c.input.dataset_sha256}});
  }
  if (differs(m.artifact_hash, c.input.artifact_hash, file.artifact_hash)) {
    fail("SEALED_ARTIFACT",
         {{"evaluated", m.artifact_hash}, {"registered", c.input.artifact_hash}});
  }
  if (check.pass) say(check, "SEALED_PASS", {});
  return check;
}

}  // namespace flyball::gates
