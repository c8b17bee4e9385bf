#include "registry/inventory.h"

#include <algorithm>

#include "store/files.h"

namespace flyball::registry {
namespace {

namespace fs = std::filesystem;

/// What a folder of an entity must hold.
struct Contract {
  const char* entity;
  const char* file;
};
constexpr Contract kDatasets{"datasets", "manifest.json"};
constexpr Contract kModels{"models", "REGISTERED"};

void add_orphans(const fs::path& root, const std::string& entity,
                 const std::vector<std::string>& ids, Inventory& out) {
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(root / entity, missing)) {
    const std::string id = entry.path().filename().string();
    const bool staged = id.find(".staging-") != std::string::npos;
    if (!staged && !std::ranges::binary_search(ids, id))
      out.issues.push_back({IssueKind::orphan_dir, entity, id});
  }
}

void compare(const fs::path& root, const Contract& contract, const std::vector<std::string>& ids,
             Inventory& out) {
  const fs::path folder = root / contract.entity;
  for (const std::string& id : ids) {
    if (!fs::is_directory(folder / id)) {
      out.issues.push_back({IssueKind::entity_missing, contract.entity, id});
    } else if (!fs::exists(folder / id / contract.file)) {
      out.issues.push_back({IssueKind::contract_missing, contract.entity, id});
    }
  }
  add_orphans(root, contract.entity, ids, out);
}

}  // namespace

Inventory take_inventory(Registry& registry, const fs::path& data_folder,
                         const std::optional<std::vector<std::string>>& jobs) {
  const auto datasets = registry.dataset_ids(), models = registry.model_ids();
  Inventory out;
  out.root = data_folder.string();
  out.datasets = std::ssize(datasets);
  out.models = std::ssize(models);
  compare(data_folder, kDatasets, datasets, out);
  compare(data_folder, kModels, models, out);
  if (jobs) add_orphans(data_folder, "jobs", *jobs, out);
  std::ranges::sort(out.issues, {},
                    [](const EntityIssue& i) { return std::tuple(i.entity, i.id, i.kind); });
  out.ok = out.issues.empty();
  return out;
}

std::vector<std::string> prune(const Inventory& inventory, const fs::path& data_folder) {
  std::vector<std::string> out;
  for (const EntityIssue& issue : inventory.issues) {
    const fs::path folder = data_folder / issue.entity / issue.id;
    if (issue.kind != IssueKind::orphan_dir || !fs::is_directory(fs::symlink_status(folder)))
      continue;
    store::remove_folder(folder);
    out.push_back(issue.entity + "/" + issue.id);
  }
  return out;
}

}  // namespace flyball::registry
