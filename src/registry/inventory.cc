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

void compare(const fs::path& root, const Contract& contract, const std::vector<std::string>& ids,
             Inventory& out) {
  const auto add = [&](IssueKind kind, const std::string& id) {
    out.issues.push_back({kind, contract.entity, id});
  };
  const fs::path folder = root / contract.entity;
  for (const std::string& id : ids) {
    if (!fs::is_directory(folder / id)) {
      add(IssueKind::entity_missing, id);
    } else if (!fs::exists(folder / id / contract.file)) {
      add(IssueKind::contract_missing, id);
    }
  }
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const std::string id = entry.path().filename().string();
    const bool staged = id.find(".staging-") != std::string::npos;
    if (!staged && !std::ranges::binary_search(ids, id)) add(IssueKind::orphan_dir, id);
  }
}

}  // namespace

Inventory take_inventory(Registry& registry, const fs::path& data_folder) {
  const auto datasets = registry.dataset_ids(), models = registry.model_ids();
  Inventory out;
  out.root = data_folder.string();
  out.datasets = std::ssize(datasets);
  out.models = std::ssize(models);
  compare(data_folder, kDatasets, datasets, out);
  compare(data_folder, kModels, models, out);
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
