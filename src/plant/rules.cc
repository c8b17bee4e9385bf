#include "plant/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/digest.h"
#include "core/units.h"
#include "plant/names.h"

namespace flyball::plant {
namespace {

const Tag* find_tag(std::span<const Tag> tags, std::string_view name) {
  const auto it = std::ranges::find(tags, name, &Tag::name);
  return it == tags.end() ? nullptr : &*it;
}

void check_range(const std::optional<double>& min, const std::optional<double>& max,
                 const std::string& at, std::vector<Problem>& problems) {
  if (min && max && *min > *max)
    problems.push_back({at, {"RANGE_EMPTY", {{"low", *min}, {"high", *max}}}});
}

const Tag* tag_of_line(std::span<const Tag> tags, const std::string& name, const std::string& line,
                       const std::string& at, std::vector<Problem>& problems) {
  const Tag* tag = find_tag(tags, name);
  if (tag == nullptr)
    problems.push_back({at, {"NODE_LINE_MISMATCH", {{"node", name}, {"line", line}}}});
  return tag;
}

std::string words_of(const Range& r) {
  if (!r.min) return fmt::format("at most {}", *r.max);
  if (!r.max) return fmt::format("at least {}", *r.min);
  return fmt::format("{} to {}", *r.min, *r.max);
}

}  // namespace

std::string content_hash(std::vector<RecipeParam> params) {
  std::ranges::stable_sort(params, {}, &RecipeParam::tag);
  return sha256(canonical(to_json_value(params)));
}

void check(const Tag& tag, std::span<const Tag> tags, const std::string& at,
           std::vector<Problem>& problems) {
  if (!is_tag_name(tag.name)) {
    problems.push_back(
        {at + "/name", {"TAG_NAME_INVALID", {{"name", is_utf8(tag.name) ? tag.name : "?"}}}});
  }
  check_range(tag.min, tag.max, at + "/min", problems);
  if (tag.resolution && !(*tag.resolution > 0))
    problems.push_back({at + "/resolution",
                        {"RESOLUTION_INVALID", {{"tag", tag.name}, {"value", *tag.resolution}}}});
  if (tag.kind == TagKind::number && !tag.states.empty())
    problems.push_back({at + "/states", {"STATES_UNEXPECTED", {{"tag", tag.name}}}});
  if (!tag.mode_tag) return;
  const Tag* mode = find_tag(tags, *tag.mode_tag);
  if (mode == nullptr || mode->kind != TagKind::digital || mode->name == tag.name)
    problems.push_back(
        {at + "/modeTag",
         {"MODE_TAG_UNFIT", {{"tag", tag.name}, {"mode", *tag.mode_tag}, {"line", tag.line_id}}}});
}

void check(const Product& product, std::span<const Tag> tags, const std::string& at,
           std::vector<Problem>& problems) {
  for (const auto& [name, range] : product.limits) {
    const std::string here = at + "/limits/" + record_detail::escape_pointer(name);
    (void)tag_of_line(tags, name, product.line_id, here, problems);
    check_range(range.min, range.max, here, problems);
  }
}

void check(const Recipe& recipe, const Product& product, std::span<const Tag> tags,
           const std::string& at, std::vector<Problem>& problems) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < recipe.params.size(); ++i) {
    const RecipeParam& p = recipe.params[i];
    const std::string here = at + "/params/" + std::to_string(i);
    if (!seen.insert(p.tag).second)
      problems.push_back({here + "/tag", {"NAME_TWICE", {{"what", "tag"}, {"name", p.tag}}}});
    check_range(p.min, p.max, here + "/min", problems);
    const auto within = [&](const Range& r, const char* layer) {
      if ((r.min && p.value < *r.min) || (r.max && p.value > *r.max))
        problems.push_back(
            {here + "/value",
             {"RECIPE_LIMIT",
              {{"tag", p.tag}, {"value", p.value}, {"limits", words_of(r)}, {"layer", layer}}}});
    };
    within({p.min, p.max}, "recipe");
    if (const auto it = product.limits.find(p.tag); it != product.limits.end())
      within(it->second, "product");
    if (const Tag* tag = tag_of_line(tags, p.tag, recipe.line_id, here + "/tag", problems))
      within({tag->min, tag->max}, "tag");
  }
}

std::optional<Message> unit_note(const Tag& tag) {
  try {
    (void)parse_unit(tag.unit);
    return std::nullopt;
  } catch (const Error& e) {
    // The unit may stand as the text that it is: what follows from that is said, not decided here.
    return Message{"TAG_UNIT_UNKNOWN", {{"tag", tag.name}, {"reason", e.what()}}};
  }
}

}  // namespace flyball::plant
