#pragma once
// linear_arx@1: from the train part of a dataset to a linear_state_space@1, with everything that
// was decided on the way. Reads train blocks only. Same data, spec and options give the same bytes.
#include <optional>
#include <stop_token>

#include "core/progress.h"
#include "dataset/dataset.h"
#include "identify/findings.h"
#include "identify/priors.h"
#include "model/linear_state_space.h"

namespace flyball::identify {

inline constexpr std::string_view kTrainerVersion = "linear_arx@1 1.0.0";

/// A column that is the set-point of the loop that moves an MV. It is a DV of the dataset and never
/// an input of the model.
struct SetPoint {
  std::string mv, tag;
};

/// u = gain·(e + ∫ e / reset), e = set-point − CV, in model units and seconds.
struct PiLoop {
  std::string mv, cv;
  double gain = 0, reset_seconds = 0;
};

struct ArxOptions {
  std::optional<Index> history;           ///< H; default: largest dead-time candidate + largest nb
  std::optional<Index> horizon;           ///< F; default: steps to 63 % of the main answer, 10..60
  std::optional<Index> dead_time_max;     ///< default min(20, train rows/(10·inputs))
  Index max_order = 10;                   ///< na and nb are 1..max_order
  std::int64_t seed = 42;                 ///< recorded; nothing here is random
  std::vector<Prior> priors = {};         ///< what the engineer knows of pairs
  unsigned threads = 0;                   ///< 0: as many as the machine has; changes no result
  std::vector<SetPoint> set_points = {};  ///< at most one per MV
  std::vector<PiLoop> loops = {};  ///< declared controllers; they judge the model, not shape it
  bool simulate_gains = true;      ///< a simulation judges the gains; see simulated_gain.h
};

/// What identification found. The model is in model units; inputs stand in the order MVs, then DVs.
struct IdentifyResult {
  model::LinearStateSpace model;
  Index history = 0;  ///< H
  Index horizon = 0;  ///< F
  Findings findings;
};

/// Orders, dead times, ridge and form by decisions of the platform (docs/concepts), inside train.
/// Throws TRAIN_PART_EMPTY, DATA_TOO_SHORT (no structure has more rows than parameters),
/// MODEL_UNSTABLE (no candidate is stable), CANCELLED, FIELD_RANGE for an option out of range.
IdentifyResult identify_arx(const dataset::Dataset& data, const ArxOptions& options = {},
                            const ProgressFn& progress = {}, std::stop_token stop = {});

}  // namespace flyball::identify
