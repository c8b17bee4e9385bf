#pragma once
// The live settings: one row per key with default, range and unit. A value comes from the
// environment (FLYBALL_GATES_NRMSE), else the line's row in the database, else the row for all
// lines, else the default; every gate report says which and at what version.
#include <string>
#include <string_view>
#include <vector>

#include "app/requests.h"
#include "custody/disk.h"
#include "custody/retention.h"
#include "gates/thresholds.h"
#include "registry/settings_store.h"

namespace flyball::app {

/// Which direction of change weakens a gate: setting it that way needs a written reason.
enum class Loosens { neither, up, down };

struct SettingSpec {
  std::string key;
  double default_value = 0, min = 0, max = 0;
  std::string unit;
  Loosens loosens = Loosens::neither;
  std::string doc;
  bool whole = false;  ///< takes whole numbers only
};

/// Those of the gates come from gates::Thresholds, where each is declared.
std::vector<SettingSpec> setting_specs();

/// As the settings say; they hold for all lines.
custody::RetentionRules retention_rules(registry::SettingsStore* store);
custody::DiskNeeds disk_needs(registry::SettingsStore* store);

/// Throws SETTING_UNKNOWN with the nearest key.
SettingSpec setting_spec(std::string_view key);

/// "gates.valTestGap" → "FLYBALL_GATES_VAL_TEST_GAP".
std::string environment_name(std::string_view key);

/// One setting as it holds for a line. `store` may be null: nothing was ever set. Throws
/// SETTING_VALUE when the environment holds what is not a number in range.
SettingView resolve(const SettingSpec& spec, registry::SettingsStore* store,
                    const std::string& line_id);

/// The gate thresholds as they hold for a line, and where each comes from.
struct LiveThresholds {
  gates::Thresholds thresholds;
  gates::Provenance provenance;
};
LiveThresholds live_thresholds(registry::SettingsStore* store, const std::string& line_id);

/// Checks range and reason, then writes. Throws SETTING_VALUE, SETTING_REASON_MISSING.
void set(const ConfigSetRequest& request, registry::SettingsStore& store, TimeUs now);

}  // namespace flyball::app
