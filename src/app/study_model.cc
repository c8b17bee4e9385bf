#include "app/study_model.h"

#include "core/digest.h"

namespace flyball::app {

std::vector<model::ArtifactVariable> file_variables(const dataset::Dataset& data) {
  std::vector<model::ArtifactVariable> out;
  for (const dataset::Role role : {dataset::Role::mv, dataset::Role::dv, dataset::Role::cv}) {
    for (const Index column : data.columns(role)) {
      const auto c = static_cast<std::size_t>(column);
      const dataset::Variable& v = data.spec.variables[c];
      out.push_back({v.id, std::string(enum_name(role)), v.model_unit, data.norm.mean[c],
                     data.norm.std[c], data.norm.min[c], data.norm.max[c]});
    }
  }
  return out;
}

ModelFile linear_file(const FileContext& context, const identify::IdentifyResult& found,
                      std::string_view trainer_version) {
  const dataset::Dataset& data = context.data;
  model::Artifact a;
  a.spec_ref = sha256(canonical(to_json_value(data.spec)));
  a.dataset_sha256 = context.dataset_sha256;
  a.beat_ms = data.spec.beat_ms;
  a.history_steps = found.history;
  a.horizon_steps = found.horizon;
  a.variables = file_variables(data);
  for (const auto& d : found.findings.dead_times) {
    if (d.found) a.dead_times.push_back({d.input, d.cv, d.steps, d.low, d.high});
  }
  for (const auto& cv : found.findings.cvs) {
    a.fits.push_back({cv.cv, cv.na, cv.nb, cv.lambda, cv.differenced, cv.integrating,
                      cv.parameter_names, cv.parameter_values, cv.parameter_std_errors});
  }
  model::pack(found.model, a);
  a.seed = context.seed;
  a.trainer_version = trainer_version;
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

void fill_evidence(const identify::Findings& findings, gates::GateInput& input) {
  for (const auto& x : findings.excitation) {
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
    input.pairs.push_back(std::move(pair));
  }
  for (const auto& c : findings.collinear) {
    if (c.unseparable) input.together.push_back({c.mv, c.with});
  }
  for (const auto& p : findings.priors) {
    input.priors.push_back(
        {p.prior, std::string(enum_name(p.status)), p.estimate, p.low, p.high,
         p.quantity == identify::PriorQuantity::gain ? "" : "s"});
  }
  for (const auto& cv : findings.cvs)
    input.cvs.push_back({cv.cv, cv.integrating, cv.differenced, cv.noise_floor});
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
