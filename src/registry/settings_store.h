#pragma once
// Live settings as rows that are only added: the newest row of a (key, line) is in force, the
// highest version names the state of them all. Which keys exist is app's business.
#include <cstdint>
#include <optional>
#include <string>

#include "core/time.h"
#include "store/sqlite.h"

namespace flyball::registry {

struct StoredSetting {
  double value = 0;
  std::string reason;
  std::int64_t version = 0;
};

class SettingsStore {
 public:
  explicit SettingsStore(store::Database& db) : db_(db) {}

  /// The value set for this line ("" = for all lines), if any; a row without value takes it back.
  [[nodiscard]] std::optional<StoredSetting> get(const std::string& key,
                                                 const std::string& line_id);
  /// The new version.
  std::int64_t set(const std::string& key, const std::string& line_id, std::optional<double> value,
                   const std::string& reason, TimeUs at);
  /// 0 when nothing was ever set.
  [[nodiscard]] std::int64_t version();

 private:
  store::Database& db_;
};

}  // namespace flyball::registry
