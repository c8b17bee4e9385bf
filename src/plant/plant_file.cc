#include "plant/plant_file.h"

#include <algorithm>
#include <set>

namespace flyball::plant {
namespace {

/// The file as it stands: the parts are read one by one, so that each knows its line.
struct Parts {
  std::int64_t schema_version = 1;
  Line line;
  std::vector<Json> tags, products, recipes, runs, segments;
  static constexpr auto fields() {
    return FieldList{field("schemaVersion", &Parts::schema_version, "of the format").range(1, 1),
                     field("line", &Parts::line, "line").required(),
                     field("tags", &Parts::tags, "tags"),
                     field("products", &Parts::products, "products"),
                     field("recipes", &Parts::recipes, "recipes"),
                     field("runs", &Parts::runs, "runs"),
                     field("segments", &Parts::segments, "context segments")};
  }
};

/// How a record stands in the file.
struct Form {
  std::vector<const char*> hidden;  ///< fields that are said elsewhere
  std::vector<const char*> needed;  ///< fields that the file must give though the record need not
};

template <class R>
const Form& form();
template <>
const Form& form<Tag>() {
  static const Form kForm{{"lineId"}, {}};
  return kForm;
}
template <>
const Form& form<Product>() {
  static const Form kForm{{"lineId"}, {}};
  return kForm;
}
template <>
const Form& form<Recipe>() {
  static const Form kForm{{"lineId", "version", "contentHash"}, {}};
  return kForm;
}
template <>
const Form& form<RecipeVersion>() {
  static const Form kForm{{}, {"version", "createdAt", "contentHash", "params"}};
  return kForm;
}
template <>
const Form& form<Run>() {
  static const Form kForm{{"lineId"}, {"startedAt"}};
  return kForm;
}
template <>
const Form& form<ContextSegment>() {
  static const Form kForm{{"segmentId", "lineId", "productId", "recipeId", "evidenceSource"},
                          {"from", "to"}};
  return kForm;
}

bool holds(const std::vector<const char*>& list, std::string_view name) {
  return std::ranges::find(list, name, [](const char* c) { return std::string_view(c); }) !=
         list.end();
}

template <class F>
bool is_time(const F& f) {
  return std::string_view(f.unit_text) == "us";
}

/// A text with offset → µs. What is no time becomes 0, beside its problem.
void time_inwards(Json& item, const char* name, const std::string& at,
                  std::vector<Problem>& problems) {
  const auto it = item.find(name);
  if (it == item.end() || it->is_null()) return;
  TimeUs time = 0;
  if (!it->is_string()) {
    problems.push_back(
        {at + "/" + name,
         {"FIELD_TYPE", {{"expected", "a time as text"}, {"actual", it->type_name()}}}});
  } else if (!try_parse_time(it->get<std::string>(), time)) {
    problems.push_back({at + "/" + name, {"TIME_INVALID", {{"text", it->get<std::string>()}}}});
  }
  *it = time;
}

template <class R>
R read_item(Json item, const std::string& line, const std::string& at,
            std::vector<Problem>& problems) {
  if (!item.is_object()) return read_record<R>(item, at, problems);
  for (const char* name : form<R>().needed) {
    if (!item.contains(name))
      problems.push_back({at + "/" + name, {"FIELD_REQUIRED", {{"field", name}}}});
  }
  for_each_field<R>([&](const auto& f) {
    if (holds(form<R>().hidden, f.name)) {
      if (item.contains(f.name))
        problems.push_back(
            {at + "/" + f.name, {"FIELD_UNKNOWN", {{"field", f.name}, {"suggestion", ""}}}});
      item.erase(f.name);
      if (f.is_required) item[f.name] = std::string_view(f.name) == "lineId" ? line : "";
    } else if (is_time(f)) {
      time_inwards(item, f.name, at, problems);
    }
  });
  return read_record<R>(item, at, problems);
}

template <class R>
Json write_item(const R& record) {
  Json out = to_json_value(record);
  const Json plain = to_json_value(R{});
  for_each_field<R>([&](const auto& f) {
    const bool kept = f.is_required || holds(form<R>().needed, f.name);
    const auto it = out.find(f.name);
    if (it == out.end()) return;
    const auto same = plain.find(f.name);
    if (holds(form<R>().hidden, f.name) || (!kept && same != plain.end() && *same == *it)) {
      out.erase(it);
    } else if (is_time(f)) {
      *it = format_time(it->template get<TimeUs>());
    }
  });
  return out;
}

template <class R>
std::vector<R> read_list(const std::vector<Json>& items, const std::string& line,
                         const std::string& at, std::vector<Problem>& problems) {
  std::vector<R> out;
  for (std::size_t i = 0; i < items.size(); ++i)
    out.push_back(read_item<R>(items[i], line, at + "/" + std::to_string(i), problems));
  return out;
}

PlantFile::WithHistory read_recipe(Json item, const std::string& line, const std::string& at,
                                   std::vector<Problem>& problems) {
  PlantFile::WithHistory out;
  if (item.is_object() && item.contains("versions")) {
    std::vector<Json> versions;
    read_value(item["versions"], versions, at + "/versions", {0, 0, 1'000'000}, problems);
    out.versions = read_list<RecipeVersion>(versions, line, at + "/versions", problems);
    item.erase("versions");
  }
  out.recipe = read_item<Recipe>(std::move(item), line, at, problems);
  return out;
}

template <class R, class Name>
void check_once(const std::vector<R>& items, const char* what, const char* list, Name name,
                std::vector<Problem>& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!seen.insert(name(items[i])).second)
      problems.push_back({"/" + std::string(list) + "/" + std::to_string(i),
                          {"NAME_TWICE", {{"what", what}, {"name", name(items[i])}}}});
  }
}

