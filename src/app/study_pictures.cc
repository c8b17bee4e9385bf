#include "app/study_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flyball::app {
namespace {

using dataset::Role;

const dataset::Variable& variable(const dataset::Dataset& data, const std::string& id) {
  return *std::ranges::find(data.spec.variables, id, &dataset::Variable::id);
}

std::vector<std::string> names(const dataset::Dataset& data, Role role) {
  std::vector<std::string> out;
  for (const auto& v : data.spec.variables) {
    if (v.role == role) out.push_back(v.id);
  }
  return out;
}

std::vector<double> band(const std::vector<double>& centre, const std::vector<double>& error,
                         double factor) {
  std::vector<double> out(centre.size());
  for (std::size_t i = 0; i < centre.size() && i < error.size(); ++i)
    out[i] = centre[i] + factor * error[i];
  return error.empty() ? std::vector<double>{} : out;
}

void draw_piece(const dataset::Dataset& data, const std::string& block,
                const evaluate::FreeRunPiece& piece, report::StudyPictures& pictures) {
  const dataset::Series& series = data.run(piece.run_id);
  const auto first = static_cast<std::size_t>(piece.first_step);
  const Index rows = piece.predicted.rows();
  const std::vector<TimeUs> t(series.t.begin() + static_cast<std::ptrdiff_t>(first),
                              series.t.begin() + static_cast<std::ptrdiff_t>(first) + rows);
  const auto cvs = data.columns(Role::cv);
  for (std::size_t j = 0; j < cvs.size(); ++j) {
    const auto& v = data.spec.variables[static_cast<std::size_t>(cvs[j])];
    report::FreeRunTrace& trace = pictures.free_run.emplace_back();
    trace = {v.id, v.unit, block, piece.run_id, t, {}, {}};
    const auto column = static_cast<Index>(j);
    trace.actual.assign(piece.actual.col(column).begin(), piece.actual.col(column).end());
    trace.predicted.assign(piece.predicted.col(column).begin(), piece.predicted.col(column).end());
  }
  for (const Role role : {Role::mv, Role::dv}) {
    for (const Index column : data.columns(role)) {
      const auto& v = data.spec.variables[static_cast<std::size_t>(column)];
      const auto values = series.values.col(column).segment(piece.first_step, rows);
      pictures.inputs.push_back(
          {v.id, v.unit, block, piece.run_id, v.stepped, t, {values.begin(), values.end()}});
    }
  }
}

report::HorizonCurve horizon_curve(const dataset::Dataset& data, const std::string& cv,
                                   const char* block, const evaluate::CvScore& model,
                                   const evaluate::CvScore& persistence) {
  const auto at = std::ranges::find(data.spec.variables, cv, &dataset::Variable::id) -
                  data.spec.variables.begin();
  const double std = data.norm.std[static_cast<std::size_t>(at)];
  report::HorizonCurve out{cv, block, model.rmse_by_step, persistence.rmse_by_step, {}};
  for (auto* values : {&out.model, &out.persistence}) {
    for (double& v : *values) v /= std;
  }
  return out;
}

}  // namespace

void draw_dataset(const dataset::Dataset& data, report::StudyPictures& pictures) {
  pictures.beat_ms = data.spec.beat_ms;
  pictures.mvs = names(data, Role::mv);
  pictures.dvs = names(data, Role::dv);
  pictures.cvs = names(data, Role::cv);
  const auto beat = static_cast<DurationUs>(std::llround(data.spec.beat_ms * 1000));
  for (const dataset::Block& b : data.blocks) {
    const TimeUs start = data.run(b.run_id).t.front();
    if (b.purge_before_steps > 0) {
      pictures.parts.push_back({b.run_id, "purge",
                                start + (b.first_step - b.purge_before_steps) * beat,
                                start + b.first_step * beat});
    }
    pictures.parts.push_back({b.run_id, std::string(enum_name(b.split)),
                              start + b.first_step * beat,
                              start + (b.first_step + b.steps) * beat});
  }
}

void draw_identification(const dataset::Dataset& data, const identify::Findings& findings,
                         report::StudyPictures& pictures) {
  constexpr double k95 = 1.96;
  std::erase_if(pictures.dvs, [&](const std::string& dv) { return findings.is_set_point(dv); });
  for (const auto& dead_time : findings.dead_times) {
    if (findings.is_set_point(dead_time.input)) continue;
    report::StepAnswer& answer = pictures.step_answers.emplace_back();
    answer.input = dead_time.input;
    answer.cv = dead_time.cv;
    answer.input_unit = variable(data, dead_time.input).unit;
    answer.cv_unit = variable(data, dead_time.cv).unit;
    answer.note = Message{"STEP_NO_ANSWER", {}}.text();
    for (const auto& s : findings.step_responses) {
      if (s.input != dead_time.input || s.cv != dead_time.cv) continue;
      answer.note.clear();
      answer.centre = s.values;
      answer.low = band(s.values, s.standard_errors, -k95);
      answer.high = band(s.values, s.standard_errors, k95);
      answer.gain = s.gain;
      if (s.gain && s.gain_std_error) {
        answer.gain_low = *s.gain - k95 * *s.gain_std_error;
        answer.gain_high = *s.gain + k95 * *s.gain_std_error;
      }
      if (s.settling_steps >= 0) answer.settling_steps = s.settling_steps;
    }
  }
  for (const auto& cv : findings.cvs) {
    for (const auto& o : cv.orders) {
      const std::string structure = fmt::format("{}: na {} nb {}{}", cv.cv, o.na, o.nb,
                                                o.differenced ? ", in differences" : "");
      pictures.candidates.push_back(
          {structure, o.score, o.na == cv.na && o.nb == cv.nb && o.differenced == cv.differenced,
           o.reason});
    }
  }
}

void draw_evaluation(const dataset::Dataset& data, const evaluate::Evaluation& evaluation,
                     const identify::Findings& findings, report::StudyPictures& pictures) {
  for (const auto& run : evaluation.free_runs) {
    for (const auto& piece : run.pieces)
      draw_piece(data, std::string(enum_name(run.part)), piece, pictures);
  }
  const evaluate::Metrics& m = evaluation.metrics;
  for (std::size_t j = 0;
       j < m.rollout_test.per_target.size() && j < m.persistence_test.per_target.size(); ++j) {
    const std::string& cv = m.rollout_test.per_target[j].cv;
    report::HorizonCurve curve = horizon_curve(data, cv, "test", m.rollout_test.per_target[j],
                                               m.persistence_test.per_target[j]);
    for (const auto& f : findings.cvs) {
      if (f.cv == cv) curve.noise_floor = f.noise_floor;
    }
    pictures.horizon.push_back(std::move(curve));
  }
  for (const auto& test : m.residual_tests) {
    pictures.residual_tests.push_back(
        {test.cv, "", 1, test.autocorrelation, test.bound, 99, test.white});
    for (const auto& input : test.inputs) {
      std::vector<double> values(input.negative.rbegin(), input.negative.rend());
      values.insert(values.end(), input.positive.begin(), input.positive.end());
      pictures.residual_tests.push_back({test.cv, input.input,
                                         -static_cast<std::int64_t>(input.negative.size()), values,
                                         input.bound, 99, !input.misses_dynamics});
    }
  }
}

}  // namespace flyball::app
