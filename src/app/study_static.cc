#include "app/study_static.h"

#include <algorithm>

#include "app/study_model.h"
#include "core/digest.h"
#include "model/static_artifact.h"

namespace flyball::app {
namespace {

ModelFile static_file(const FileContext& context, const StaticTrained& statics) {
  const dataset::Dataset& data = context.data;
  const identify::StaticFindings& f = statics.result.findings;
  model::StaticArtifact a;
  a.spec_ref = sha256(canonical(to_json_value(data.spec)));
  a.dataset_sha256 = context.dataset_sha256;
  a.beat_ms = data.spec.beat_ms;
  a.points = enum_name(f.rule.points);
  a.point_count = f.train_points;
  a.variables = file_variables(data);
  for (const identify::StaticCv& cv : f.cvs) {
    model::StaticSurface& s = a.surfaces.emplace_back();
    s.cv = cv.cv;
    s.basis = cv.basis;
    s.lambda = cv.lambda;
    for (const identify::StaticTerm& t : cv.terms) s.std_errors.push_back(t.std_error);
  }
  model::pack(statics.result.model, a);
  a.rule = to_json_value(f.rule);
  a.seed = context.seed;
  a.trainer_version = identify::kStaticVersion;
  return {model::write_artifact(a), model::artifact_hash(a)};
}

}  // namespace

Trained train_static(const dataset::Dataset& data, const TrainOptions& options, const Call& call) {
  StaticTrained statics;
  statics.points = dataset::operating_points(data, dataset::steady_rule(data, options.steady));
  statics.result = identify::identify_static(data, statics.points, call.progress, call.stop);
  Trained out;
  out.kind = gates::ArtifactKind::static_response;
  out.predict = evaluate::predict_with(statics.result.model);
  out.history = 0;
  out.horizon = 1;
  out.findings.warnings = statics.result.findings.warnings;
  out.details["static"] = identify::to_json(statics.result.findings);
  out.write = [statics](const FileContext& context) { return static_file(context, statics); };
  out.statics = std::move(statics);
  return out;
}

evaluate::Evaluation judge_static(const dataset::Dataset& data, const Trained& trained,
                                  const evaluate::Options& options, double alpha,
                                  uq::UqResult& uq) {
  std::int64_t parameters = 0;
  for (const auto& cv : trained.statics->result.findings.cvs)
    parameters = std::max(parameters, cv.parameters);
  evaluate::Evaluation out = evaluate::evaluate_points(data, trained.statics->points,
                                                       trained.predict, parameters, options);
  uq = uq::point_evidence(out.points, out.metrics.io_spec.cvs, out.train_std, alpha);
  return out;
}

void fill_static_evidence(const identify::StaticFindings& findings, gates::GateInput& input) {
  for (const identify::StaticInput& i : findings.inputs)
    input.inputs.push_back({i.input, i.mv, true, i.levels - 1, i.left_out, false});
  for (const identify::StaticCv& cv : findings.cvs) {
    for (const identify::StaticGain& g : cv.gains) {
      const auto answer = g.active ? std::optional<std::int64_t>(0) : std::nullopt;
      input.pairs.push_back({g.input, cv.cv, answer});
    }
    input.cvs.push_back({cv.cv, false, false, cv.noise_floor});
  }
}

}  // namespace flyball::app
