#pragma once
// Process-model specs: what an engineer states once about a line, so that studies and datasets need
// not be told again (platform.md §2.5). A name is unique on its line and has versions 1, 2, ...
//
//   draft → active → retired
//
// The content of a draft may be replaced; from activation on a version stays as it is, and the next
// content is a new version. One version of a name is active: activating one retires the other.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plant/records.h"
#include "store/sqlite.h"

namespace flyball::plant {

enum class SpecStatus { draft, active, retired };
constexpr auto enum_names(SpecStatus) {
  return std::array<std::string_view, 3>{"draft", "active", "retired"};
}

/// A tag and what it is to the process.
struct SpecVariable {
  std::string tag;
  Role role = Role::mv;
  std::optional<std::string> unit;
  std::optional<double> min, max;
  std::optional<double> delay_ms;
  std::optional<std::string> flow;
  std::optional<double> at_flow;
  std::optional<std::string> set_point;
  bool integrating = false;
  std::vector<std::string> modes;
  static constexpr auto fields() {
    using V = SpecVariable;
    return FieldList{
        field("tag", &V::tag, "tag of the line").required(),
        field("role", &V::role, "manipulated, controlled or disturbance variable").required(),
        field("unit", &V::unit, "unit of the limits; default: the tag's, into which it converts"),
        field("min", &V::min, "lowest value that is believed"),
        field("max", &V::max, "highest value that is believed"),
        field("delayMs", &V::delay_ms,
              "an MV or DV: no CV answers sooner; with `flow`, at `atFlow`")
            .range(0, 8.64e10)
            .unit("ms"),
        field("flow", &V::flow, "tag of the flow that carries an MV or DV through a pipe"),
        field("atFlow", &V::at_flow, "its value at which the delay is `delayMs`"),
        field("setPoint", &V::set_point, "an MV: tag of the set-point of the loop that moves it"),
        field("integrating", &V::integrating, "a CV that is a level"),
        field("modes", &V::modes, "modes of its loop in which samples count, such as AUTO")
            .max_length(64)};
  }
};

struct SpecContent {
  std::string product = "default", recipe = "default";
  std::vector<SpecVariable> variables;
  std::vector<std::string> priors;
  std::optional<double> beat_ms;
  std::optional<std::int64_t> history_steps, horizon_steps;
  std::optional<std::string> trainer;
  std::string note;
  static constexpr auto fields() {
    using C = SpecContent;
    return FieldList{
        field("product", &C::product, "product that is made"),
        field("recipe", &C::recipe, "recipe that is run"),
        field("variables", &C::variables, "tags with their roles").required().max_length(64),
        field("priors", &C::priors, "what is known of pairs, such as \"steam->moisture gain<0\"")
            .max_length(1000),
        field("beatMs", &C::beat_ms, "length of a step; default: as the samples come")
            .range(0.001, 86'400'000)
            .unit("ms"),
        field("historySteps", &C::history_steps, "H; default: as for a study or dataset without")
            .range(1, 2048)
            .unit("steps"),
        field("horizonSteps", &C::horizon_steps, "F; default: as for a study or dataset without")
            .range(1, 512)
            .unit("steps"),
        field("trainer", &C::trainer, "of a study, such as auto@1; default: the study's"),
        field("note", &C::note, "free text").max_length(2000)};
  }
};

struct ProcessSpec {
  std::string name, line_id;
  std::int64_t version = 0;
  SpecStatus status = SpecStatus::draft;
  std::string ref;  ///< sha256 of the canonical JSON of the content
  SpecContent content;
  std::string created_by, activated_by, retired_by;
  TimeUs created_at = 0;
  std::optional<TimeUs> activated_at, retired_at;
  static constexpr auto fields() {
    using P = ProcessSpec;
    return FieldList{field("name", &P::name, "unique on the line"),
                     field("lineId", &P::line_id, "line"),
                     field("version", &P::version, "1, 2, ..."),
                     field("status", &P::status, "draft, active or retired"),
                     field("ref", &P::ref, "sha256 of the content"),
                     field("content", &P::content, "what is stated"),
                     field("createdBy", &P::created_by, "who wrote it"),
                     field("activatedBy", &P::activated_by, "who put it into force"),
                     field("retiredBy", &P::retired_by, "who ended it"),
                     field("createdAt", &P::created_at, "when").unit("us"),
                     field("activatedAt", &P::activated_at, "when").unit("us"),
                     field("retiredAt", &P::retired_at, "when").unit("us")};
  }
};

/// Tags of the line, each once; units that convert; limits that hold something; delays of inputs,
/// a flow with both of its numbers; set-points of MVs, levels of CVs; modes of tags that have a
/// mode tag. Every rule that is broken becomes a problem below /variables.
void check(const SpecContent& content, const std::string& line, std::span<const Tag> tags,
           std::vector<Problem>& problems);

/// On a connection of flyball.db; each call is atomic and takes part in an open transaction.
class ProcessSpecs {
 public:
  explicit ProcessSpecs(store::Database& db) : db_(db) {}

  /// A draft: it replaces the newest version while that is one, else it is the next version. The
  /// content of the newest version again changes nothing. Of the argument name, line, content,
  /// createdBy and createdAt are read. Throws NAME_INVALID.
  ProcessSpec put(const ProcessSpec& spec);
  /// Default: the newest version. Throws NAME_MISSING.
  [[nodiscard]] ProcessSpec get(const std::string& line, const std::string& name,
                                std::optional<std::int64_t> version = {}) const;
  /// "NAME": the version in force; "NAME@2": that one, unless it is a draft. Throws NAME_MISSING,
  /// PROCESS_SPEC_INACTIVE.
  [[nodiscard]] ProcessSpec cited(const std::string& line, const std::string& text) const;
  /// Newest version of each name, of a line ("": of all), by line and name.
  [[nodiscard]] std::vector<ProcessSpec> list(const std::string& line) const;
  /// Newest first.
  [[nodiscard]] std::vector<ProcessSpec> versions(const std::string& line,
                                                  const std::string& name) const;
  /// A dataset was built by it, which does not make it another dataset. The newest citation counts.
  void cite(const ProcessSpec& spec, const std::string& dataset_id, TimeUs now);
  [[nodiscard]] std::optional<ProcessSpec> of_dataset(const std::string& dataset_id) const;
  /// Into force, or out of it. Throws NAME_MISSING, PROCESS_SPEC_STATUS.
  ProcessSpec move(const ProcessSpec& spec, SpecStatus to, const std::string& by, TimeUs now);

 private:
  store::Database& db_;
};

}  // namespace flyball::plant
