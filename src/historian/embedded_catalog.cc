#include "historian/embedded_catalog.h"

#include <algorithm>

namespace flyball::historian {
namespace {

constexpr auto kFindTag = "SELECT id, longest FROM tags WHERE line = ? AND name = ?";
constexpr auto kPutTag =
    "INSERT INTO tags(line, name, record) VALUES(?, ?, ?)"
    " ON CONFLICT(line, name) DO UPDATE SET record = excluded.record RETURNING id";
constexpr auto kSetLongest = "UPDATE tags SET longest = ? WHERE id = ?";
constexpr auto kTags = "SELECT record FROM tags WHERE ?1 = '' OR line = ?1 ORDER BY id";
constexpr auto kNodeOf = "SELECT line || '/' || name FROM tags WHERE id = ?";

constexpr auto kFindRun = "SELECT id, record FROM runs WHERE line = ? AND name = ?";
constexpr auto kPutRun =
    "INSERT INTO runs(name, line, product, recipe, started_at, record) VALUES(?, ?, ?, ?, ?, ?)"
    " ON CONFLICT(name, line) DO UPDATE SET started_at = excluded.started_at,"
    " record = excluded.record RETURNING id";
constexpr auto kAddSamples = "UPDATE runs SET samples = samples + ? WHERE id = ?";
constexpr auto kRuns =
    "SELECT record FROM runs WHERE (?1 = '' OR line = ?1) AND (?2 = '' OR product = ?2)"
    " AND (?3 = '' OR recipe = ?3) AND (?4 = '' OR name = ?4) AND samples >= ?5"
    " ORDER BY started_at, name, id";
constexpr auto kPassing =
    "SELECT id FROM runs WHERE (?1 = '' OR line = ?1) AND (?2 = '' OR product = ?2)"
    " AND (?3 = '' OR recipe = ?3) ORDER BY id";
constexpr auto kPassingNamed =
    "SELECT id FROM runs WHERE name = ?4 AND (?1 = '' OR line = ?1)"
    " AND (?2 = '' OR product = ?2) AND (?3 = '' OR recipe = ?3) ORDER BY id";

constexpr auto kPutImport =
    "INSERT INTO imports(line, source, sha256, at, account) VALUES(?, ?, ?, ?, ?)";
constexpr auto kImports =
    "SELECT source, sha256, line, at, account FROM imports WHERE ?1 = '' OR line = ?1"
    " ORDER BY id DESC LIMIT ?2";

template <class R>
R parse(const store::Statement& q, int column) {
  return parse_record<R>(parse_json(q.text(column), "historian.db"));
}

std::int64_t returned_id(store::Statement q) {
  q.step();
  const std::int64_t id = q.integer(0);
  q.run();
  return id;
}

}  // namespace

bool RunSet::has(std::int64_t run) const {
  return all_ || std::ranges::binary_search(ids_, run);
}

Catalog::Catalog(store::Database& db)
    : db_(db),
      find_tag_(db.prepare(kFindTag)),
      find_run_(db.prepare(kFindRun)),
      passing_(db.prepare(kPassing)),
      passing_named_(db.prepare(kPassingNamed)) {}

std::optional<TagRow> Catalog::find_tag(const std::string& node_id) {
  const std::string_view line = line_of(node_id);
  if (line.size() == node_id.size()) return std::nullopt;
  find_tag_.bind(line, std::string_view(node_id).substr(line.size() + 1));
  std::optional<TagRow> out;
  if (find_tag_.step()) out = TagRow{find_tag_.integer(0), node_id, find_tag_.integer(1)};
  find_tag_.finish();
  return out;
}

std::int64_t Catalog::put_tag(const plant::Tag& tag) {
  return returned_id(db_.query(kPutTag, tag.line_id, tag.name, canonical(to_json_value(tag))));
}

void Catalog::set_longest(std::int64_t tag, DurationUs longest) {
  db_.run(kSetLongest, longest, tag);
}

std::vector<plant::Tag> Catalog::tags(const std::string& line_id) {
  std::vector<plant::Tag> out;
  for (store::Statement q = db_.query(kTags, line_id); q.step();)
    out.push_back(parse<plant::Tag>(q, 0));
  return out;
}

std::string Catalog::node_of(std::int64_t tag) {
  store::Statement q = db_.query(kNodeOf, tag);
  return q.step() ? q.text(0) : std::string();
}

std::optional<RunRow> Catalog::find_run(const std::string& line_id, const std::string& name) {
  find_run_.bind(line_id, name);
  std::optional<RunRow> out;
  if (find_run_.step()) out = RunRow{find_run_.integer(0), parse<plant::Run>(find_run_, 1)};
  find_run_.finish();
  return out;
}

std::int64_t Catalog::put_run(const plant::Run& run) {
  return returned_id(db_.query(kPutRun, run.id, run.line_id, run.product_id, run.recipe_id,
                               run.started_at, canonical(to_json_value(run))));
}

void Catalog::add_samples(std::int64_t run, std::int64_t change) {
  db_.run(kAddSamples, change, run);
}

std::vector<plant::Run> Catalog::runs(const Filter& filter, bool with_samples) {
  std::vector<plant::Run> out;
  for (store::Statement q = db_.query(kRuns, filter.line_id, filter.product_id, filter.recipe_id,
                                      filter.run_id, with_samples);
       q.step();)
    out.push_back(parse<plant::Run>(q, 0));
  return out;
}

RunSet Catalog::passing(const Filter& filter) {
  const auto& [line, product, recipe, run] = filter;
  if (line.empty() && product.empty() && recipe.empty() && run.empty()) return {};
  store::Statement& q = run.empty() ? passing_.bind(line, product, recipe)
                                    : passing_named_.bind(line, product, recipe, run);
  std::vector<std::int64_t> ids;
  while (q.step()) ids.push_back(q.integer(0));
  return RunSet(std::move(ids));
}

void Catalog::put_import(const ImportRecord& record) {
  db_.run(kPutImport, record.line_id, record.source, record.sha256, record.at, record.account_json);
}

std::vector<ImportRecord> Catalog::imports(const std::string& line_id, std::int64_t limit) {
  std::vector<ImportRecord> out;
  for (store::Statement q = db_.query(kImports, line_id, limit); q.step();)
    out.push_back({q.text(0), q.text(1), q.text(2), q.integer(3), q.text(4)});
  return out;
}

}  // namespace flyball::historian
