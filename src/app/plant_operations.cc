// The operations of lines, products, recipes, tags, runs and context segments.
#include "app/app.h"
#include "app/caller.h"
#include "app/input.h"
#include "app/items.h"
#include "app/plant_apply.h"
#include "app/plant_use.h"
#include "app/records.h"
#include "historian/cells.h"

namespace flyball::app {
namespace {

plant::Author author(const Call& call, const std::optional<std::string>& by,
                     const std::string& reason, TimeUs now) {
  return {author_of(call, by), now, reason};
}

DeleteResponse deleted(const std::string& what, bool dry_run, store::Transaction& transaction) {
  if (!dry_run) transaction.commit();
  return {{what}, dry_run};
}

void refuse_known(bool known, const char* what, const std::string& id, const std::string& place) {
  if (known) throw Error("NAME_EXISTS", {{"what", what}, {"name", id}, {"place", place}});
}

}  // namespace

Plant App::plant(bool writes) {
  Records& r = records(writes);
  return {r.db, r.plant, historian(writes)};
}

ItemsResponse App::list_lines(const ListRequest& request, const Call& call) {
  return page(
      readable(call, records().plant.lines()), [](const plant::Line& l) { return l.id; },
      request.limit, request.cursor);
}

plant::Line App::add_line(const LineAddRequest& request, const Call&) {
  plant::PlantStore& store = plant(true).store;
  refuse_known(store.find_line(request.id).has_value(), "line", request.id, "");
  store.put(plant::Line{request.id, request.description});
  return store.line(request.id);
}

DeleteResponse App::delete_line(const DeleteRequest& request, const Call&) {
  const Plant p = plant(true);
  store::Transaction transaction(p.db);
  p.store.remove_line(request.id, users_of(p, records().registry, {request.id, "", ""}));
  return deleted("line " + request.id, request.dry_run, transaction);
}

ItemsResponse App::list_products(const LineListRequest& request, const Call& call) {
  return page(
      readable(call, records().plant.products(request.line.value_or(""))),
      [](const plant::Product& x) { return x.line_id + "/" + x.id; }, request.limit,
      request.cursor);
}

plant::Product App::add_product(const ProductAddRequest& request, const Call&) {
  plant::PlantStore& store = records(true).plant;
  refuse_known(store.find_product(request.line, request.id).has_value(), "product", request.id,
               " on line " + request.line);
  store.put(plant::Product{request.id, request.line, request.description, {}}, {});
  return store.product(request.line, request.id);
}

DeleteResponse App::delete_product(const ProductDeleteRequest& request, const Call&) {
  const Plant p = plant(true);
  store::Transaction transaction(p.db);
  p.store.remove_product(request.line, request.id,
                         users_of(p, records().registry, {request.line, request.id, ""}));
  return deleted("product " + request.id, request.dry_run, transaction);
}

ItemsResponse App::list_recipes(const LineListRequest& request, const Call& call) {
  return page(
      readable(call, records().plant.recipes(request.line.value_or(""))),
      [](const plant::Recipe& x) { return x.line_id + "/" + x.product_id + "/" + x.id; },
      request.limit, request.cursor);
}

RecipeResponse App::show_recipe(const RecipeRequest& request, const Call&) {
  plant::PlantStore& store = records().plant;
  const plant::Recipe recipe = store.recipe(request.line, request.product, request.id);
  return {recipe, store.recipe_versions({recipe.line_id, recipe.product_id, recipe.id})};
}

plant::Recipe App::add_recipe(const RecipeAddRequest& request, const Call& call) {
  const Plant p = plant(true);
  const plant::RecipeKey key{request.line, request.product, request.id};
  refuse_known(p.store.find_recipe(key).has_value(), "recipe", request.id,
               " for product " + request.product);
  plant::Recipe recipe{request.id, request.product, request.line, request.description, {}, 0, ""};
  for (const std::string& text : request.param) recipe.params.push_back(parse_param(text));
  p.store.put(recipe, p.historian.tags(request.line),
              author(call, request.by, request.reason, clock_.now()));
  return p.store.recipe(key);
}

plant::Recipe App::set_recipe(const RecipeSetRequest& request, const Call& call) {
  return app::set_recipe(plant(true), request,
                         author(call, request.by, request.reason, clock_.now()));
}

DeleteResponse App::delete_recipe(const RecipeDeleteRequest& request, const Call&) {
  const Plant p = plant(true);
  const plant::Recipe r = p.store.recipe(request.line, request.product, request.id);
  const plant::RecipeKey key{r.line_id, r.product_id, r.id};
  store::Transaction transaction(p.db);
  p.store.remove_recipe(key, users_of(p, records().registry, key));
  return deleted("recipe " + r.product_id + "/" + r.id, request.dry_run, transaction);
}

ItemsResponse App::list_tags(const LineListRequest& request, const Call& call) {
  return page(
      readable(call, plant().historian.tags(request.line.value_or(""))),
      [](const plant::Tag& t) { return t.node_id(); }, request.limit, request.cursor);
}

TagResponse App::show_tag(const TagRequest& request, const Call&) {
  return app::show_tag(plant(), request);
}

TagResponse App::set_tag(const TagSetRequest& request, const Call&) {
  return app::set_tag(plant(true), request);
}

ItemsResponse App::list_runs(const RunListRequest& request, const Call& call) {
  historian::Filter filter;
  filter.line_id = request.line.value_or("");
  filter.product_id = request.product.value_or("");
  filter.recipe_id = request.recipe.value_or("");
  return page(
      readable(call, plant().historian.runs(filter, false)),
      [](const plant::Run& r) { return r.line_id + "/" + r.id; }, request.limit, request.cursor);
}

RunResponse App::show_run(const RunRequest& request, const Call&) {
  return app::show_run(plant(), request);
}

RunResponse App::add_run(const RunAddRequest& request, const Call&) {
  return app::add_run(plant(true), request);
}

DeleteResponse App::delete_run(const RunDeleteRequest& request, const Call&) {
  registry::Registry& registry = records(true).registry;
  std::vector<std::string> users;
  for (std::optional<std::string> cursor;;) {
    const auto page = registry.datasets(1000, cursor);
    for (const registry::DatasetRow& row : page.rows) {
      if (row.line_id != request.line || !row.summary.contains("runsUsed")) continue;
      const auto runs = row.summary["runsUsed"].get<std::vector<std::string>>();
      if (std::ranges::find(runs, request.id) != runs.end()) users.push_back(row.id);
    }
    if (!page.next_cursor) break;
    cursor = page.next_cursor;
  }
  if (!users.empty())
    throw Error("IN_USE",
                {{"what", "run"}, {"name", request.id}, {"users", historian::joined(users)}});
  const auto writer = historian(true).begin();
  const std::int64_t samples = writer->remove_run(request.line, request.id);
  if (!request.dry_run) writer->commit();
  return {{Message{"RUN_WITH_SAMPLES", {{"run", request.id}, {"samples", samples}}}.text()},
          request.dry_run};
}

RunResponse App::end_run(const RunEndRequest& request, const Call&) {
  return app::end_run(plant(true), request, clock_.now());
}

ItemsResponse App::list_segments(const SegmentListRequest& request, const Call& call) {
  return page(
      readable(call, records().plant.segments(
                         {request.line.value_or(""), request.run.value_or(""), request.status})),
      [](const plant::ContextSegment& s) { return s.id; }, request.limit, request.cursor);
}

SegmentResponse App::show_segment(const IdRequest& request, const Call&) {
  const plant::PlantStore& store = records().plant;
  return {store.segment(request.id), store.decisions(request.id)};
}

plant::ContextSegment App::confirm_segment(const SegmentConfirmRequest& request, const Call& call) {
  return records(true).plant.confirm(
      request.id, author(call, request.by, request.reason, clock_.now()), request.recipe_version);
}

plant::ContextSegment App::reject_segment(const SegmentRejectRequest& request, const Call& call) {
  return records(true).plant.reject(request.id,
                                    author(call, request.by, request.reason, clock_.now()));
}

PlantApplyResponse App::apply_plant(const PlantApplyRequest& request, const Call& call) {
  const Input file = open_input(request.file, data_.path, call);
  const plant::PlantFile parsed = plant::parse_plant_file(file.text(), request.file);
  require_right(call, "plant.apply", Scope::operate, parsed.line.id);
  return app::apply_plant(plant(true), parsed,
                          author(call, request.by, request.reason, clock_.now()), request.dry_run);
}

PlantShowResponse App::show_plant(const PlantShowRequest& request, const Call&) {
  return parse_record<PlantShowResponse>(plant::plant_file_json(read_plant(plant(), request.line)));
}

}  // namespace flyball::app
