#include "registry/registry.h"

#include <fmt/format.h>

#include <random>

#include "core/digest.h"
#include "store/files.h"

namespace flyball::registry {

namespace fs = std::filesystem;

void Registry::place_model(ModelRow& row, const std::map<std::string, std::string>& files) {
  if (has_model(row.id)) throw Error("MODEL_EXISTS", {{"id", row.id}});
  discard_model(row.id);
  store::StagedFolder folder(models_ / row.id);
  for (const auto& [name, bytes] : files) {
    folder.write(name, bytes);
    row.files[name] = sha256(bytes);
  }
  folder.write("REGISTERED", row.artifact_hash + "\n");
  row.files["REGISTERED"] = sha256(row.artifact_hash + "\n");
  if (!folder.commit()) throw Error("MODEL_EXISTS", {{"id", row.id}});
}

void Registry::discard_model(const std::string& id) {
  if (!has_model(id)) store::remove_folder(models_ / id);
}

std::string Registry::model_file(const ModelRow& row, const std::string& name) const {
  const auto known = row.files.find(name);
  const fs::path path = models_ / row.id / name;
  if (const auto pruned = pruned_at(row.id))
    throw Error("MODEL_PRUNED", {{"id", row.id}, {"at", format_time(*pruned)}});
  if (known == row.files.end() || !fs::exists(path))
    throw Error("ARTIFACT_MISSING", {{"id", row.id}, {"file", name}});
  std::string bytes = store::read_file(path);
  if (sha256(bytes) != known->second)
    throw Error("ARTIFACT_CORRUPT", {{"id", row.id}, {"file", name}});
  return bytes;
}

std::vector<std::string> Registry::verify(const ModelRow& row) const {
  std::vector<std::string> problems;
  for (const auto& [name, digest] : row.files) {
    try {
      (void)model_file(row, name);
    } catch (const Error& e) {
      problems.emplace_back(e.what());
    }
  }
  const fs::path folder = models_ / row.id;
  if (!fs::exists(folder)) return problems;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!row.files.contains(name))
      problems.push_back(Message{"ARTIFACT_UNKNOWN_FILE", {{"id", row.id}, {"file", name}}}.text());
  }
  return problems;
}

std::string random_id(const std::string& prefix) {
  std::random_device device;
  const std::uint64_t bits = (std::uint64_t{device()} << 32) | device();
  return fmt::format("{}-{:012x}", prefix, bits & 0xffffffffffff);
}

}  // namespace flyball::registry
