// polynomial_narx@1 as a study takes it, and the choice that auto@1 makes between it and a linear
// model.
#include <algorithm>

#include "app/study_model.h"
#include "app/trained.h"
#include "evaluate/narx_predictor.h"
#include "model/narx_artifact.h"

namespace flyball::app {
namespace {

ModelFile narx_file(const FileContext& context, const identify::NarxResult& found,
                    std::string_view trainer_version) {
  model::NarxArtifact a;
  fill_head(context, found.history, found.horizon, trainer_version, a);
  model::pack(found.model, a);
  auto finding = found.terms.begin();
  for (model::NarxArtifactOutput& output : a.outputs) {
    for (model::NarxArtifactTerm& term : output.terms) {
      term.std_error = finding->std_error;
      term.err = (finding++)->err;
    }
  }
  return {model::write_artifact(a), model::artifact_hash(a)};
}

/// Where the free run through the inputs is no evidence of cause, or what was stated of the plant
/// is about a linear model: an MV in a loop carries the CV, MVs that moved together share one
/// answer.
bool linear_only(const identify::ArxOptions& options, const identify::Findings& f) {
  return !options.set_points.empty() || !options.priors.empty() || !f.collinear.empty() ||
         std::ranges::any_of(f.feedback, &identify::Feedback::in_loop);
}

/// A NARX says nothing of the sign of a gain in a loop.
void claim_no_sign(identify::Findings& f) {
  for (const identify::Feedback& b : f.feedback) {
    if (!b.in_loop) continue;
    for (const identify::CvFinding& cv : f.cvs) {
      const auto known = std::ranges::find_if(
          f.loop_gains, [&](const identify::LoopGain& g) { return g.mv == b.mv && g.cv == cv.cv; });
      identify::LoopGain& gain = known == f.loop_gains.end() ? f.loop_gains.emplace_back() : *known;
      gain.mv = b.mv;
      gain.cv = cv.cv;
      gain.sign_known = false;
    }
  }
}

}  // namespace

Trained trained_narx(identify::NarxResult found, std::vector<identify::LeaderboardRow> leaderboard,
                     std::string_view trainer_version) {
  Trained out;
  out.kind = gates::ArtifactKind::polynomial_narx;
  out.predict = evaluate::predict_with(found.model);
  out.history = found.history;
  out.horizon = found.horizon;
  out.findings = found.findings;
  out.leaderboard = std::move(leaderboard);
  out.details["terms"] = to_json_value(found.terms);
  out.write = [found = std::move(found), version = std::string(trainer_version)](
                  const FileContext& context) { return narx_file(context, found, version); };
  return out;
}

Trained train_narx(const dataset::Dataset& data, const identify::ArxOptions& options,
                   const Call& call) {
  auto found = identify::identify_narx(data, options, call.progress, call.stop);
  claim_no_sign(found.findings);
  auto leaderboard = found.leaderboard;
  return trained_narx(std::move(found), std::move(leaderboard), identify::kNarxVersion);
}

Trained train_auto(const dataset::Dataset& data, const identify::ArxOptions& options,
                   const Call& call) {
  auto linear = identify::identify_auto(data, options, {}, call.progress, call.stop);
  if (linear_only(options, linear.result.findings)) {
    return diagnosed(data, options, std::move(linear.result), std::move(linear.leaderboard),
                     identify::kAutoVersion, call);
  }
  auto trial = identify::try_narx(data, linear.result, linear.folds, call.progress, call.stop);
  std::vector<identify::LeaderboardRow> board = std::move(linear.leaderboard);
  if (trial.better) {
    for (identify::LeaderboardRow& row : board) {
      if (row.reason == "chosen") row.reason = Message{"NARX_IS_BETTER", {}}.text();
    }
  }
  board = identify::joined(board, trial.rows);
  if (trial.better)
    return trained_narx(std::move(*trial.better), std::move(board), identify::kAutoVersion);
  return diagnosed(data, options, std::move(linear.result), std::move(board),
                   identify::kAutoVersion, call);
}

}  // namespace flyball::app
