#pragma once
// Lines, products, recipes and context segments, kept in flyball.db (schema.h). Each call is atomic
// by itself and takes part in a transaction that is open already.
//
// Names are slugs: a line's is unique, a product's within its line, a recipe's within its product.
// Everything refers to what exists: NAME_MISSING names what does not, with the nearest that does.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plant/records.h"
#include "store/sqlite.h"

namespace flyball::plant {

enum class Change { created, changed, unchanged };
constexpr auto enum_names(Change) {
  return std::array<std::string_view, 3>{"created", "changed", "unchanged"};
}

/// Who changes something, when and why: it is kept with what was changed.
struct Author {
  std::string by;
  TimeUs at = 0;
  std::string reason = {};
};

struct RecipeKey {
  std::string line_id, product_id, id;
};

/// A record that was created because something needed it: {"line", "L1"}.
struct Created {
  std::string what, name;
  bool operator==(const Created&) const = default;
};

/// What a person decided on a segment; rows are only added.
struct SegmentDecision {
  TimeUs at = 0;
  std::string by;
  SegmentStatus decision = SegmentStatus::draft;
  std::int64_t recipe_version = 0;
  std::string reason;
  static constexpr auto fields() {
    using D = SegmentDecision;
    return FieldList{field("at", &D::at, "when").unit("us"), field("by", &D::by, "person"),
                     field("decision", &D::decision, "confirmed or rejected"),
                     field("recipeVersion", &D::recipe_version, "for this version of the recipe"),
                     field("reason", &D::reason, "why")};
  }
};

/// Empty texts do not filter.
struct SegmentFilter {
  std::string line_id = {}, run_id = {};
  std::optional<SegmentStatus> status = {};
};

class PlantStore {
 public:
  explicit PlantStore(store::Database& db) : db_(db) {}

  /// In the order of their creation.
  [[nodiscard]] std::vector<Line> lines() const;
  [[nodiscard]] std::vector<Product> products(const std::string& line_id) const;  ///< "": all
  [[nodiscard]] std::vector<Recipe> recipes(const std::string& line_id) const;    ///< "": all
  [[nodiscard]] std::vector<RecipeVersion> recipe_versions(const RecipeKey& key) const;

  [[nodiscard]] std::optional<Line> find_line(const std::string& id) const;
  [[nodiscard]] std::optional<Product> find_product(const std::string& line_id,
                                                    const std::string& id) const;
  [[nodiscard]] std::optional<Recipe> find_recipe(const RecipeKey& key) const;

  /// These throw NAME_MISSING.
  [[nodiscard]] Line line(const std::string& id) const;
  [[nodiscard]] Product product(const std::string& line_id, const std::string& id) const;
  [[nodiscard]] Recipe recipe(const RecipeKey& key) const;
  /// Without a product: of the only product of the line that has it, else RECIPE_AMBIGUOUS.
  [[nodiscard]] Recipe recipe(const std::string& line_id,
                              const std::optional<std::string>& product_id,
                              const std::string& id) const;

  /// Create or replace. Throw NAME_INVALID, and SPEC_INVALID with every rule (rules.h) that is
  /// broken; `tags` are those of the line.
  Change put(const Line& line);
  Change put(const Product& product, std::span<const Tag> tags);
  /// Other params make a new version; `version` and `content_hash` of the argument are not read.
  Change put(const Recipe& recipe, std::span<const Tag> tags, const Author& author);

  /// A recipe with its whole history, ascending, as another store had it. Throws NAME_EXISTS,
  /// RECIPE_HISTORY (numbers or hashes that do not fit).
  void restore(const Recipe& recipe, const std::vector<RecipeVersion>& versions);

  /// Creates those of the three that are missing, empty; which.
  std::vector<Created> ensure(const RecipeKey& key, const Author& author);

  /// Throw IN_USE with the list of what refers to it: `also`, and what this store holds.
  void remove_line(const std::string& id, std::vector<std::string> also);
  void remove_product(const std::string& line_id, const std::string& id,
                      std::vector<std::string> also);
  void remove_recipe(const RecipeKey& key, std::vector<std::string> also);

  // Marks (mark_store.cc)

  /// Of a line ("": of all), by line and time.
  [[nodiscard]] std::vector<Mark> marks(const std::string& line_id) const;
  [[nodiscard]] Mark mark(const std::string& id) const;  ///< throws NAME_MISSING

  /// Its id is found from line, tag, kind and times; a stretch that is marked so already stays as
  /// it is and is returned. Throws NAME_MISSING, RANGE_EMPTY, MARK_OF_TAG (only what is bad may be
  /// said of one tag).
  Mark add_mark(Mark mark);
  void remove_mark(const std::string& id);  ///< throws NAME_MISSING

  // Context segments (segment_store.cc)

  /// Ordered by line, run and time.
  [[nodiscard]] std::vector<ContextSegment> segments(const SegmentFilter& filter) const;
  [[nodiscard]] ContextSegment segment(const std::string& id) const;  ///< throws NAME_MISSING

  /// All that was decided on a segment, oldest first.
  [[nodiscard]] std::vector<SegmentDecision> decisions(const std::string& id) const;

  /// Proposes a segment; id and content hash are found, a version of 0 is the newest, status and
  /// decisions of the argument are not read. The one that has the same run and times already is
  /// replaced while it is a draft, else returned as it is. Throws RANGE_EMPTY, NAME_MISSING,
  /// RECIPE_VERSION_MISSING.
  ContextSegment draft(ContextSegment segment);

  /// Drafts for a run that has ended: one for each version of its recipe that was in force, without
  /// the time that is confirmed already. They take the place of the run's older drafts.
  std::vector<ContextSegment> draft_run(const Run& run);

  /// A person says that it holds, if need be for another version of the recipe. Throws
  /// PERSON_MISSING, SEGMENT_DECIDED (it is confirmed already), SEGMENT_OVERLAP (a confirmed
  /// segment of the run shares time with it), RECIPE_VERSION_MISSING.
  ContextSegment confirm(const std::string& id, const Author& person,
                         std::optional<std::int64_t> recipe_version = {});

  /// A person says that it does not hold; also after it was confirmed. Throws PERSON_MISSING,
  /// SEGMENT_DECIDED.
  ContextSegment reject(const std::string& id, const Author& person);

 private:
  void insert_version(const RecipeKey& key, const RecipeVersion& version);
  void check_version(const RecipeKey& key, std::int64_t version) const;
  ContextSegment decide(const ContextSegment& segment, SegmentStatus status, const Author& person);

  store::Database& db_;
};

}  // namespace flyball::plant
