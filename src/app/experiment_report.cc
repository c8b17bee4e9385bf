// The report of an experiment: in the folder of its job, or where `flyball study` puts it.
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/job_service.h"
#include "app/records.h"
#include "store/files.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

Json file_json(const fs::path& file) {
  return parse_json(store::read_file(file), file.string());
}

/// "exp-<digits>-<attempt>" was made by job-<digits>; its folder holds the newest attempt only.
std::optional<fs::path> of_job(const fs::path& data, const std::string& experiment) {
  const auto end = experiment.rfind('-');
  if (!experiment.starts_with("exp-") || end <= 4) return std::nullopt;
  const fs::path folder = job_folder(data, "job-" + experiment.substr(4, end - 4));
  const fs::path result = folder / "result.json";
  if (!fs::exists(result) || file_json(result)["experiment"]["id"] != experiment)
    return std::nullopt;
  return folder / "out";
}

/// Made again by a report job.
std::optional<fs::path> rebuilt(const fs::path& data, const std::string& experiment) {
  const fs::path folder = data / "reports" / experiment;
  if (!fs::exists(folder / "report.json")) return std::nullopt;
  return folder;
}

/// A study's folder is named by its dataset; the model tells whether it is this study's.
std::optional<fs::path> of_study(const fs::path& data, const registry::ExperimentRow& row) {
  const fs::path folder = data / "reports" / row.dataset_id;
  if (!fs::exists(folder / "report.json") || !row.metrics.is_object()) return std::nullopt;
  const Json report = file_json(folder / "report.json");
  const Json& evaluation = report["evaluation"];
  if (!evaluation.is_object() || evaluation["artifactHash"] != row.metrics["artifactHash"])
    return std::nullopt;
  return folder;
}

}  // namespace

ReportResponse App::experiment_report(const IdRequest& request, const Call&) {
  const registry::ExperimentRow row = records().registry.experiment(request.id);
  std::optional<fs::path> folder = rebuilt(data_.path, row.id);
  if (!folder) folder = of_job(data_.path, row.id);
  if (!folder) folder = of_study(data_.path, row);
  if (!folder || !fs::exists(*folder / "pictures.json"))
    throw Error("REPORT_MISSING", {{"id", row.id}, {"dataset", row.dataset_id}});
  return {file_json(*folder / "report.json"), file_json(*folder / "pictures.json")};
}

}  // namespace flyball::app
