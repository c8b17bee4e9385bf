#include <charconv>

#include "core/digest.h"
#include "core/record.h"
#include "plant/names.h"
#include "plant/process_spec.h"
#include "store/columns.h"
#include "store/savepoint.h"

namespace flyball::plant {
namespace {

constexpr std::string_view kPut =
    "INSERT INTO process_model_specs(line_id, name, version, status, ref, content_json, "
    "created_by, "
    "created_at) VALUES(?, ?, ?, 'draft', ?, ?, ?, ?) ON CONFLICT(line_id, name, version) DO "
    "UPDATE "
    "SET ref = excluded.ref, content_json = excluded.content_json, created_by = "
    "excluded.created_by, created_at = excluded.created_at WHERE status = 'draft'";
constexpr std::string_view kActivate =
    "UPDATE process_model_specs SET status = 'active', activated_by = ?, activated_at = ? "
    "WHERE line_id = ? AND name = ? AND version = ? AND status = 'draft'";
constexpr std::string_view kRetire =
    "UPDATE process_model_specs SET status = 'retired', retired_by = ?, retired_at = ? "
    "WHERE line_id = ? AND name = ? AND version = ? AND status <> 'retired'";
constexpr std::string_view kRetireOthers =
    "UPDATE process_model_specs SET status = 'retired', retired_by = ?, retired_at = ? "
    "WHERE line_id = ? AND name = ? AND version <> ? AND status = 'active'";
const std::string kColumns =
    "SELECT name, line_id, version, status, ref, content_json, created_by, activated_by, "
    "retired_by, created_at, activated_at, retired_at FROM process_model_specs ";
const std::string kOne = kColumns +
                         "WHERE line_id = ?1 AND name = ?2 AND (?3 IS NULL OR version = ?3) "
                         "ORDER BY version DESC LIMIT 1";
const std::string kActive = kColumns + "WHERE line_id = ? AND name = ? AND status = 'active'";
const std::string kVersions = kColumns + "WHERE line_id = ? AND name = ? ORDER BY version DESC";
constexpr std::string_view kCite =
    "INSERT INTO process_spec_datasets(dataset_id, line_id, name, version, at) "
    "VALUES(?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at";
const std::string kOfDataset =
    kColumns +
    "AS s JOIN process_spec_datasets AS d USING (line_id, name, version) WHERE d.dataset_id = ? "
    "ORDER BY d.at DESC, d.rowid DESC LIMIT 1";
const std::string kNewest =
    kColumns +
    "AS s WHERE (?1 = '' OR line_id = ?1) AND version = (SELECT max(version) FROM "
    "process_model_specs AS o WHERE o.line_id = s.line_id AND o.name = s.name) "
    "ORDER BY line_id, name";

ProcessSpec read(const store::Statement& q) {
  return {q.text(0),
          q.text(1),
          q.integer(2),
          store::enum_column<SpecStatus>(q, 3),
          q.text(4),
          *store::record_column<SpecContent>(q, 5),
          q.text(6),
          q.text(7),
          q.text(8),
          q.integer(9),
          q.integer_or_none(10),
          q.integer_or_none(11)};
}

std::vector<ProcessSpec> read_all(store::Statement q) {
  std::vector<ProcessSpec> out;
  while (q.step()) out.push_back(read(q));
  return out;
}

}  // namespace

ProcessSpec ProcessSpecs::put(const ProcessSpec& spec) {
  check_slug("process-model spec", spec.name);
  const std::string content = canonical(to_json_value(spec.content)), ref = sha256(content);
  store::Savepoint transaction(db_);
  std::int64_t version = 1;
  if (const auto all = versions(spec.line_id, spec.name); !all.empty()) {
    if (all.front().ref == ref) return all.front();
    version = all.front().version + (all.front().status == SpecStatus::draft ? 0 : 1);
  }
  db_.run(kPut, spec.line_id, spec.name, version, ref, content, spec.created_by, spec.created_at);
  transaction.commit();
  return get(spec.line_id, spec.name, version);
}

ProcessSpec ProcessSpecs::get(const std::string& line, const std::string& name,
                              std::optional<std::int64_t> version) const {
  store::Statement q = db_.query(kOne, line, name, version);
  if (q.step()) return read(q);
  const std::vector<ProcessSpec> others = list(line);
  std::vector<std::string_view> known;
  for (const ProcessSpec& s : others) known.push_back(s.name);
  throw Error("NAME_MISSING", {{"what", "process-model spec"},
                               {"name", version ? name + "@" + std::to_string(*version) : name},
                               {"place", " on line " + line},
                               {"suggestion", record_detail::suggestion(name, known)}});
}

ProcessSpec ProcessSpecs::cited(const std::string& line, const std::string& text) const {
  const std::string name = text.substr(0, text.find('@'));
  std::optional<std::int64_t> version;
  if (name.size() < text.size()) {
    const char *from = text.data() + name.size() + 1, *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(from, end, version.emplace());
    if (error != std::errc() || stop != end) version = 0;  // there is none
  }
  if (!version) {
    store::Statement q = db_.query(kActive, line, name);
    if (q.step()) return read(q);
  }
  ProcessSpec found = get(line, name, version);
  if (version && found.status != SpecStatus::draft) return found;
  throw Error("PROCESS_SPEC_INACTIVE",
              {{"name", text}, {"line", line}, {"status", enum_name(found.status)}});
}

std::vector<ProcessSpec> ProcessSpecs::list(const std::string& line) const {
  return read_all(db_.query(kNewest, line));
}

std::vector<ProcessSpec> ProcessSpecs::versions(const std::string& line,
                                                const std::string& name) const {
  return read_all(db_.query(kVersions, line, name));
}

void ProcessSpecs::cite(const ProcessSpec& spec, const std::string& dataset_id, TimeUs now) {
  db_.run(kCite, dataset_id, spec.line_id, spec.name, spec.version, now);
}

std::optional<ProcessSpec> ProcessSpecs::of_dataset(const std::string& dataset_id) const {
  store::Statement q = db_.query(kOfDataset, dataset_id);
  return q.step() ? std::optional(read(q)) : std::nullopt;
}

ProcessSpec ProcessSpecs::move(const ProcessSpec& spec, SpecStatus to, const std::string& by,
                               TimeUs now) {
  store::Savepoint transaction(db_);
  const bool into_force = to == SpecStatus::active;
  if (into_force) db_.run(kRetireOthers, by, now, spec.line_id, spec.name, spec.version);
  if (db_.run(into_force ? kActivate : kRetire, by, now, spec.line_id, spec.name, spec.version) !=
      1) {
    const ProcessSpec found = get(spec.line_id, spec.name, spec.version);
    throw Error("PROCESS_SPEC_STATUS", {{"name", found.name},
                                        {"version", found.version},
                                        {"from", enum_name(found.status)},
                                        {"to", enum_name(to)}});
  }
  transaction.commit();
  return get(spec.line_id, spec.name, spec.version);
}

}  // namespace flyball::plant
