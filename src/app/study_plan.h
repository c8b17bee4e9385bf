#pragma once
// A study request, checked and turned into what import and dataset take.
#include "app/requests.h"
#include "app/study_loop.h"
#include "app/study_transport.h"
#include "dataset/spec.h"
#include "historian/import.h"
#include "identify/identify.h"
#include "identify/priors.h"

namespace flyball::app {

/// "a, b,c" → a, b and c without the blanks around them.
std::vector<std::string> split_list(const std::string& text);

/// The options with `--columns a,b,c` taken apart.
historian::ImportOptions import_options(historian::ImportOptions options);

/// The names with ", " between them; after 30 names "...".
std::string joined(const std::vector<std::string_view>& names);

struct StudyPlan {
  historian::ImportOptions import;
  std::vector<identify::SetPoint> set_points;
  double val_ratio = 0.25, test_ratio = 0.25;
  std::vector<identify::Prior> priors;
  std::vector<DeclaredTransport> transports;
  std::vector<identify::PiLoop> loops;
};

/// Throws SPEC_INVALID with every problem: a variable in two roles, an --integrating that is no CV,
/// a --setpoint that is not MV=TAG, a --transport-delay that is not MV=FLOWTAG,DELAY,FLOW, a --loop
/// that is not MV=CV,KP,TI, a split that is not three shares of 1 with a train part, unreadable
/// times.
StudyPlan plan_study(const StudyRequest& request);

/// The spec of the dataset: roles as asked for; units, ranges and kinds of the tags as the
/// historian knows them; MVs and digital tags stepped, others sloped, unless the tag says
/// otherwise. `step` is the time between samples. Throws COLUMNS_MISSING with every tag that the
/// line does not have and the nearest that it has, BEAT_UNKNOWN.
dataset::Spec study_spec(const StudyRequest& request, const StudyPlan& plan,
                         const std::vector<plant::Tag>& tags, std::optional<DurationUs> step,
                         dataset::Window window);

/// Throws LINE_EMPTY naming the lines that have tags, or NO_RUNS naming the recipes that have runs.
void check_stored(const historian::Historian& historian, const historian::Filter& filter);

/// "TAG=AUTO,CAS": samples of TAG count only while its loop is in one of these modes. Throws
/// SPEC_INVALID with every one that names no variable of the spec or a tag without a mode tag.
void keep_modes(const std::vector<std::string>& modes, const std::vector<plant::Tag>& tags,
                dataset::Spec& spec);

/// The runs that a spec without any takes, by name, so that a text and the store give the same
/// spec; more than it may name: none.
std::vector<std::string> run_ids_of(const historian::Historian& historian,
                                    const historian::Filter& filter);

/// The median time between samples of the first CV over the runs of the request, if there are two.
std::optional<DurationUs> usual_step(const historian::Historian& historian,
                                     const StudyRequest& request);

/// The runs of the request came without times: they are shown as elapsed.
bool has_elapsed_times(const historian::Historian& historian, const StudyRequest& request);

}  // namespace flyball::app
