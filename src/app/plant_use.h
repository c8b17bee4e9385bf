#pragma once
// Use cases of tags, recipes and runs. Tags and runs are kept in the historian, the rest in
// flyball.db.
#include <string>
#include <vector>

#include "app/plant_requests.h"
#include "historian/historian.h"

namespace flyball::app {

/// What these use cases stand on.
struct Plant {
  store::Database& db;  ///< flyball.db
  plant::PlantStore& store;
  historian::Historian& historian;
};

/// The name under which this process runs, for who does not say who they are.
std::string system_user();

/// "T=150", "T=150:140:160", "T=150::160". Throws PARAM_INVALID.
plant::RecipeParam parse_param(const std::string& text);

/// A new version unless nothing differs. "T=150" leaves the limits of a param. Throws NAME_MISSING
/// for a param to drop that is not there.
plant::Recipe set_recipe(const Plant& plant, const RecipeSetRequest& request,
                         const plant::Author& author);

/// What may not change under stored samples: the unit, but for another spelling of the same
/// (TAG_UNIT_FIXED); kind and states, but for further states at the end (TAG_STATES_FIXED).
void check_stored(const historian::Historian& historian, const plant::Tag& old,
                  const plant::Tag& now, bool correct_unit, const std::string& at,
                  std::vector<Problem>& problems);

/// Throws NAME_MISSING.
TagResponse show_tag(const Plant& plant, const TagRequest& request);

/// Creates or changes; what the request does not name stays. Throws SPEC_INVALID with every rule
/// that is broken.
TagResponse set_tag(const Plant& plant, const TagSetRequest& request);

/// Throws RANGE_EMPTY, and RUN_RUNNING when it has no end and another run of `runs` has none.
void check_run(const plant::Run& run, const std::vector<plant::Run>& runs);

/// Throws NAME_MISSING.
RunResponse show_run(const Plant& plant, const RunRequest& request);

/// Throws NAME_EXISTS and what check_run() throws. A run with an end gets its draft segments.
RunResponse add_run(const Plant& plant, const RunAddRequest& request);

/// Throws RUN_ENDED. Drafts its segments.
RunResponse end_run(const Plant& plant, const RunEndRequest& request, TimeUs now);

/// Runs, datasets and models of a line, product ("" = any) and recipe; tags of the line when both
/// are "".
std::vector<std::string> users_of(const Plant& plant, registry::Registry& registry,
                                  const plant::RecipeKey& key);

}  // namespace flyball::app
