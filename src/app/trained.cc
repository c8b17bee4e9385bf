#include "app/trained.h"

#include "app/study_model.h"
#include "app/study_static.h"
#include "diagnose/declared_loops.h"
#include "diagnose/diagnose.h"
#include "identify/prior_use.h"

namespace flyball::app {
namespace {

Trained train_arx(const dataset::Dataset& data, const identify::ArxOptions& options,
                  const Call& call) {
  return diagnosed(data, options, identify::identify_arx(data, options, call.progress, call.stop),
                   {}, identify::kTrainerVersion, call);
}

Trained train_families(const dataset::Dataset& data, const identify::ArxOptions& options,
                       const identify::Families& families, std::string_view version,
                       const Call& call) {
  auto found = identify::identify_auto(data, options, families, call.progress, call.stop);
  return diagnosed(data, options, std::move(found.result), std::move(found.leaderboard), version,
                   call);
}

}  // namespace

Trained diagnosed(const dataset::Dataset& data, const identify::ArxOptions& options,
                  identify::IdentifyResult found, std::vector<identify::LeaderboardRow> leaderboard,
                  std::string_view version, const Call& call) {
  identify::judge_priors(options.priors, data.spec.beat_ms, found.findings);
  if (!options.loops.empty())
    found.findings.declared_loops = diagnose::judge_loops(data, found, options.loops);
  const diagnose::Diagnosis diagnosis = diagnose::diagnose(data, found, call.stop);
  auto& warnings = found.findings.warnings;
  warnings.insert(warnings.end(), diagnosis.warnings.begin(), diagnosis.warnings.end());
  Trained out = trained_linear(std::move(found), std::move(leaderboard), version);
  out.moves = diagnosis.moves;
  out.details = diagnose::to_json(diagnosis);
  return out;
}

Trained trained_linear(identify::IdentifyResult found,
                       std::vector<identify::LeaderboardRow> leaderboard,
                       std::string_view trainer_version) {
  Trained out;
  out.kind = gates::ArtifactKind::linear_state_space;
  out.predict = evaluate::predict_with(found.model);
  out.history = found.history;
  out.horizon = found.horizon;
  out.findings = found.findings;
  out.leaderboard = std::move(leaderboard);
  out.write = [found = std::move(found), version = std::string(trainer_version)](
                  const FileContext& context) { return linear_file(context, found, version); };
  return out;
}

Trained train(const dataset::Dataset& data, const TrainOptions& options, const Call& call) {
  switch (options.trainer) {
    case Trainer::linear_arx_1:
      break;
    case Trainer::subspace_1:
      return train_families(
          data, options.identify,
          {.arx = false, .subspace = true, .prediction_error = false, .output_error = false},
          identify::kSubspaceVersion, call);
    case Trainer::auto_1:
      return train_auto(data, options.identify, call);
    case Trainer::polynomial_narx_1:
      return train_narx(data, options.identify, call);
    case Trainer::static_response_1:
      return train_static(data, options, call);
  }
  return train_arx(data, options.identify, call);
}

}  // namespace flyball::app
