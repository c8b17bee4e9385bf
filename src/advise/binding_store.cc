#include "advise/ledger.h"
#include "store/columns.h"
#include "store/savepoint.h"

namespace flyball::advise {
namespace {

constexpr std::string_view kAdd =
    "INSERT INTO optimizer_bindings(id, revision, profile_id, profile_version, line_id, "
    "node_map_json, recipe_version, recipe_content_hash, enabled, disabled_because, updated_by, "
    "updated_at) VALUES(?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr std::string_view kChange =
    "UPDATE optimizer_bindings SET revision = revision + 1, profile_id = ?, profile_version = ?, "
    "node_map_json = ?, recipe_version = ?, recipe_content_hash = ?, enabled = ?, "
    "disabled_because = ?, updated_by = ?, updated_at = ? WHERE id = ? AND revision = ?";
const std::string kColumns =
    "SELECT id, revision, profile_id, profile_version, line_id, node_map_json, recipe_version, "
    "recipe_content_hash, enabled, disabled_because, updated_by, updated_at "
    "FROM optimizer_bindings ";
const std::string kOne = kColumns + "WHERE id = ?";
const std::string kOfLine = kColumns + "WHERE ?1 = '' OR line_id = ?1 ORDER BY rowid DESC";

Binding read(const store::Statement& q) {
  return {q.text(0),
          q.integer(1),
          q.text(2),
          q.integer(3),
          q.text(4),
          store::json_column(q, 5).get<std::map<std::string, std::string>>(),
          q.integer(6),
          q.text(7),
          q.integer(8) != 0,
          q.text(9),
          q.text(10),
          q.integer(11),
          {}};
}

}  // namespace

std::vector<InForce> Ledger::in_force_beside(const Binding& b) {
  std::vector<InForce> out;
  for (Binding& other : bindings(b.line_id)) {
    if (!other.enabled || other.id == b.id) continue;
    Profile profile = this->profile(other.profile_id, other.profile_version);
    if (profile.status == ProfileStatus::active)
      out.push_back({std::move(other), std::move(profile)});
  }
  return out;
}

std::vector<Words> Ledger::require_alone(const Binding& b) {
  std::vector<Words> out;
  if (!b.enabled) return out;
  const InForce asks{b, profile(b.profile_id, b.profile_version)};
  for (const InForce& holds : in_force_beside(b)) {
    if (const auto refusal = conflict(asks, holds)) throw Error(refusal->code, refusal->params);
    for (const Message& m : shared_cvs(asks, holds)) out.push_back(words(m));
  }
  return out;
}

Binding Ledger::add_binding(Binding b) {
  store::Savepoint transaction(db_);
  b.warnings = require_alone(b);
  b.id = timed_id("bnd", b.updated_at);
  b.revision = 1;
  db_.run(kAdd, b.id, b.profile_id, b.profile_version, b.line_id, canonical(Json(b.node_map)),
          b.recipe_version, b.recipe_content_hash, b.enabled, b.disabled_because, b.updated_by,
          b.updated_at);
  transaction.commit();
  return b;
}

Binding Ledger::binding(const std::string& id) {
  store::Statement q = db_.query(kOne, id);
  if (!q.step()) throw Error("BINDING_MISSING", {{"id", id}});
  return read(q);
}

std::vector<Binding> Ledger::bindings(const std::string& line_id) {
  std::vector<Binding> out;
  for (store::Statement q = db_.query(kOfLine, line_id); q.step();) out.push_back(read(q));
  return out;
}

Binding Ledger::change_binding(Binding b, ExpiryCause cause) {
  store::Savepoint transaction(db_);
  std::vector<Words> warnings = require_alone(b);
  const std::int64_t changed =
      db_.run(kChange, b.profile_id, b.profile_version, canonical(Json(b.node_map)),
              b.recipe_version, b.recipe_content_hash, b.enabled, b.disabled_because, b.updated_by,
              b.updated_at, b.id, b.revision);
  if (changed != 1)
    throw Error("BINDING_REVISION_CHANGED",
                {{"id", b.id}, {"expected", b.revision}, {"revision", binding(b.id).revision}});
  expire_binding(b.id, cause, b.updated_at);
  transaction.commit();
  Binding out = binding(b.id);
  out.warnings = std::move(warnings);
  return out;
}

}  // namespace flyball::advise
