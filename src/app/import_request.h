#pragma once
// Request and response of the import.
#include "core/words.h"
#include "historian/import_plan.h"

namespace flyball::app {

struct ImportRequest : historian::ImportOptions {
  using Extends = historian::ImportOptions;
  std::string file;
  bool dry_run = false;
  std::optional<std::string> rejects;
  bool confirm_context = false;
  std::optional<std::string> by;
  static constexpr std::string_view kInputFile = "file";
  static constexpr std::string_view kOutputFile = "rejects";

  static constexpr auto fields() {
    using I = ImportRequest;
    return join(
        FieldList{
            field("file", &I::file, "text table; - reads standard input").required().positional(),
            field("dryRun", &I::dry_run, "show the plan and the first rows, store nothing"),
            field("rejects", &I::rejects,
                  "file to write rejected rows to (CSV: line, code, reason, text); also when the "
                  "import is refused for them"),
            field("confirmContext", &I::confirm_context,
                  "say, as a person who knows, that each run was made by the version of the recipe "
                  "that was in force then; kept with name and time"),
            field("by", &I::by, "who confirms; default: the user of this process")},
        ImportOptions::fields());
  }
};

/// A model in shadow that predicted what was stored.
struct ShadowFollowed {
  std::string model_id;
  std::int64_t predictions = 0;
  std::optional<Words> problem;
  static constexpr auto fields() {
    using S = ShadowFollowed;
    return FieldList{field("modelId", &S::model_id, "mdl-..."),
                     field("predictions", &S::predictions, "new ones that could be scored"),
                     field("problem", &S::problem, "why it could not; the samples are stored")};
  }
};

struct ImportResponse {
  std::string line;
  bool dry_run = false;
  historian::ImportAccount account;
  std::optional<historian::ImportPlan> plan;
  std::vector<std::string> created;
  std::vector<std::string> segments;
  std::vector<ShadowFollowed> shadow;
  std::optional<std::string> rejects;
  static constexpr auto fields() {
    using I = ImportResponse;
    return FieldList{
        field("line", &I::line, "line the tags belong to"),
        field("dryRun", &I::dry_run, "nothing was stored"),
        field("account", &I::account, "rows in = stored + rejected + merged, and per tag"),
        field("plan", &I::plan, "of a dry run: columns, runs, first rows"),
        field("created", &I::created, "line, product, recipe that were not known before"),
        field("segments", &I::segments, "context segments that were drafted, or confirmed"),
        field("shadow", &I::shadow, "models in shadow on this line, and what they predicted"),
        field("rejects", &I::rejects, "file that holds the rejected rows")};
  }
};

}  // namespace flyball::app
