#pragma once
// The live settings: one row per key with default, range and unit. A value comes from the
// environment (FLYBALL_GATES_NRMSE), else the line's row in the database, else the row for all
// lines, else the default; every gate report says which and at what version.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/requests.h"
#include "registry/settings_store.h"

namespace flyball::app {

/// Which direction of change weakens a gate: setting it that way needs a written reason.
enum class Loosens { neither, up, down };

struct SettingSpec {
  std::string_view key;
  double default_value, min, max;
  std::string_view unit;
  Loosens loosens;
  std::string_view doc;
};

std::span<const SettingSpec> setting_specs();

/// Throws SETTING_UNKNOWN with the nearest key.
const SettingSpec& setting_spec(std::string_view key);

/// "gates.valTestGap" → "FLYBALL_GATES_VAL_TEST_GAP".
std::string environment_name(std::string_view key);

/// One setting as it holds for a line. `store` may be null: nothing was ever set. Throws
/// SETTING_VALUE when the environment holds what is not a number in range.
SettingView resolve(const SettingSpec& spec, registry::SettingsStore* store, const std::string& line_id);

/// Checks range and reason, then writes. Throws SETTING_VALUE, SETTING_REASON_MISSING.
void set(const ConfigSetRequest& request, registry::SettingsStore& store, TimeUs now);

}  // namespace flyball::app