template <class R>
void write_list(Json& out, const char* name, const std::vector<R>& items) {
  for (const R& item : items) out[name].push_back(write_item(item));
}

}  // namespace

PlantFile parse_plant_file(std::string_view text, std::string_view source) {
  std::vector<Problem> problems;
  const Parts parts = read_record<Parts>(parse_json(text, source), "", problems);
  const std::string& line = parts.line.id;
  PlantFile out;
  out.line = parts.line;
  out.tags = read_list<Tag>(parts.tags, line, "/tags", problems);
  out.products = read_list<Product>(parts.products, line, "/products", problems);
  for (std::size_t i = 0; i < parts.recipes.size(); ++i)
    out.recipes.push_back(
        read_recipe(parts.recipes[i], line, "/recipes/" + std::to_string(i), problems));
  out.runs = read_list<Run>(parts.runs, line, "/runs", problems);
  out.segments = read_list<ContextSegment>(parts.segments, line, "/segments", problems);

  check_once(
      out.tags, "tag", "tags", [](const Tag& t) { return t.name; }, problems);
  check_once(
      out.products, "product", "products", [](const Product& p) { return p.id; }, problems);
  check_once(
      out.recipes, "recipe", "recipes",
      [](const PlantFile::WithHistory& r) { return r.recipe.product_id + "/" + r.recipe.id; },
      problems);
  check_once(
      out.runs, "run", "runs", [](const Run& r) { return r.id; }, problems);
  if (!problems.empty()) throw Error::of("PLANT_FILE_INVALID", std::move(problems));
  return out;
}

Json plant_file_json(const PlantFile& file) {
  Json out{{"schemaVersion", 1}, {"line", {{"id", file.line.id}}}};
  if (!file.line.description.empty()) out["line"]["description"] = file.line.description;
  write_list(out, "tags", file.tags);
  write_list(out, "products", file.products);
  for (const auto& [recipe, versions] : file.recipes) {
    Json item = write_item(recipe);
    write_list(item, "versions", versions);
    out["recipes"].push_back(std::move(item));
  }
  write_list(out, "runs", file.runs);
  write_list(out, "segments", file.segments);
  return out;
}

}  // namespace flyball::plant
