#pragma once
// Predictions of models in shadow beside what happened, and the evidence that follows from them.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"
#include "store/sqlite.h"

namespace flyball::registry {

struct ShadowPrediction {
  std::string model_id, run_id;
  TimeUs at = 0;             ///< when it would have been made
  std::vector<double> rmse;  ///< per CV, train standard deviations
  std::int64_t inside = 0, total = 0;
  std::string regime;
  bool replayed = false;  ///< of data that were stored before the model came into shadow
};

/// What a promotion into production rests on. Enough: `runsNeeded` runs in `regimesNeeded` regimes,
/// or for a line without batches `predictionsNeeded` predictions over `spanNeeded`.
struct ShadowEvidence {
  std::string model_id;
  std::int64_t predictions = 0, runs = 0, regimes = 0, replayed = 0;
  DurationUs span = 0;             ///< plant time from the first to the last
  std::optional<double> coverage;  ///< share of values within the interval
  std::vector<double> rmse;        ///< per CV, pooled, train standard deviations
  bool enough = false;
  std::vector<std::string> missing;  ///< what is not enough, in words
  static constexpr auto fields() {
    using E = ShadowEvidence;
    return FieldList{
        field("modelId", &E::model_id, "mdl-..."),
        field("predictions", &E::predictions, "predictions that could be scored"),
        field("runs", &E::runs, "runs they stand in"),
        field("regimes", &E::regimes, "thirds of the MVs' train ranges that they saw"),
        field("replayed", &E::replayed, "of them on data stored before"),
        field("span", &E::span, "plant time from the first to the last").unit("us"),
        field("coverage", &E::coverage, "share of values within the interval; absent without one"),
        field("rmse", &E::rmse, "per CV, pooled, in train standard deviations"),
        field("enough", &E::enough, "a person may approve production"),
        field("missing", &E::missing, "what is not enough")};
  }
};

struct ShadowNeeds {
  std::int64_t runs = 10, regimes = 3, predictions = 500;
  DurationUs span = kDay;
};

class ShadowLog {
 public:
  explicit ShadowLog(store::Database& db) : db_(db) {}

  /// Those that are there already (model, run, time) stay as they are; how many were new.
  std::int64_t add(const std::vector<ShadowPrediction>& predictions);
  [[nodiscard]] ShadowEvidence evidence(const std::string& model_id, const ShadowNeeds& needs);
  /// By run, when the newest prediction of a model was made.
  [[nodiscard]] std::map<std::string, TimeUs> newest(const std::string& model_id);

 private:
  store::Database& db_;
};

}  // namespace flyball::registry
