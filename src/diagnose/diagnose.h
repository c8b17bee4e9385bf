#pragma once
// What an engineer looks for in a model and its data once it is found: gain matrix, per regime,
// saturation, first- and second-order models for tuning loops. Reads train blocks only.
#include <optional>
#include <stop_token>
#include <vector>

#include "diagnose/collinearity.h"
#include "diagnose/gain_matrix.h"
#include "diagnose/inverse_response.h"
#include "diagnose/regimes.h"
#include "diagnose/saturation.h"
#include "diagnose/time_change.h"
#include "identify/identify_lags.h"

namespace flyball::diagnose {

struct Diagnosis {
  std::optional<GainMatrix> gain_matrix;
  std::vector<Saturation> saturation;
  std::vector<RegimeTest> regimes;
  std::vector<TimeChange> time_changes;
  std::vector<InverseResponse> inverse_responses;
  std::vector<identify::LagModel> lags;
  std::vector<SeparatingMove> moves;
  std::vector<Message> warnings;
};

/// `arx` is what identify_arx or identify_auto found on the same dataset.
Diagnosis diagnose(const dataset::Dataset& data, const identify::IdentifyResult& found,
                   std::stop_token stop = {});

/// gainMatrix, saturation, regimes, timeChanges, lags, inverseResponses and separatingMoves, as
/// they stand in report.json under `identification`.
Json to_json(const Diagnosis& diagnosis);

}  // namespace flyball::diagnose
