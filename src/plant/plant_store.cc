#include "plant/plant_store.h"

#include <algorithm>

#include "plant/names.h"
#include "plant/rules.h"
#include "store/savepoint.h"

namespace flyball::plant {
namespace {

constexpr std::string_view kLines = "SELECT id, description FROM lines ORDER BY rowid";
constexpr std::string_view kLine = "SELECT id, description FROM lines WHERE id = ?";
constexpr std::string_view kPutLine =
    "INSERT INTO lines(id, description) VALUES(?, ?) "
    "ON CONFLICT(id) DO UPDATE SET description = excluded.description";
constexpr std::string_view kProducts =
    "SELECT id, line_id, description, limits_json FROM products "
    "WHERE ?1 = '' OR line_id = ?1 ORDER BY rowid";
constexpr std::string_view kProduct =
    "SELECT id, line_id, description, limits_json FROM products WHERE line_id = ? AND id = ?";
constexpr std::string_view kPutProduct =
    "INSERT INTO products(line_id, id, description, limits_json) VALUES(?, ?, ?, ?) "
    "ON CONFLICT(line_id, id) DO UPDATE SET description = excluded.description, "
    "limits_json = excluded.limits_json";
constexpr std::string_view kRecipes =
    "SELECT r.id, r.product_id, r.line_id, r.description, v.params_json, v.version, v.content_hash "
    "FROM recipes r JOIN recipe_versions v ON v.line_id = r.line_id AND v.product_id = "
    "r.product_id "
    "AND v.recipe_id = r.id AND v.version = (SELECT max(version) FROM recipe_versions w "
    "WHERE w.line_id = r.line_id AND w.product_id = r.product_id AND w.recipe_id = r.id) "
    "WHERE ?1 = '' OR r.line_id = ?1 ORDER BY r.rowid";
constexpr std::string_view kRecipe =
    "SELECT r.id, r.product_id, r.line_id, r.description, v.params_json, v.version, v.content_hash "
    "FROM recipes r JOIN recipe_versions v ON v.line_id = r.line_id AND v.product_id = "
    "r.product_id AND v.recipe_id = r.id "
    "WHERE r.line_id = ? AND r.product_id = ? AND r.id = ? ORDER BY v.version DESC LIMIT 1";
constexpr std::string_view kPutRecipe =
    "INSERT INTO recipes(line_id, product_id, id, description) VALUES(?, ?, ?, ?) "
    "ON CONFLICT(line_id, product_id, id) DO UPDATE SET description = excluded.description";
constexpr std::string_view kVersions =
    "SELECT version, params_json, content_hash, created_at, by_whom, reason FROM recipe_versions "
    "WHERE line_id = ? AND product_id = ? AND recipe_id = ? ORDER BY version";
constexpr std::string_view kInsertVersion =
    "INSERT INTO recipe_versions(line_id, product_id, recipe_id, version, params_json, "
    "content_hash, created_at, by_whom, reason) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";
std::vector<RecipeParam> params_of(const std::string& json) {
  std::vector<RecipeParam> out;
  const Json parsed = parse_json(json, "flyball.db");
  for (const Json& item : parsed)
    out.push_back(parse_record<RecipeParam>(item, "DATABASE_ROW_INVALID"));
  return out;
}

std::map<std::string, Range> limits_of(const std::string& json) {
  std::map<std::string, Range> out;
  const Json parsed = parse_json(json, "flyball.db");
  for (const auto& [tag, range] : parsed.items())
    out[tag] = parse_record<Range>(range, "DATABASE_ROW_INVALID");
  return out;
}

std::string place(const std::string& line_id) {
  return line_id.empty() ? "" : " on line " + line_id;
}

/// `known` lists the others for the refusal.
template <class T, class Known>
T found(std::optional<T> value, const Known& known, std::string_view what, const std::string& name,
        const std::string& line_id) {
  if (value) return std::move(*value);
  const std::vector<T> others = known();
  std::vector<std::string_view> names;
  for (const T& k : others) names.push_back(k.id);
  throw Error("NAME_MISSING", {{"what", what},
                               {"name", name},
                               {"place", place(line_id)},
                               {"suggestion", record_detail::suggestion(name, names)}});
}

std::vector<Product> read_products(store::Statement q) {
  std::vector<Product> out;
  while (q.step()) out.push_back({q.text(0), q.text(1), q.text(2), limits_of(q.text(3))});
  return out;
}

std::vector<Recipe> read_recipes(store::Statement q) {
  std::vector<Recipe> out;
  while (q.step())
    out.push_back({q.text(0), q.text(1), q.text(2), q.text(3), params_of(q.text(4)), q.integer(5),
                   q.text(6)});
  return out;
}

template <class T>
std::optional<T> first_of(std::vector<T> rows) {
  return rows.empty() ? std::nullopt : std::optional<T>(std::move(rows.front()));
}

void refuse(const std::vector<Problem>& problems) {
  if (!problems.empty()) throw Error::of("SPEC_INVALID", problems);
}

}  // namespace

std::vector<Line> PlantStore::lines() const {
  std::vector<Line> out;
  for (store::Statement q = db_.query(kLines); q.step();) out.push_back({q.text(0), q.text(1)});
  return out;
}

std::vector<Product> PlantStore::products(const std::string& line_id) const {
  return read_products(db_.query(kProducts, line_id));
}

std::vector<Recipe> PlantStore::recipes(const std::string& line_id) const {
  return read_recipes(db_.query(kRecipes, line_id));
}

std::vector<RecipeVersion> PlantStore::recipe_versions(const RecipeKey& key) const {
  std::vector<RecipeVersion> out;
  for (store::Statement q = db_.query(kVersions, key.line_id, key.product_id, key.id); q.step();)
    out.push_back(
        {q.integer(0), params_of(q.text(1)), q.text(2), q.integer(3), q.text(4), q.text(5)});
  return out;
}

std::optional<Line> PlantStore::find_line(const std::string& id) const {
  store::Statement q = db_.query(kLine, id);
  return q.step() ? std::optional(Line{q.text(0), q.text(1)}) : std::nullopt;
}

std::optional<Product> PlantStore::find_product(const std::string& line_id,
                                                const std::string& id) const {
  return first_of(read_products(db_.query(kProduct, line_id, id)));
}

std::optional<Recipe> PlantStore::find_recipe(const RecipeKey& key) const {
  return first_of(read_recipes(db_.query(kRecipe, key.line_id, key.product_id, key.id)));
}

Line PlantStore::line(const std::string& id) const {
  return found(
      find_line(id), [&] { return lines(); }, "line", id, "");
}

Product PlantStore::product(const std::string& line_id, const std::string& id) const {
  (void)line(line_id);
  return found(
      find_product(line_id, id), [&] { return products(line_id); }, "product", id, line_id);
}

Recipe PlantStore::recipe(const RecipeKey& key) const {
  (void)product(key.line_id, key.product_id);
  const auto known = [&] {
    std::vector<Recipe> all = recipes(key.line_id);
    std::erase_if(all, [&](const Recipe& r) { return r.product_id != key.product_id; });
    return all;
  };
  return found(find_recipe(key), known, "recipe", key.id, key.line_id);
}

Recipe PlantStore::recipe(const std::string& line_id, const std::optional<std::string>& product_id,
                          const std::string& id) const {
  if (product_id) return recipe(RecipeKey{line_id, *product_id, id});
  (void)line(line_id);
  const std::vector<Recipe> known = recipes(line_id);
  std::optional<Recipe> only;
  std::string products;
  for (const Recipe& r : known) {
    if (r.id != id) continue;
    products += (products.empty() ? "" : ", ") + r.product_id;
    if (only)
      throw Error("RECIPE_AMBIGUOUS", {{"recipe", id}, {"line", line_id}, {"products", products}});
    only = r;
  }
  return found(
      only, [&] { return known; }, "recipe", id, line_id);
}

Change PlantStore::put(const Line& line) {
  check_slug("line", line.id);
  const std::optional<Line> old = find_line(line.id);
  if (old && old->description == line.description) return Change::unchanged;
  db_.run(kPutLine, line.id, line.description);
  return old ? Change::changed : Change::created;
}

Change PlantStore::put(const Product& product, std::span<const Tag> tags) {
  check_slug("product", product.id);
  (void)line(product.line_id);
  std::vector<Problem> problems;
  check(product, tags, "", problems);
  refuse(problems);
  const std::optional<Product> old = find_product(product.line_id, product.id);
  if (old && to_json_value(*old) == to_json_value(product)) return Change::unchanged;
  db_.run(kPutProduct, product.line_id, product.id, product.description,
          canonical(to_json_value(product.limits)));
  return old ? Change::changed : Change::created;
}

Change PlantStore::put(const Recipe& recipe, std::span<const Tag> tags, const Author& author) {
  check_slug("recipe", recipe.id);
  const RecipeKey key{recipe.line_id, recipe.product_id, recipe.id};
  const Product owner = product(key.line_id, key.product_id);
  const std::optional<Recipe> old = find_recipe(key);
  const std::string hash = content_hash(recipe.params);
  const bool new_version = !old || old->content_hash != hash;
  if (new_version) {
    std::vector<Problem> problems;
    check(recipe, owner, tags, "", problems);
    refuse(problems);
  } else if (old->description == recipe.description) {
    return Change::unchanged;
  }
  store::Savepoint savepoint(db_);
  db_.run(kPutRecipe, key.line_id, key.product_id, key.id, recipe.description);
  if (new_version)
    insert_version(key, {old ? old->version + 1 : 1, recipe.params, hash, author.at, author.by,
                         author.reason});
  savepoint.commit();
  return old ? Change::changed : Change::created;
}

void PlantStore::insert_version(const RecipeKey& key, const RecipeVersion& v) {
  std::vector<RecipeParam> params = v.params;
  std::ranges::stable_sort(params, {}, &RecipeParam::tag);
  db_.run(kInsertVersion, key.line_id, key.product_id, key.id, v.version,
          canonical(to_json_value(params)), v.content_hash, v.created_at, v.by, v.reason);
}

void PlantStore::restore(const Recipe& recipe, const std::vector<RecipeVersion>& versions) {
  check_slug("recipe", recipe.id);
  const RecipeKey key{recipe.line_id, recipe.product_id, recipe.id};
  (void)product(key.line_id, key.product_id);
  if (find_recipe(key))
    throw Error("NAME_EXISTS",
                {{"what", "recipe"}, {"name", key.id}, {"place", place(key.line_id)}});
  store::Savepoint savepoint(db_);
  db_.run(kPutRecipe, key.line_id, key.product_id, key.id, recipe.description);
  std::int64_t last = 0;
  for (const RecipeVersion& v : versions) {
    if (v.version <= last || v.content_hash != content_hash(v.params))
      throw Error("RECIPE_HISTORY", {{"recipe", key.id}, {"version", v.version}});
    insert_version(key, v);
    last = v.version;
  }
  savepoint.commit();
}

std::vector<Created> PlantStore::ensure(const RecipeKey& key, const Author& author) {
  std::vector<Created> out;
  store::Savepoint savepoint(db_);
  if (!find_line(key.line_id)) {
    put(Line{key.line_id, ""});
    out.push_back({"line", key.line_id});
  }
  if (!find_product(key.line_id, key.product_id)) {
    put(Product{key.product_id, key.line_id, "", {}}, {});
    out.push_back({"product", key.product_id});
  }
  if (!find_recipe(key)) {
    put(Recipe{key.id, key.product_id, key.line_id, "", {}, 0, ""}, {}, author);
    out.push_back({"recipe", key.id});
  }
  savepoint.commit();
  return out;
}

}  // namespace flyball::plant
