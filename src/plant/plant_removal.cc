// The part of PlantStore that removes what nothing uses.
#include <algorithm>

#include "plant/plant_store.h"
#include "store/savepoint.h"

namespace flyball::plant {
namespace {

constexpr std::string_view kRecipeSegments =
    "SELECT id FROM context_segments WHERE line_id = ? AND product_id = ? AND recipe_id = ? "
    "AND status <> 'draft' ORDER BY rowid";
constexpr std::string_view kDropDrafts =
    "DELETE FROM context_segments WHERE line_id = ? AND product_id = ? AND recipe_id = ?";
constexpr std::string_view kDropVersions =
    "DELETE FROM recipe_versions WHERE line_id = ? AND product_id = ? AND recipe_id = ?";
constexpr std::string_view kDropRecipe =
    "DELETE FROM recipes WHERE line_id = ? AND product_id = ? AND id = ?";
constexpr std::string_view kDropProduct = "DELETE FROM products WHERE line_id = ? AND id = ?";
constexpr std::string_view kDropMarks = "DELETE FROM marks WHERE line_id = ?";
constexpr std::string_view kLineSpecs =
    "SELECT DISTINCT name FROM process_model_specs WHERE line_id = ? ORDER BY name";
constexpr std::string_view kDropLine = "DELETE FROM lines WHERE id = ?";

void refuse_in_use(std::string_view what, const std::string& name,
                   const std::vector<std::string>& users) {
  if (users.empty()) return;
  constexpr std::size_t kMost = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(kMost, users.size()); ++i)
    list += (i == 0 ? "" : ", ") + users[i];
  if (users.size() > kMost) list += " and " + std::to_string(users.size() - kMost) + " more";
  throw Error("IN_USE", {{"what", what}, {"name", name}, {"users", list}});
}

}  // namespace

void PlantStore::remove_line(const std::string& id, std::vector<std::string> also) {
  (void)line(id);
  for (const Product& p : products(id)) also.push_back("product " + p.id);
  for (store::Statement q = db_.query(kLineSpecs, id); q.step();)
    also.push_back("process-model spec " + q.text(0));
  refuse_in_use("line", id, also);
  db_.run(kDropMarks, id);
  db_.run(kDropLine, id);
}

void PlantStore::remove_product(const std::string& line_id, const std::string& id,
                                std::vector<std::string> also) {
  (void)product(line_id, id);
  for (const Recipe& r : recipes(line_id)) {
    if (r.product_id == id) also.push_back("recipe " + r.id);
  }
  refuse_in_use("product", id, also);
  db_.run(kDropProduct, line_id, id);
}

void PlantStore::remove_recipe(const RecipeKey& key, std::vector<std::string> also) {
  (void)recipe(key);
  for (store::Statement q = db_.query(kRecipeSegments, key.line_id, key.product_id, key.id);
       q.step();)
    also.push_back("context segment " + q.text(0));
  refuse_in_use("recipe", key.id, also);
  store::Savepoint savepoint(db_);
  for (const std::string_view sql : {kDropDrafts, kDropVersions, kDropRecipe})
    db_.run(sql, key.line_id, key.product_id, key.id);
  savepoint.commit();
}

}  // namespace flyball::plant
