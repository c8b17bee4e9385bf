// Operations on history, datasets and experiments.
#include <array>

#include "app/operation_row.h"
#include "app/operation_tables.h"

namespace flyball::app {
namespace {

using S = Scope;

// clang-format off
constexpr std::array kOperations{
    operation<&App::study>("study.run", "study", "POST", "/studies", S::train, true, "from a text file to a judged model and a report"),
    operation<&App::import>("import", "import", "POST", "/imports", S::operate, true, "store a text table: every row accounted for"),
    operation<&App::list_imports>("imports.list", "imports list", "GET", "/imports", S::view, false, "what was imported, newest first, each with its account"),
    operation<&App::list_samples>("samples.list", "samples list", "GET", "/samples/{tag}", S::view, false, "stored samples of a tag, oldest first"),
    operation<&App::aggregate_samples>("samples.aggregate", "samples aggregate", "GET", "/samples/{tag}/aggregate", S::view, false, "mean by time, least, largest and share of good time per bucket"),
    operation<&App::verify_samples>("samples.verify", "samples verify", "POST", "/samples/verify", S::view, false, "check every chunk of stored samples"),
    operation<&App::build_dataset>("datasets.build", "datasets build", "POST", "/datasets", S::train, true, "cleaned, aligned, split and hashed, from what is stored"),
    operation<&App::list_datasets>("datasets.list", "datasets list", "GET", "/datasets", S::view, false, "datasets, newest first"),
    operation<&App::show_dataset>("datasets.show", "datasets show", "GET", "/datasets/{id}", S::view, false, "one dataset: summary and spec"),
    operation<&App::verify_dataset>("datasets.verify", "datasets verify", "POST", "/datasets/{id}/verify", S::view, false, "check the hash of every file of a dataset"),
    operation<&App::dataset_stats>("datasets.stats", "datasets stats", "GET", "/datasets/{id}/stats", S::view, false, "correlations, dead times, excitation, feedback, and what to look at"),
    operation<&App::diff_datasets>("datasets.diff", "datasets diff", "GET", "/datasets/{a}/diff/{b}", S::view, false, "what differs between two datasets"),
    operation<&App::delete_dataset>("datasets.delete", "datasets delete", "DELETE", "/datasets/{id}", S::operate, true, "delete a dataset that no experiment or model cites", Special::makes_room),
    operation<&App::list_entities>("entities.list", "entities list", "GET", "/entities", S::view, false, "rows and folders compared: what is missing, what is left over"),
    operation<&App::prune_entities>("entities.prune", "entities prune", "POST", "/entities/prune", S::operate, true, "remove folders that no row names", Special::makes_room),
    operation<&App::verify_entities>("entities.verify", "entities verify", "POST", "/entities/verify", S::operate, false, "read everything that is stored and check it against its hashes"),
    operation<&App::survey_tags>("tags.survey", "tags survey", "GET", "/tags/survey", S::view, false, "what the stored samples look like, and what to look at first"),
    operation<&App::list_experiments>("experiments.list", "experiments list", "GET", "/experiments", S::view, false, "every attempt, passed or refused, newest first"),
    operation<&App::show_experiment>("experiments.show", "experiments show", "GET", "/experiments/{id}", S::view, false, "one experiment: options, metrics, gates"),
    operation<&App::experiment_report>("experiments.report", "experiments report", "GET", "/experiments/{id}/report", S::view, false, "what a study found, and what its pages draw"),
    operation<&App::rebuild_report>("experiments.rebuild", "experiments rebuild", "POST", "/experiments/{id}/report", S::train, true, "make the report of an experiment again: a job"),
};
// clang-format on

}  // namespace

std::span<const Operation> data_operations() {
  return kOperations;
}

}  // namespace flyball::app
