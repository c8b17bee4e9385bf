// Which line a request concerns: by its field "line", else by the object that its id names.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/job_service.h"
#include "app/records.h"

namespace flyball::app {
namespace {

using Lines = std::vector<std::string>;

std::string text(const Json& request, const char* field) {
  const auto it = request.find(field);
  return it != request.end() && it->is_string() ? it->get<std::string>() : "";
}

Lines of_dataset(registry::Registry& registry, const std::string& id) {
  return {registry.dataset(id).line_id};
}

/// Users, tokens and settings belong to no line; grants on lines are what administration is about.
constexpr std::array<std::string_view, 9> kWithoutLine{
    "users", "tokens", "auth", "entities", "backup", "restore", "system", "retention", "notices"};

/// The field "line", or its default; nothing when it may be left out and is.
std::optional<Lines> line_field(const Operation& operation, const Json& request) {
  for (const Flag& flag : operation.flags()) {
    if (flag.name != "line" || flag.repeatable) continue;
    const std::string given = text(request, "line");
    const std::string& line = given.empty() ? flag.default_text : given;
    return line.empty() ? Lines{} : Lines{line};
  }
  return {};
}

}  // namespace

std::vector<std::string> App::lines_of(const Operation& operation, const Json& request) {
  const std::string_view noun = operation.name.substr(0, operation.name.find('.'));
  if (std::ranges::find(kWithoutLine, noun) != kWithoutLine.end()) return {};
  // The line stands in the spec, which the operation reads and checks.
  const bool by_spec = operation.name == "datasets.build" || operation.name == "jobs.build";
  if (by_spec && !text(request, "spec").empty()) return {};
  if (const auto lines = line_field(operation, request)) return *lines;
  if (operation.name == "lines.delete") return {text(request, "id")};
  if (operation.name == "lines.add") return {};
  if (operation.name == "tests.plan" && text(request, "model").empty()) return {};
  if (operation.name == "tests.plan")
    return {records().registry.model(text(request, "model")).line_id};
  if (operation.name == "jobs.train")
    return of_dataset(records().registry, text(request, "dataset"));
  if (operation.name == "models.evaluate") {
    registry::Registry& registry = records().registry;
    return {registry.model(text(request, "id")).line_id,
            registry.dataset(text(request, "dataset")).line_id};
  }
  if (operation.name == "datasets.diff") {
    registry::Registry& registry = records().registry;
    return {registry.dataset(text(request, "a")).line_id,
            registry.dataset(text(request, "b")).line_id};
  }
  if (operation.name == "bindings.set" && text(request, "id").empty())
    return {records().ledger.profile(text(request, "profile")).line_id};
  const std::vector<Flag> flags = operation.flags();
  if (std::ranges::none_of(flags, [](const Flag& f) { return f.name == "id"; })) return {};
  const std::string id = text(request, "id");
  Records& r = records();
  if (noun == "datasets") return of_dataset(r.registry, id);
  if (noun == "experiments") return of_dataset(r.registry, r.registry.experiment(id).dataset_id);
  if (noun == "models") return {r.registry.model(id).line_id};
  if (noun == "evaluations") return {r.evaluations.get(id).line_id};
  if (noun == "profiles") return {r.ledger.profile(id).line_id};
  if (noun == "bindings") return {r.ledger.binding(id).line_id};
  if (noun == "solves") return {r.ledger.run(id).line_id};
  if (noun == "advice") return {r.ledger.recommendation(id).line_id};
  if (noun == "plans") return {r.plans.get(id).line_id};
  if (noun == "jobs") return {job_service().queue().job(id).asked.line_id};
  if (noun == "marks") return {r.plant.mark(id).line_id};
  if (noun == "segments") return {r.plant.segment(id).line_id};
  if (noun == "approvals") return {r.govern.approvals.get(id, clock_.now()).line_id};
  throw Error("LINE_UNKNOWN", {{"operation", operation.name}});
}

}  // namespace flyball::app
