#pragma once
// What the ledger asks of the rest of the house: a model with its evidence, the plant as it is now,
// and the newest rows of a run as the model takes them.
#include "advise/problem_of.h"
#include "dataset/spec.h"
#include "historian/historian.h"
#include "plant/plant_store.h"
#include "registry/registry.h"

namespace flyball::app {

/// A model with what is needed to ask with it.
struct AdviceModel {
  advise::ModelFacts facts;
  dataset::Spec spec;        ///< of the dataset that it was trained on
  std::int64_t history = 1;  ///< rows that it needs
  std::int64_t history_wanted = 1;
  std::string bytes;  ///< model.json, its hash checked
  std::map<std::string, advise::UnitMap> units;
  std::map<std::string, std::string> unit_names;
};

/// Throws MODEL_MISSING, and what reading its files and its dataset throws.
AdviceModel advice_model(registry::Registry& registry, const std::filesystem::path& data,
                         const std::string& model_id);

/// Every variable at its train mean.
optimise::HistoryRow at_rest(const AdviceModel& model);

/// CVs that are levels.
std::vector<std::string> levels_of(const dataset::Spec& spec);

/// The run of the line that began last; none when there is none at `now`.
std::optional<plant::Run> active_run(const historian::Historian& historian, const std::string& line,
                                     TimeUs now);

/// The newest confirmed operating condition of a run; empty: none.
std::string condition_of(const plant::PlantStore& plant, const std::string& line,
                         const std::string& run);

/// Limits always; the rest where a run is active. The newest sample of a stepped tag counts as new
/// as the newest of all: it is held until it changes.
advise::ContextSnapshot context_of(const historian::Historian& historian,
                                   const plant::PlantStore& plant, const AdviceModel& model,
                                   const advise::Profile& profile, const advise::Binding& binding,
                                   TimeUs now);

/// Complete steps of the run up to `now`, cleaned and put on the grid as for training, the longest
/// stretch up to the newest without a missing input. Throws ADVICE_HISTORY_SHORT.
std::vector<optimise::HistoryRow> history_of(const historian::Historian& historian,
                                             const AdviceModel& model,
                                             const advise::Binding& binding,
                                             const std::string& run_id, TimeUs now);

/// Values of some variables at the steps of [from, to), on the grid, model units, NaN = missing.
std::map<std::string, std::vector<double>> values_of(const historian::Historian& historian,
                                                     const AdviceModel& model,
                                                     const advise::Binding& binding,
                                                     const std::string& run_id, TimeUs from,
                                                     TimeUs to);

}  // namespace flyball::app
