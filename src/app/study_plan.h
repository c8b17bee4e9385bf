#pragma once
// A study request, checked and turned into what import and dataset take.
#include "app/requests.h"
#include "dataset/spec.h"
#include "historian/import.h"

namespace flyball::app {

/// "a, b,c" → a, b and c without the blanks around them.
std::vector<std::string> split_list(const std::string& text);

/// The names with ", " between them; after 30 names "...".
std::string joined(const std::vector<std::string_view>& names);

struct StudyPlan {
  historian::ImportOptions import;
  std::optional<DurationUs> beat;
  double val_ratio = 0.25, test_ratio = 0.25;
};

/// Throws SPEC_INVALID with every problem: a variable in two roles, an --integrating that is no CV,
/// a split that is not three shares of 1 with a train part, unreadable times.
StudyPlan plan_study(const StudyRequest& request);

/// The spec of the dataset: MVs stepped, CVs and DVs sloped, source units kept. Throws NODE_MISSING
/// with every column that the file does not have and the nearest that it has, BEAT_UNKNOWN.
dataset::Spec study_spec(const StudyRequest& request, const StudyPlan& plan,
                         const historian::ImportResult& imported, dataset::Window window);

}  // namespace flyball::app
