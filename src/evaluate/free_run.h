#pragma once
// Free run: the predictor over the first H rows of a block, then no more y, inputs as measured.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "evaluate/predictor.h"

namespace flyball::evaluate {

/// A stretch of a block that is simulated in one go. A row with a missing input ends a piece; the
/// next begins at the first later row whose inputs are present and spends H fresh rows.
/// Pieces with no row after their H are not made; gaps in y do not end a piece.
struct FreeRunPiece {
  std::string run_id;
  Index first_step = 0;  ///< row of the run's series of the first row predicted (after the H rows)
  Matrix predicted;      ///< rows × ny, model units
  Matrix actual;         ///< rows × ny, NaN where y was not observed (left out of the norms)
};

struct FreeRun {
  dataset::Part part = dataset::Part::train;
  std::vector<FreeRunPiece> pieces;
};

/// Fit of one CV over all kept rows of a part: several runs and blocks are pooled. With the means
/// of each piece removed, ratio = Σ ŷ y / Σ ŷ²; its variance is (Σ e²/n)(1 + 2 Σ_k r_e(k) r_ŷ(k)) /
/// Σ ŷ², e = y − ratio·ŷ, over 100 lags or a quarter of the rows (Bartlett); none without data.norm.
struct FreeRunFit {
  std::string cv;
  std::optional<double> percent;
  dataset::Part block = dataset::Part::train;
  std::int64_t rows = 0;
  std::int64_t rows_left_out = 0;
  std::int64_t pieces = 0;
  std::optional<double> ratio, ratio_std_error;
  static constexpr auto fields() {
    using S = FreeRunFit;
    return FieldList{
        field("cv", &S::cv, "controlled variable"),
        field("percent", &S::percent, "100·(1 − ‖y−ŷ‖/‖y−mean y‖); null: cannot be computed")
            .unit("%")
            .nullable(),
        field("block", &S::block, "train, val or test"),
        field("rows", &S::rows, "rows in both norms").unit("steps"),
        field("rowsLeftOut", &S::rows_left_out,
              "first H rows of each piece, gaps and unobserved values")
            .unit("steps"),
        field("pieces", &S::pieces, "stretches without a missing input"),
        field("ratio", &S::ratio,
              "slope of the measured on the predicted movement: 1 where the plant answers as the "
              "model says; null: nothing is predicted to move")
            .nullable(),
        field("ratioStdError", &S::ratio_std_error, "standard error").nullable()};
  }
};

/// Cost: one model step per row.
FreeRun free_run(const dataset::Dataset& data, dataset::Part part, const Predict& predict,
                 Index history);

/// One entry per CV; empty when the part has no block.
std::vector<FreeRunFit> fit(const dataset::Dataset& data, const FreeRun& run);

/// Largest |ŷ − train mean| / train range per CV over the longest piece, of its first `limit[j]`
/// rows (0: all); nullopt when there is no piece or a value is not finite.
std::vector<std::optional<double>> excursion(const dataset::Dataset& data, const FreeRun& run,
                                             const std::vector<Index>& limit);

}  // namespace flyball::evaluate
