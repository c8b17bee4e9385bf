#pragma once
// Everything that is stored, read and checked: each database, each sample chunk, each dataset and
// model file against its hash, rows against folders, the audit trail against its chain.
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/progress.h"
#include "core/record.h"

namespace flyball::custody {

/// One thing that does not hold.
struct Finding {
  std::string what, id, code, text;
  static constexpr auto fields() {
    using F = Finding;
    return FieldList{
        field("what", &F::what, "datasets, models, samples, audit, files, or a database"),
        field("id", &F::id, "which"), field("code", &F::code, "stable"),
        field("text", &F::text, "what does not hold, in words")};
  }
};

/// One thing that is found makes the answer "no": exit code 1.
struct DeepCheck;
int exit_code_of(const DeepCheck& check);

Finding finding(std::string what, std::string id, const Message& message);

struct DeepCheck {
  std::int64_t datasets = 0, models = 0, audit_rows = 0;
  std::vector<Finding> findings;
  bool ok = true;
  static constexpr auto fields() {
    using D = DeepCheck;
    return FieldList{field("datasets", &D::datasets, "datasets that were read"),
                     field("models", &D::models, "models that were read"),
                     field("auditRows", &D::audit_rows, "rows of the audit trail"),
                     field("findings", &D::findings, "what does not hold"),
                     field("ok", &D::ok, "all holds")};
  }
};

/// Reads the whole folder and writes nothing; what cannot be read is a finding. Throws CANCELLED.
DeepCheck deep_check(const std::filesystem::path& data, const ProgressFn& progress = {},
                     const std::stop_token& stop = {});

}  // namespace flyball::custody
