// Use cases on process-model specs.
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/caller.h"
#include "app/input.h"
#include "app/items.h"
#include "app/process_spec_requests.h"
#include "app/process_spec_use.h"
#include "app/records.h"
#include "app/study_plan.h"

namespace flyball::app {
namespace {

std::string name_of(const plant::ProcessSpec& s) {
  return s.name + "@" + std::to_string(s.version);
}

plant::SpecContent content_of(const ProcessSpecCreateRequest& request,
                              const std::filesystem::path& data, const Call& call) {
  if (request.spec) return *request.spec;
  if (request.file.empty()) throw Error("FIELD_REQUIRED", {{"field", "file"}}, "/file");
  const Input input = open_input(request.file, data, call);
  return parse_record<plant::SpecContent>(parse_json(input.text(), "the process-model spec"));
}

/// What could never be studied is refused at once: roles, set-points, pipes, priors, trainer.
void check_content(const plant::ProcessSpec& spec, const std::vector<plant::Tag>& tags) {
  std::vector<Problem> problems;
  plant::check(spec.content, spec.line_id, tags, problems);
  if (!problems.empty()) throw Error::of("SPEC_INVALID", std::move(problems));
  StudyRequest study;
  study.line = spec.line_id;
  (void)plan_study(stated(study, spec));
}

}  // namespace

ProcessSpecResponse App::create_process_spec(const ProcessSpecCreateRequest& request,
                                             const Call& call) {
  Records& r = records(true);
  (void)r.plant.line(request.line);
  plant::ProcessSpec spec;
  spec.name = request.name;
  spec.line_id = request.line;
  spec.content = content_of(request, data_.path, call);
  spec.created_by = caller(call).id;
  spec.created_at = clock_.now();
  check_content(spec, historian().tags(request.line));
  const plant::ProcessSpec made = r.process_specs.put(spec);
  if (call.change != nullptr) *call.change = {made.name, made.line_id, nullptr, name_of(made)};
  return show_process_spec({made.name, made.line_id, made.version}, call);
}

ItemsResponse App::list_process_specs(const LineListRequest& request, const Call& call) {
  return page(
      readable(call, records().process_specs.list(request.line.value_or(""))),
      [](const plant::ProcessSpec& s) { return s.line_id + "/" + s.name; }, request.limit,
      request.cursor);
}

ProcessSpecResponse App::show_process_spec(const ProcessSpecRequest& request, const Call&) {
  const plant::ProcessSpecs& specs = records().process_specs;
  ProcessSpecResponse out;
  static_cast<plant::ProcessSpec&>(out) = specs.get(request.line, request.name, request.version);
  out.versions = specs.versions(request.line, request.name);
  return out;
}

ProcessSpecResponse App::move_process_spec(const ProcessSpecRequest& request, plant::SpecStatus to,
                                           const Call& call) {
  plant::ProcessSpecs& specs = records(true).process_specs;
  const plant::ProcessSpec before = specs.get(request.line, request.name, request.version);
  // The tags may have changed since it was written.
  if (to == plant::SpecStatus::active) check_content(before, historian().tags(request.line));
  const plant::ProcessSpec after = specs.move(before, to, caller(call).id, clock_.now());
  if (call.change != nullptr)
    *call.change = {name_of(after), after.line_id, enum_name(before.status),
                    enum_name(after.status)};
  return show_process_spec({after.name, after.line_id, after.version}, call);
}

ProcessSpecResponse App::activate_process_spec(const ProcessSpecRequest& request,
                                               const Call& call) {
  return move_process_spec(request, plant::SpecStatus::active, call);
}

ProcessSpecResponse App::retire_process_spec(const ProcessSpecRequest& request, const Call& call) {
  return move_process_spec(request, plant::SpecStatus::retired, call);
}

}  // namespace flyball::app
