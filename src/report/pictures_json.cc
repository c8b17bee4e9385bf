#include "report/pictures_json.h"

#include <nlohmann/json.hpp>

namespace flyball::report {
namespace {

Json numbers(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(number_or_null(v));
  return out;
}

template <class Rows, class One>
Json list(const Rows& rows, const One& one) {
  Json out = Json::array();
  for (const auto& row : rows) out.push_back(one(row));
  return out;
}

Json free_run(const FreeRunTrace& f) {
  return {{"cv", f.cv},
          {"unit", f.unit},
          {"run", f.run},
          {"block", f.block},
          {"t", f.t},
          {"actual", numbers(f.actual)},
          {"predicted", numbers(f.predicted)}};
}

Json input(const InputTrace& i) {
  return {{"tag", i.tag},        {"unit", i.unit}, {"run", i.run},
          {"block", i.block},    {"t", i.t},       {"value", numbers(i.value)},
          {"stepped", i.stepped}};
}

Json part(const PartSpan& p) {
  return {{"run", p.run}, {"part", p.part}, {"from", p.from}, {"to", p.to}};
}

Json fan(const UncertaintyFan& f) {
  return {{"cv", f.cv},
          {"unit", f.unit},
          {"run", f.run},
          {"step", numbers(f.step)},
          {"actual", numbers(f.actual)},
          {"ahead", numbers(f.ahead)},
          {"predicted", numbers(f.predicted)},
          {"low", numbers(f.low)},
          {"high", numbers(f.high)}};
}

Json response_curve(const ResponseCurve& c) {
  return {{"cv", c.cv},
          {"input", c.input},
          {"x", numbers(c.x)},
          {"centre", numbers(c.centre)},
          {"low", numbers(c.low)},
          {"high", numbers(c.high)},
          {"trainX", numbers(c.train_x)},
          {"trainY", numbers(c.train_y)},
          {"testX", numbers(c.test_x)},
          {"testY", numbers(c.test_y)}};
}

Json point_cloud(const PointCloud& c) {
  return {{"cv", c.cv},
          {"trainPredicted", numbers(c.train_predicted)},
          {"trainActual", numbers(c.train_actual)},
          {"testPredicted", numbers(c.test_predicted)},
          {"testActual", numbers(c.test_actual)}};
}

Json units(const StudyPictures& pictures) {
  Json out = Json::object();
  for (const FreeRunTrace& f : pictures.free_run) out[f.cv] = f.unit;
  for (const InputTrace& i : pictures.inputs) out[i.tag] = i.unit;
  for (const StepAnswer& s : pictures.step_answers) {
    out[s.cv] = s.cv_unit;
    out[s.input] = s.input_unit;
  }
  for (const ResponseCurve& c : pictures.response_curves) {
    out[c.cv] = c.cv_unit;
    out[c.input] = c.input_unit;
  }
  return out;
}

}  // namespace

Json pictures_json(const StudyPictures& pictures) {
  return {{"schemaVersion", 1},
          {"beatMs", pictures.beat_ms},
          {"elapsedTime", pictures.elapsed_time},
          {"units", units(pictures)},
          {"freeRun", list(pictures.free_run, free_run)},
          {"inputs", list(pictures.inputs, input)},
          {"parts", list(pictures.parts, part)},
          {"fans", list(pictures.fans, fan)},
          {"responseCurves", list(pictures.response_curves, response_curve)},
          {"pointClouds", list(pictures.point_clouds, point_cloud)}};
}

}  // namespace flyball::report
