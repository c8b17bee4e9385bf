#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/input.h"
#include "app/model_cache.h"
#include "app/predict_static.h"
#include "app/predict_values.h"
#include "app/records.h"
#include "app/study_plan.h"
#include "evaluate/load_model.h"
#include "historian/text_table.h"
#include "store/files.h"
#include "uq/uq.h"

namespace flyball::app {
namespace {

/// The model's columns of a table as the simulator takes them.
PredictInput read_table(const PredictRequest& request, const evaluate::LoadedModel& model,
                        std::string_view text) {
  historian::LayoutRequest layout;
  layout.delimiter = request.delimiter;
  layout.decimal = request.decimal;
  layout.evenly_spaced = true;
  if (request.columns) layout.columns = split_list(*request.columns);
  const historian::TextTable table = historian::read_table(text, layout, {}, {});
  const auto rows = static_cast<Index>(table.rows());
  std::vector<Problem> missing;
  std::vector<std::string_view> known;
  for (const auto& c : table.columns) known.push_back(c.name);
  const auto fill = [&](const std::vector<std::string>& ids, Matrix& out, Index at) {
    for (const std::string& id : ids) {
      const auto column = std::ranges::find(table.columns, id, &historian::Column::name);
      if (column == table.columns.end()) {
        missing.push_back({"",
                           {"COLUMN_MISSING",
                            {{"column", id},
                             {"suggestion", record_detail::suggestion(id, known)},
                             {"columns", joined(known)}}}});
      } else {
        out.col(at) = Eigen::Map<const Vector>(column->values.data(), rows);
      }
      ++at;
    }
  };
  const auto mvs = model.ids("mv"), dvs = model.ids("dv"), cvs = model.ids("cv");
  PredictInput in;
  in.record.u = Matrix::Zero(rows, static_cast<Index>(mvs.size() + dvs.size()));
  in.record.y = Matrix::Zero(rows, static_cast<Index>(cvs.size()));
  fill(mvs, in.record.u, 0);
  fill(dvs, in.record.u, static_cast<Index>(mvs.size()));
  if (model.history > 0) fill(cvs, in.record.y, 0);
  if (!missing.empty()) throw Error::of("COLUMNS_MISSING", std::move(missing));
  in.history_end = rows;
  while (in.history_end > 0 && in.record.y.row(in.history_end - 1).array().isNaN().all())
    --in.history_end;
  return in;
}

/// The plan's rows hold MVs; missing MVs of the plan are refused, DVs and rows beyond it are held.
void complete(PredictInput& in, const evaluate::LoadedModel& model, Index steps) {
  const auto n_mv = static_cast<Index>(model.ids("mv").size());
  const Index planned = std::min(in.record.u.rows() - in.history_end, steps),
              have = in.history_end + planned;
  for (Index t = in.history_end - model.history; t < have; ++t) {
    const Index checked = t < in.history_end ? in.record.u.cols() : n_mv;
    for (Index i = 0; i < checked; ++i) {
      if (std::isfinite(in.record.u(t, i))) continue;
      throw Error("PREDICT_INPUT_MISSING",
                  {{"variable", model.variables[static_cast<std::size_t>(i)].id},
                   {"row", static_cast<std::int64_t>(t + 1)}});
    }
  }
  in.record.u.conservativeResize(in.history_end + steps, Eigen::NoChange);
  in.record.y.conservativeResize(in.history_end + steps, Eigen::NoChange);
  for (Index t = in.history_end; t < in.record.u.rows(); ++t) {
    for (Index i = 0; i < in.record.u.cols(); ++i) {
      if (t >= have || i >= n_mv) in.record.u(t, i) = in.record.u(t - 1, i);
    }
    in.record.y.row(t).setConstant(std::nan(""));
  }
}

/// What comes through a pipe is taken as it leaves it, over all rows given; rows [from, end) of it
/// have to be known.
void deliver(PredictInput& in, const evaluate::LoadedModel& model, Index from) {
  const Matrix entered = in.record.u;
  for (Index i = 0; i < entered.cols(); ++i) {
    const model::ArtifactVariable& v = model.variables[static_cast<std::size_t>(i)];
    if (!v.transport) continue;
    const Index flow =
        std::ranges::find(model.variables, v.transport->flow, &model::ArtifactVariable::id) -
        model.variables.begin();
    if (flow >= entered.cols()) {
      throw Error("ARTIFACT_INVALID", {{"detail", v.transport->flow + " is no input"}});
    }
    const math::PlugFlow f =
        math::plug_flow(entered.col(i), entered.col(flow), v.transport->volume(model.beat_ms));
    in.record.u.col(i) = f.out;
    for (Index t = from; t < f.out.size(); ++t) {
      if (std::isfinite(f.out(t))) continue;
      throw Error("PREDICT_TRANSPORT", {{"variable", v.id},
                                        {"flow", v.transport->flow},
                                        {"row", static_cast<std::int64_t>(t + 1)}});
    }
  }
}

/// Inputs of the last history row and of the plan, the last measured CVs and the forecast against
/// the train box: the largest distance from the mean in standard deviations, and who is outside.
void compare_with_train(const PredictInput& in, const evaluate::LoadedModel& model,
                        const Matrix& forecast, PredictResponse& out) {
  double worst = 0;
  const Index t = in.history_end - 1, nu = in.record.u.cols();
  for (std::size_t v = 0; v < model.variables.size(); ++v) {
    const model::ArtifactVariable& train = model.variables[v];
    const auto i = static_cast<Index>(v);
    Vector values(1 + out.steps);
    values(0) = i < nu ? in.record.u(t, i) : in.record.y(t, i - nu);
    if (i < nu) {
      values.tail(out.steps) = in.record.u.col(i).segment(in.history_end, out.steps);
    } else {
      values.tail(out.steps) = forecast.col(i - nu);
    }
    const double most = values.maxCoeff(), least = values.minCoeff();
    worst = std::max({worst, (most - train.mean) / train.std, (train.mean - least) / train.std});
    if (!values.allFinite()) worst = std::nan("");
    if (most > train.max || least < train.min) {
      out.warnings.push_back(Message{
          "PREDICT_OUTSIDE",
          {{"variable", train.id},
           {"value", most > train.max ? most : least},
           {"min", train.min},
           {"max", train.max}}}.text());
    }
    if (std::isnan(worst)) break;
  }
  if (!std::isnan(worst)) out.input_distance = worst;
}

/// Values of the CVs, with the interval of the evidence where there is one.
void fill_forecast(const evaluate::LoadedModel& model, const Matrix& forecast, const Json& uq,
                   PredictResponse& out) {
  const bool has_uq = uq["uq"].is_object();
  out.interval_note =
      has_uq ? Message{"PREDICT_INTERVAL", {{"alpha", uq["uq"]["alpha"].get<double>()}}}.text()
             : Message{"PREDICT_NO_INTERVAL", {{"reason", uq["reason"].get<std::string>()}}}.text();
  const Index outputs = forecast.cols();
  const std::size_t first_cv = model.variables.size() - static_cast<std::size_t>(outputs);
  for (Index j = 0; j < outputs; ++j) {
    const model::ArtifactVariable& v = model.variables[first_cv + static_cast<std::size_t>(j)];
    CvForecast& f = out.forecast.emplace_back();
    f.cv = v.id;
    f.unit = v.unit;
    f.values.assign(forecast.col(j).begin(), forecast.col(j).end());
    if (!has_uq) continue;
    const double half = uq["uq"]["qhatPerCv"][static_cast<std::size_t>(j)].get<double>();
    f.lower.emplace();
    f.upper.emplace();
    for (const double value : f.values) {
      f.lower->push_back(value - half);
      f.upper->push_back(value + half);
    }
  }
}

}  // namespace

PredictResponse App::predict(const PredictRequest& request, const Call& call) {
  registry::Registry& registry = records().registry;
  const registry::ModelRow row = registry.model(request.id);
  const std::shared_ptr<const ReadyModel> ready = models_->get(registry, row);
  const evaluate::LoadedModel& model = ready->model;
  PredictInput in =
      request.file ? read_table(request, model, open_input(*request.file, data_.path, call).text())
                   : read_values(request, model);
  if (model.surfaces) {
    PredictResponse out{row.id, row.artifact_hash, model.beat_ms, 0, {}, {}, {}, ""};
    Matrix forecast;
    predict_static(model, in.record.u, out, forecast);
    fill_forecast(model, forecast, ready->uq, out);
    return out;
  }
  if (in.history_end < model.history) {
    throw Error("PREDICT_HISTORY_SHORT", {{"rows", static_cast<std::int64_t>(in.history_end)},
                                          {"needed", static_cast<std::int64_t>(model.history)}});
  }
  const Index planned = in.record.u.rows() - in.history_end;
  const Index steps =
      request.steps.value_or(planned > 0 ? std::min<Index>(planned, model.horizon) : model.horizon);
  if (steps > model.horizon) {
    throw Error("PREDICT_TOO_FAR",
                {{"steps", static_cast<std::int64_t>(steps)},
                 {"horizon", static_cast<std::int64_t>(model.horizon)}},
                "/steps");
  }
  complete(in, model, steps);
  deliver(in, model, in.history_end - model.history);

  PredictResponse out;
  out.model_id = row.id;
  out.artifact_hash = row.artifact_hash;
  out.beat_ms = model.beat_ms;
  out.steps = steps;
  if (planned > steps) {
    out.warnings.push_back(Message{
        "PREDICT_PLAN_CUT",
        {{"planned", std::int64_t{planned}, "steps"}, {"steps", std::int64_t{steps}, "steps"}}}
                               .text());
  }
  const Index outputs = in.record.y.cols();
  Matrix forecast(steps, outputs);
  const Index from = in.history_end - model.history, rows = model.history + steps;
  const model::Record window{in.record.u.middleRows(from, rows),
                             in.record.y.middleRows(from, rows)};
  model.predict(window, model.history, steps, forecast);
  compare_with_train(in, model, forecast, out);
  fill_forecast(model, forecast, ready->uq, out);
  return out;
}

}  // namespace flyball::app
