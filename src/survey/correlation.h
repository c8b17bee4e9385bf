#pragma once
// How the columns of the train part move together.
#include "identify/training_data.h"
#include "survey/dataset_facts.h"

namespace flyball::survey {

/// Pearson's r over the rows that both columns have; O(columns²·rows).
Correlations correlations_of(const identify::TrainingData& data);

/// From the eigenvalues of the correlation matrix of the inputs that move; empty below two of them.
Collinearity collinearity_of(const identify::TrainingData& data, const Correlations& correlations);

/// Correlations of changes within train blocks for lags −range..range. `bound` is that of white
/// noise through the two autocorrelations (Bartlett), Bonferroni over the lags. O(range·rows).
void correlate_changes(const identify::TrainingData& data, Index input, Index cv, Index range,
                       PairFacts& out);

}  // namespace flyball::survey
