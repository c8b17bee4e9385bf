#include "advise/ledger.h"
#include "store/columns.h"
#include "store/savepoint.h"

namespace flyball::advise {
namespace {

constexpr std::string_view kAdd =
    "INSERT INTO optimizer_profiles(id, version, status, model_ref, model_artifact_hash, line_id, "
    "product_id, recipe_id, content_json, created_by, created_at) "
    "VALUES(?, ?, 'draft', ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr std::string_view kNewest =
    "SELECT coalesce(max(version), 0), min(line_id) FROM optimizer_profiles WHERE id = ?";
constexpr std::string_view kUsers =
    "SELECT id, version FROM optimizer_profiles WHERE model_ref = ? AND status <> 'retired' "
    "ORDER BY id, version";
constexpr std::string_view kActivate =
    "UPDATE optimizer_profiles SET status = 'active', activated_by = ?, activated_at = ? "
    "WHERE id = ? AND version = ? AND status = ?";
constexpr std::string_view kRetire =
    "UPDATE optimizer_profiles SET status = 'retired', retired_by = ?, retired_at = ? "
    "WHERE id = ? AND version = ? AND status = ?";
constexpr std::string_view kRetireOthers =
    "UPDATE optimizer_profiles SET status = 'retired', retired_by = ?, retired_at = ? "
    "WHERE id = ? AND version <> ? AND status = 'active'";
const std::string kColumns =
    "SELECT id, version, status, line_id, product_id, recipe_id, model_artifact_hash, "
    "content_json, created_by, activated_by, retired_by, created_at, activated_at, retired_at "
    "FROM optimizer_profiles ";
const std::string kOne =
    kColumns + "WHERE id = ?1 AND (?2 IS NULL OR version = ?2) ORDER BY version DESC LIMIT 1";
const std::string kOfLine = kColumns + "WHERE ?1 = '' OR line_id = ?1 ORDER BY rowid DESC";

Profile read(const store::Statement& q) {
  return {q.text(0),
          q.integer(1),
          store::enum_column<ProfileStatus>(q, 2),
          q.text(3),
          q.text(4),
          q.text(5),
          q.text(6),
          *store::record_column<ProfileContent>(q, 7),
          q.text(8),
          q.text(9),
          q.text(10),
          q.integer(11),
          q.integer_or_none(12),
          q.integer_or_none(13)};
}

}  // namespace

Profile Ledger::add_profile(Profile p) {
  store::Savepoint transaction(db_);
  if (p.id.empty()) {
    p.id = timed_id("prf", p.created_at);
    p.version = 1;
  } else {
    store::Statement q = db_.query(kNewest, p.id);
    q.step();
    p.version = q.integer(0) + 1;
    if (p.version == 1) throw Error("PROFILE_MISSING", {{"id", p.id}});
    if (q.text(1) != p.line_id)
      throw Error("PROFILE_LINE", {{"id", p.id}, {"line", q.text(1)}, {"other", p.line_id}});
  }
  p.status = ProfileStatus::draft;
  db_.run(kAdd, p.id, p.version, p.content.model_id, p.model_artifact_hash, p.line_id, p.product_id,
          p.recipe_id, canonical(to_json_value(p.content)), p.created_by, p.created_at);
  transaction.commit();
  return p;
}

Profile Ledger::profile(const std::string& id, std::optional<std::int64_t> version) {
  store::Statement q = db_.query(kOne, id, version);
  if (!q.step())
    throw Error("PROFILE_MISSING", {{"id", version ? id + "@" + std::to_string(*version) : id}});
  return read(q);
}

std::vector<Profile> Ledger::profiles(const std::string& line_id) {
  std::vector<Profile> out;
  for (store::Statement q = db_.query(kOfLine, line_id); q.step();) out.push_back(read(q));
  return out;
}

Profile Ledger::move_profile(const std::string& id, std::int64_t version, ProfileStatus to,
                             const std::string& by, TimeUs now) {
  store::Savepoint transaction(db_);
  const Profile p = profile(id, version);
  if (!may_move(p.status, to))
    throw Error("PROFILE_STATUS", {{"id", id + "@" + std::to_string(version)},
                                   {"from", enum_name(p.status)},
                                   {"to", enum_name(to)}});
  if (to == ProfileStatus::active) db_.run(kRetireOthers, by, now, id, version);
  const std::string_view sql = to == ProfileStatus::active ? kActivate : kRetire;
  if (db_.run(sql, by, now, id, version, enum_name(p.status)) != 1)
    throw Error("PROFILE_RACE", {{"id", id + "@" + std::to_string(version)}});
  transaction.commit();
  return profile(id, version);
}

std::vector<std::string> Ledger::users_of_model(const std::string& model_id) {
  std::vector<std::string> out;
  for (store::Statement q = db_.query(kUsers, model_id); q.step();)
    out.push_back("optimizer_profile:" + q.text(0) + "@" + std::to_string(q.integer(1)));
  return out;
}

}  // namespace flyball::advise
