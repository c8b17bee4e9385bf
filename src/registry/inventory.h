#pragma once
// Rows and folders compared (platform.md §2.11): the row is the index, the folder the content.
#include <filesystem>
#include <string>
#include <vector>

#include "core/record.h"
#include "registry/registry.h"

namespace flyball::registry {

/// entity_missing: a row without its folder; orphan_dir: a folder without a row; contract_missing:
/// a folder without the file that makes it one.
enum class IssueKind { entity_missing, orphan_dir, contract_missing };
constexpr auto enum_names(IssueKind) {
  return std::array<std::string_view, 3>{"entity_missing", "orphan_dir", "contract_missing"};
}

struct EntityIssue {
  IssueKind kind = IssueKind::orphan_dir;
  std::string entity;  ///< "datasets", "models" or "jobs"
  std::string id;
  static constexpr auto fields() {
    using E = EntityIssue;
    return FieldList{field("kind", &E::kind, "what is wrong"),
                     field("entity", &E::entity, "datasets, models or jobs"),
                     field("id", &E::id, "name of the folder")};
  }
};

struct Inventory {
  std::string root;
  std::int64_t datasets = 0, models = 0;
  std::vector<EntityIssue> issues;
  bool ok = true;
  static constexpr auto fields() {
    using I = Inventory;
    return FieldList{field("root", &I::root, "data folder"),
                     field("datasets", &I::datasets, "rows"), field("models", &I::models, "rows"),
                     field("issues", &I::issues, "what does not agree"),
                     field("ok", &I::ok, "nothing disagrees")};
  }
};

/// `jobs`: ids of those that have a row, sorted. A job may have no folder; a folder has a job.
Inventory take_inventory(Registry& registry, const std::filesystem::path& data_folder,
                         const std::optional<std::vector<std::string>>& jobs = {});

/// Removes the folders of orphan_dir issues that lie inside `data_folder` and are no links; which.
std::vector<std::string> prune(const Inventory& inventory,
                               const std::filesystem::path& data_folder);

}  // namespace flyball::registry
