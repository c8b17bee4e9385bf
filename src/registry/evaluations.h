#pragma once
// Models judged on datasets that they were not trained on.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"
#include "store/sqlite.h"

namespace flyball::registry {

struct EvaluationRow {
  std::string id, model_id, dataset_id, line_id, by;
  Json metrics;
  std::optional<double> coverage;
  TimeUs created_at = 0;
  static constexpr auto fields() {
    using E = EvaluationRow;
    return FieldList{field("id", &E::id, "evl-…"),
                     field("modelId", &E::model_id, "model that was judged"),
                     field("datasetId", &E::dataset_id, "dataset it was judged on"),
                     field("lineId", &E::line_id, "line of the model"),
                     field("by", &E::by, "who asked"),
                     field("metrics", &E::metrics, "by the platform, as in an experiment"),
                     field("coverage", &E::coverage,
                           "share of values within the model's interval; absent without one"),
                     field("createdAt", &E::created_at, "when").unit("us")};
  }
};

class Evaluations {
 public:
  explicit Evaluations(store::Database& db) : db_(db) {}

  /// The same id again changes nothing.
  void add(const EvaluationRow& row);
  [[nodiscard]] EvaluationRow get(const std::string& id);  ///< throws EVALUATION_MISSING
  /// Newest first; of one model, or all when empty.
  [[nodiscard]] std::vector<EvaluationRow> list(const std::string& model_id, std::int64_t limit);

 private:
  store::Database& db_;
};

}  // namespace flyball::registry
