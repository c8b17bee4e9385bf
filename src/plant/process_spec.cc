#include "plant/process_spec.h"

#include <algorithm>
#include <set>

#include "core/units.h"

namespace flyball::plant {
namespace {

class Checker {
 public:
  Checker(const std::string& line, std::span<const Tag> tags, std::vector<Problem>& problems)
      : line_(line), tags_(tags), problems_(problems) {
    for (const Tag& tag : tags) known_.push_back(tag.name);
  }

  void variable(const SpecVariable& v, const std::string& at) {
    const Tag* tag = find(v.tag, at + "/tag");
    if (tag == nullptr) return;
    if (!seen_.insert(v.tag).second)
      add(at + "/tag", {"NAME_TWICE", {{"what", "tag"}, {"name", v.tag}}});
    if (v.unit) unit(*v.unit, tag->unit, at + "/unit");
    if (v.min && v.max && *v.min >= *v.max)
      add(at + "/max", {"RANGE_EMPTY", {{"low", *v.min}, {"high", *v.max}}});
    if (v.role == Role::cv && (v.delay_ms || v.flow)) wrong(v, "delayMs", "an MV or DV", at);
    if (v.flow.has_value() != v.at_flow.has_value() || (v.flow && !v.delay_ms))
      add(at + "/flow", {"PROCESS_SPEC_FLOW", {{"tag", v.tag}}});
    if (v.flow) (void)find(*v.flow, at + "/flow");
    if (v.set_point) (void)find(*v.set_point, at + "/setPoint");
    if (v.set_point && v.role != Role::mv) wrong(v, "setPoint", "an MV", at);
    if (v.integrating && v.role != Role::cv) wrong(v, "integrating", "a CV", at);
    if (!v.modes.empty() && !tag->mode_tag)
      add(at + "/modes", {"MODE_TAG_UNKNOWN", {{"tag", v.tag}}});
  }

  void roles(const SpecContent& content) {
    for (const Role role : {Role::mv, Role::cv}) {
      if (std::ranges::count(content.variables, role, &SpecVariable::role) == 0)
        add("/variables", {"PROCESS_SPEC_ROLE", {{"role", enum_name(role)}}});
    }
  }

 private:
  void add(const std::string& at, Message what) { problems_.push_back({at, std::move(what)}); }

  void wrong(const SpecVariable& v, const char* field, const char* whose, const std::string& at) {
    add(at + "/" + field,
        {"PROCESS_SPEC_FIELD",
         {{"field", field}, {"whose", whose}, {"tag", v.tag}, {"role", enum_name(v.role)}}});
  }

  void unit(const std::string& given, const std::string& of_tag, const std::string& at) {
    if (given == of_tag) return;  // also one that is only a text
    try {
      (void)convert(given, of_tag);
    } catch (const Error& e) {
      add(at, e.message());
    }
  }

  const Tag* find(const std::string& name, const std::string& at) {
    const auto tag = std::ranges::find(tags_, name, &Tag::name);
    if (tag != tags_.end()) return &*tag;
    add(at, {"NAME_MISSING",
             {{"what", "tag"},
              {"name", name},
              {"place", " on line " + line_},
              {"suggestion", record_detail::suggestion(name, known_)}}});
    return nullptr;
  }

  const std::string& line_;
  std::span<const Tag> tags_;
  std::vector<Problem>& problems_;
  std::vector<std::string_view> known_;
  std::set<std::string> seen_;
};

}  // namespace

void check(const SpecContent& content, const std::string& line, std::span<const Tag> tags,
           std::vector<Problem>& problems) {
  Checker checker(line, tags, problems);
  for (std::size_t i = 0; i < content.variables.size(); ++i)
    checker.variable(content.variables[i], "/variables/" + std::to_string(i));
  checker.roles(content);
}

}  // namespace flyball::plant
