#include "app/predict_values.h"

#include <algorithm>
#include <cmath>

namespace flyball::app {
namespace {

using Series = std::map<std::string, std::vector<double>>;

class Reader {
 public:
  /// Length that all series must have: that of the first one.
  static Index length(const Series& series) {
    return series.empty() ? 0 : static_cast<Index>(series.begin()->second.size());
  }

  void check_names(const char* what, const Series& series, const std::vector<std::string>& known) {
    const std::vector<std::string_view> names(known.begin(), known.end());
    for (const auto& [name, values] : series) {
      if (std::ranges::find(known, name) == known.end())
        add(what, name,
            {"PREDICT_TAG_UNKNOWN",
             {{"tag", name}, {"suggestion", record_detail::suggestion(name, names)}}});
    }
    for (const std::string& name : known) {
      if (!series.contains(name)) add(what, name, {"PREDICT_TAG_MISSING", {{"tag", name}}});
    }
  }

  void fill(const char* what, const Series& series, const std::string& id, Matrix& out,
            Index column, Index at, Index rows) {
    const auto it = series.find(id);
    if (it == series.end()) return;
    if (static_cast<Index>(it->second.size()) != rows) {
      add(what, id,
          {"PREDICT_LENGTH",
           {{"tag", id},
            {"rows", it->second.size()},
            {"needed", static_cast<std::int64_t>(rows)}}});
      return;
    }
    out.col(column).segment(at, rows) = Eigen::Map<const Vector>(it->second.data(), rows);
  }

  void finish() {
    if (!problems_.empty()) throw Error::of("PREDICT_VALUES", std::move(problems_));
  }

 private:
  void add(const char* what, const std::string& tag, Message message) {
    problems_.push_back(
        {std::string("/") + what + "/" + record_detail::escape_pointer(tag), std::move(message)});
  }

  std::vector<Problem> problems_;
};

}  // namespace

PredictInput read_values(const PredictRequest& request, const evaluate::LoadedModel& model) {
  const auto mvs = model.ids("mv"), dvs = model.ids("dv"), cvs = model.ids("cv");
  std::vector<std::string> inputs = mvs, all;
  inputs.insert(inputs.end(), dvs.begin(), dvs.end());
  all = inputs;
  if (model.history > 0) all.insert(all.end(), cvs.begin(), cvs.end());

  Reader reader;
  reader.check_names("history", request.history, all);
  if (!request.plan.empty()) reader.check_names("plan", request.plan, mvs);
  reader.finish();

  const Index history = Reader::length(request.history), plan = Reader::length(request.plan);
  PredictInput in;
  in.history_end = history;
  in.record.u = Matrix::Constant(history + plan, static_cast<Index>(inputs.size()), std::nan(""));
  in.record.y = Matrix::Constant(history + plan, static_cast<Index>(cvs.size()), std::nan(""));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto column = static_cast<Index>(i);
    reader.fill("history", request.history, inputs[i], in.record.u, column, 0, history);
    reader.fill("plan", request.plan, inputs[i], in.record.u, column, history, plan);
  }
  for (std::size_t j = 0; j < cvs.size() && model.history > 0; ++j)
    reader.fill("history", request.history, cvs[j], in.record.y, static_cast<Index>(j), 0, history);
  reader.finish();
  return in;
}

}  // namespace flyball::app
