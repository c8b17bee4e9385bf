// From a text table to samples, tags, runs and context segments.
#include <algorithm>
#include <set>

#include "app/app.h"
#include "app/caller.h"
#include "app/input.h"
#include "app/plant_use.h"
#include "app/records.h"
#include "app/study_plan.h"
#include "core/digest.h"
#include "historian/memory_historian.h"
#include "store/files.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

std::string csv_cell(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

/// Before anything is stored: the file can be written, and is nothing that must stay.
void check_rejects(const ImportRequest& request) {
  if (!request.rejects) return;
  const fs::path path = *request.rejects;
  const auto refuse = [&](const char* reason) {
    throw Error("REJECTS_FILE", {{"path", path.string()}, {"reason", reason}}, "/rejects");
  };
  std::error_code none;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, none)) refuse("is in a folder that does not exist");
  if (fs::exists(path, none) && !fs::is_regular_file(path, none)) refuse("is no ordinary file");
  if (fs::equivalent(path, request.file, none)) refuse("is the file that is imported");
  store::write_file(path, "");
}

void write_rejects(const std::string& path, const std::vector<historian::RejectedLine>& rows) {
  std::string out = "line,code,reason,text\n";
  for (const historian::RejectedLine& row : rows) {
    out += std::to_string(row.line) + ',' + row.reason.code + ',' + csv_cell(row.reason.text()) +
           ',' + csv_cell(row.text) + '\n';
  }
  store::write_file(path, out);
}

/// A refused import stores nothing, but who asked for the rejected rows gets all of them.
void write_refused_rejects(std::string_view text, historian::ImportOptions options,
                           const std::string& path, const Call& call) {
  options.max_rejects = 1;
  historian::MemoryHistorian scratch;
  write_rejects(path, historian::import_text(text, options, scratch, {}, call.stop).rejected_rows);
}

/// Nothing is stored yet: a dry run looks at what there is.
ImportResponse plan_import(const ImportRequest& request, const historian::ImportOptions& options,
                           std::string_view text, const historian::Historian& stored,
                           const historian::ImportSource& source, const Call& call) {
  ImportResponse out;
  out.line = request.line;
  out.dry_run = true;
  out.plan = historian::plan_text(text, options, stored, call.progress, call.stop, source);
  out.account = out.plan->account;
  return out;
}

}  // namespace

ImportResponse App::import(const ImportRequest& request, const Call& call) {
  const historian::ImportOptions options = import_options(request);
  const Input input = open_input(request.file, data_.path, call);
  const historian::ImportSource source{request.file, sha256(input.text()), clock_.now()};
  if (request.dry_run) {
    const bool stored = historian::EmbeddedHistorian::exists(data_.path);
    const historian::MemoryHistorian nothing;
    return plan_import(request, options, input.text(),
                       stored ? static_cast<const historian::Historian&>(historian()) : nothing,
                       source, call);
  }
  if (request.confirm_context)
    require_right(call, "segments.confirm", Scope::approve, request.line);
  check_rejects(request);
  historian::ImportResult result;
  try {
    result = historian::import_text(input.text(), options, historian(true), call.progress,
                                    call.stop, source);
  } catch (const Error& e) {
    if (e.code() == "IMPORT_TOO_MANY_REJECTS" && request.rejects)
      write_refused_rejects(input.text(), options, *request.rejects, call);
    throw;
  }
  ImportResponse out;
  out.line = request.line;
  out.account = historian::account_of(result);
  if (request.rejects) {
    write_rejects(*request.rejects, result.rejected_rows);
    out.rejects = request.rejects;
  }
  const plant::Author author{author_of(call, request.by), clock_.now(), ""};
  out.created = know_recipe(request, author);
  out.segments = draft_segments(result.runs, request, author);
  reconcile(author);
  out.shadow = follow_in_shadow(request.line, call);
  return out;
}

std::vector<std::string> App::draft_segments(const std::vector<std::string>& runs,
                                             const ImportRequest& request,
                                             const plant::Author& author) {
  std::vector<std::string> out;
  Records& r = records(true);
  store::Transaction transaction(r.db);
  for (const plant::Run& run : historian().runs({.line_id = request.line})) {
    if (std::ranges::find(runs, run.id) == runs.end()) continue;
    for (const plant::ContextSegment& draft : r.plant.draft_run(run)) {
      if (request.confirm_context) (void)r.plant.confirm(draft.id, author);
      out.push_back(draft.id);
    }
  }
  transaction.commit();
  return out;
}

void App::reconcile(const plant::Author& author) {
  Records& r = records(true);
  if (!historian::EmbeddedHistorian::exists(data_.path)) return;
  std::set<std::string> known;
  for (const plant::ContextSegment& s : r.plant.segments({}))
    known.insert(s.line_id + "/" + s.run_id);
  store::Transaction transaction(r.db);
  for (const plant::Run& run : historian(true).runs({})) {
    if (!run.ended_at || known.contains(run.line_id + "/" + run.id)) continue;
    (void)r.plant.ensure({run.line_id, run.product_id, run.recipe_id}, author);
    (void)r.plant.draft_run(run);
  }
  transaction.commit();
}

std::vector<std::string> App::know_recipe(const historian::ImportOptions& options,
                                          const plant::Author& author) {
  std::vector<std::string> out;
  for (const plant::Created& created :
       records(true).plant.ensure({options.line, options.product, options.recipe}, author)) {
    out.push_back(created.what + " " + created.name);
  }
  return out;
}

}  // namespace flyball::app
