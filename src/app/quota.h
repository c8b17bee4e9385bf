#pragma once
// How much a line may keep: datasets, models, bytes of both (settings quota.*; 0 is no limit).
#include <filesystem>
#include <string>

#include "registry/registry.h"
#include "registry/settings_store.h"

namespace flyball::app {

enum class Adds { dataset, model };

/// Throws QUOTA_DATASETS, QUOTA_MODELS or QUOTA_BYTES when the line is at its limit, so that
/// nothing more of this kind may be added. Bytes are counted only where there is a limit.
void check_quota(registry::Registry& registry, registry::SettingsStore* settings,
                 const std::filesystem::path& data, const std::string& line, Adds what);

/// Of the files in a folder; 0 when there is none.
std::int64_t folder_bytes(const std::filesystem::path& folder);

}  // namespace flyball::app
