#include "registry/settings_store.h"

namespace flyball::registry {
namespace {

constexpr std::string_view kGet =
    "SELECT value, reason, version FROM settings WHERE key = ? AND line_id = ? ORDER BY version "
    "DESC LIMIT 1";
constexpr std::string_view kSet =
    "INSERT INTO settings(key, line_id, value, reason, set_at) VALUES(?, ?, ?, ?, ?)";
constexpr std::string_view kVersion = "SELECT coalesce(max(version), 0) FROM settings";

}  // namespace

std::optional<StoredSetting> SettingsStore::get(const std::string& key,
                                                const std::string& line_id) {
  store::Statement q = db_.query(kGet, key, line_id);
  if (!q.step() || q.is_null(0)) return std::nullopt;
  return StoredSetting{q.real(0), q.text(1), q.integer(2)};
}

std::int64_t SettingsStore::set(const std::string& key, const std::string& line_id,
                                std::optional<double> value, const std::string& reason, TimeUs at) {
  store::Transaction transaction(db_);
  db_.run(kSet, key, line_id, value, reason, at);
  const std::int64_t version = db_.last_row_id();
  transaction.commit();
  return version;
}

std::int64_t SettingsStore::version() {
  store::Statement q = db_.query(kVersion);
  q.step();
  return q.integer(0);
}

}  // namespace flyball::registry
