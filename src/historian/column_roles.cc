#include "historian/column_roles.h"

#include <algorithm>
#include <array>

#include "historian/quality_codes.h"

namespace flyball::historian {
namespace {

constexpr std::array<std::string_view, 15> kTagNames{
    "tag",  "tagname", "tag_name", "tag name", "point",  "pointname", "point_name", "point name",
    "name", "signal",  "sensor",   "variable", "nodeid", "node_id",   "item"};
constexpr std::array<std::string_view, 6> kValueNames{"value", "val",     "values",
                                                      "wert",  "reading", "data"};
constexpr std::array<std::string_view, 4> kUnitNames{"unit", "units", "uom", "einheit"};
constexpr std::array<std::string_view, 4> kSureQuality{"quality", "good", "valid", "isgood"};
constexpr std::array<std::string_view, 4> kLikelyQuality{"q", "status", "qual", "statuscode"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// "T.quality" is T and quality; a name without a separator is its own suffix.
struct SplitName {
  std::string stem, suffix;
};
SplitName split_name(const std::string& name) {
  const auto at = name.find_last_of("._ -:");
  if (at == std::string::npos) return {"", lower_case(name)};
  return {name.substr(0, at), lower_case(name.substr(at + 1))};
}

class Roles {
 public:
  Roles(std::vector<LayoutColumn>& columns, const TableHead& table, const RolesRequest& request,
        std::vector<Message>& notes)
      : columns_(columns), table_(table), request_(request), notes_(notes) {}

  TimeSource assign() {
    declare(request_.run_column, ColumnRole::run, "--run-column");
    declare(request_.tag_column, ColumnRole::tag_name, "--tag-column");
    declare(request_.unit_column, ColumnRole::unit, "--unit-column");
    if (request_.value_column) value_ = column_named(table_.names, *request_.value_column);
    for (const std::string& item : request_.quality_columns) declare_quality(item);
    TimeSource time;
    if (!request_.evenly_spaced) {
      time = find_time(table_, request_.time, taken(), notes_);
      for (const std::size_t i : time.columns) columns_[i].role = ColumnRole::time;
    }
    if (request_.tag_column || request_.value_column || looks_long()) make_long();
    find_qualities();
    return time;
  }

 private:
  /// A column has one meaning.
  [[noreturn]] static void conflict(const char* flag) {
    throw Error("IMPORT_OPTIONS_CONFLICT",
                {{"first", flag}, {"second", "another flag that names the same column"}});
  }

  void declare(const std::optional<std::string>& name, ColumnRole role, const char* flag) {
    if (!name) return;
    LayoutColumn& column = columns_[column_named(table_.names, *name)];
    if (column.role != ColumnRole::tag) conflict(flag);
    column.role = role;
  }

  void declare_quality(const std::string& item) {
    const auto equals = item.find('=');
    const bool whole = std::ranges::find(table_.names, item) != table_.names.end();
    if (whole || equals == std::string::npos) {
      declare(item, ColumnRole::quality, "--quality-column");
      LayoutColumn& column = columns_[column_named(table_.names, item)];
      column.of = owner_of(column.name);
    } else {
      const std::string name = item.substr(equals + 1);
      declare(name, ColumnRole::quality, "--quality-column");
      columns_[column_named(table_.names, name)].of =
          column_named(table_.names, item.substr(0, equals));
    }
  }

  [[nodiscard]] std::vector<std::size_t> taken() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].role != ColumnRole::tag || i == value_) out.push_back(i);
    }
    return out;
  }

  /// The column whose name stands in front of a quality's suffix.
  [[nodiscard]] std::optional<std::size_t> owner_of(const std::string& name) const {
    const std::string stem = lower_case(split_name(name).stem);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].role == ColumnRole::tag && lower_case(columns_[i].name) == stem) return i;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::size_t> free_columns() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].role == ColumnRole::tag) out.push_back(i);
    }
    return out;
  }

  [[nodiscard]] bool mostly(std::size_t column, CellKind kind) const {
    std::size_t cells = 0, hits = 0;
    for (const auto& row : table_.rows) {
      if (column >= row.size()) continue;
      const CellKind found = kind_of(row[column].text);
      cells += found != CellKind::missing ? 1 : 0;
      hits += found == kind ? 1 : 0;
    }
    return cells > 0 && 2 * hits >= cells;
  }

  template <std::size_t N>
  [[nodiscard]] std::optional<std::size_t> named(
      const std::array<std::string_view, N>& names) const {
    for (const std::size_t i : free_columns()) {
      if (is_one_of(names, lower_case(columns_[i].name))) return i;
    }
    return std::nullopt;
  }

  /// The only free column of a kind.
  [[nodiscard]] std::optional<std::size_t> only(CellKind kind) const {
    std::optional<std::size_t> out;
    for (const std::size_t i : free_columns()) {
      if (i == value_ || !mostly(i, kind) || can_be_quality(i)) continue;
      if (out) return std::nullopt;
      out = i;
    }
    return out;
  }

  [[nodiscard]] bool can_be_quality(std::size_t column) const {
    const std::string suffix = split_name(columns_[column].name).suffix;
    return is_one_of(kSureQuality, suffix) || is_one_of(kLikelyQuality, suffix);
  }

  [[nodiscard]] bool looks_long() const {
    const auto tag = named(kTagNames);
    const auto value = named(kValueNames);
    if (request_.evenly_spaced || !tag || !mostly(*tag, CellKind::text)) return false;
    return value.has_value() || only(CellKind::number).has_value();
  }

  void make_long() {
    auto tag = tag_column();
    if (!tag) tag = named(kTagNames);
    if (!tag) tag = only(CellKind::text);
    if (!tag) incomplete("--tag-column");
    columns_[*tag].role = ColumnRole::tag_name;
    if (!value_) value_ = named(kValueNames);
    if (!value_) value_ = only(CellKind::number);
    if (!value_) incomplete("--value-column");
    if (columns_[*value_].role != ColumnRole::tag) conflict("--value-column");
    if (!request_.unit_column) {
      if (const auto unit = named(kUnitNames)) columns_[*unit].role = ColumnRole::unit;
    }
    notes_.push_back(
        {"IMPORT_LONG", {{"tag", columns_[*tag].name}, {"value", columns_[*value_].name}}});
  }

  [[nodiscard]] std::optional<std::size_t> tag_column() const {
    const auto at = std::ranges::find(columns_, ColumnRole::tag_name, &LayoutColumn::role);
    if (at == columns_.end()) return std::nullopt;
    return static_cast<std::size_t>(at - columns_.begin());
  }

  [[noreturn]] void incomplete(const char* flag) const {
    throw Error("IMPORT_LONG_INCOMPLETE",
                {{"flag", flag}, {"columns", readable(joined(table_.names), 200)}});
  }

  void find_qualities() {
    const bool is_long = value_.has_value();
    for (const std::size_t i : free_columns()) {
      if (i == value_) continue;
      const auto owner = owner_of(columns_[i].name);
      const bool bare = !owner && (is_long || free_columns().size() == 2) &&
                        split_name(columns_[i].name).stem.empty();
      if (((owner && owner != i) || bare) && can_be_quality(i) && holds_qualities(i)) {
        columns_[i].role = ColumnRole::quality;
        if (!is_long) columns_[i].of = owner;
        notes_.push_back({"IMPORT_QUALITY_COLUMN",
                          {{"column", columns_[i].name},
                           {"tag", owner ? columns_[*owner].name : std::string("the values")}}});
      }
    }
    if (!is_long) return;
    for (const std::size_t i : free_columns()) {
      if (i == value_) continue;
      columns_[i].role = ColumnRole::unused;
      notes_.push_back({"IMPORT_COLUMN_UNUSED", {{"column", columns_[i].name}}});
    }
    for (LayoutColumn& column : columns_) {
      if (column.role == ColumnRole::quality) column.of.reset();
    }
  }

  /// All cells can be qualities, and one of them is hardly anything else; a sure name suffices.
  [[nodiscard]] bool holds_qualities(std::size_t column) const {
    bool proof = is_one_of(kSureQuality, split_name(columns_[column].name).suffix);
    for (const auto& row : table_.rows) {
      if (column >= row.size() || row[column].text.empty()) continue;
      const std::string_view cell = row[column].text;
      if (!looks_like_quality(cell)) return false;
      proof = proof || cell.size() > 2;
    }
    return proof;
  }

  std::vector<LayoutColumn>& columns_;
  const TableHead& table_;
  const RolesRequest& request_;
  std::vector<Message>& notes_;
  std::optional<std::size_t> value_;  ///< of a long table
};

}  // namespace

TimeSource assign_roles(std::vector<LayoutColumn>& columns, const TableHead& table,
                        const RolesRequest& request, std::vector<Message>& notes) {
  return Roles(columns, table, request, notes).assign();
}

}  // namespace flyball::historian
