#include "historian/digital_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace flyball::historian {
namespace {

/// A text that can name a state: it begins with a letter. "12 °C" is a number gone wrong, "inf" one
/// beyond all bounds.
bool is_word(std::string_view text) {
  if (text.empty() || kind_of(text) != CellKind::text) return false;
  const auto c = static_cast<unsigned char>(text.front());
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0x80;
}

/// What a text can be in a column of states.
enum class Text { state, state_word, system, other };

Text kind_of_text(std::string_view text) {
  if (is_system_state(text)) return Text::system;
  if (is_state_word(text)) return Text::state_word;
  return is_word(text) ? Text::state : Text::other;
}

/// The cells of a column, by row.
class Cells {
 public:
  explicit Cells(const Column& column) : column_(column) {
    for (const std::string& word : column.words.words()) kinds_.push_back(kind_of_text(word));
  }

  /// The flag of a row, null for a good cell.
  [[nodiscard]] const Flag* flag_of(std::size_t row) const {
    const auto wanted = static_cast<std::int64_t>(row);
    const auto at = std::ranges::lower_bound(column_.flags, wanted, {}, &Flag::row);
    return at != column_.flags.end() && at->row == wanted ? &*at : nullptr;
  }

  [[nodiscard]] Text kind_of(const Flag& flag) const {
    return flag.word == WordList::kFull ? Text::other : kinds_[flag.word];
  }

 private:
  const Column& column_;
  std::vector<Text> kinds_;  ///< by word
};

/// The cells of one tag, by what they are.
struct Tally {
  std::int64_t numbers = 0;
  std::int64_t words = 0;   ///< states of a plant
  std::int64_t others = 0;  ///< texts that are no states, or of too many kinds
  bool plain = false;       ///< one of the words is a state and nothing else
  std::set<std::uint32_t> kinds;
};

template <class F>
void for_each_row(const TextTable& table, const TableTag& tag, F&& f) {
  if (table.layout.is_long()) {
    for (const std::size_t row : tag.rows) f(row);
  } else {
    for (std::size_t row = 0; row < table.rows(); ++row) f(row);
  }
}

Tally tally(const TextTable& table, const TableTag& tag) {
  const Cells cells(table.columns[tag.column]);
  Tally out;
  for_each_row(table, tag, [&](std::size_t row) {
    const Flag* flag = cells.flag_of(row);
    if (flag == nullptr) {
      ++out.numbers;
      return;
    }
    const Text kind = cells.kind_of(*flag);
    if (flag->quality == kBadNoData || kind == Text::system) return;
    if (kind == Text::other) {
      ++out.others;
      return;
    }
    ++out.words;
    out.plain = out.plain || kind == Text::state;
    out.kinds.insert(flag->word);
  });
  return out;
}

/// Replaces texts by codes, and numbers among them by the codes of their digits.
class Coder {
 public:
  Coder(Column& column, plant::Tag& tag)
      : column_(column), tag_(tag), cells_(column), codes_(column.words.words().size(), -1) {}

  void row(std::size_t at) {
    const Flag* flag = cells_.flag_of(at);
    if (flag == nullptr) {
      column_.values[at] = code_of(fmt::format("{}", column_.values[at]));
      return;
    }
    const bool counted = flag->word != WordList::kFull && flag->quality != kBadNoData;
    if (!counted || cells_.kind_of(*flag) == Text::system) return;
    double& code = codes_[flag->word];
    if (code < 0) code = code_of(column_.words.words()[flag->word]);
    column_.values[at] = code;
    coded_.push_back(flag->row);
  }

  /// Drops the flags of what became codes.
  void finish() {
    std::ranges::sort(coded_);
    std::erase_if(column_.flags,
                  [&](const Flag& f) { return std::ranges::binary_search(coded_, f.row); });
  }

 private:
  double code_of(std::string_view text) {
    const auto at = std::ranges::find(tag_.states, text);
    const auto code = static_cast<double>(at - tag_.states.begin());
    if (at == tag_.states.end()) {
      if (tag_.states.size() == kMostStates)
        throw Error("IMPORT_TOO_MANY_STATES", {{"tag", tag_.name}, {"limit", kMostStates}});
      tag_.states.emplace_back(text);
    }
    return code;
  }

  Column& column_;
  plant::Tag& tag_;
  Cells cells_;
  std::vector<double> codes_;  ///< by word; −1 before it was seen
  std::vector<std::int64_t> coded_;
};

bool has_texts(const Column& column) {
  return std::ranges::any_of(column.flags, [](const Flag& f) { return f.word != WordList::kFull; });
}

/// Numbers that are codes already.
bool are_codes(const TextTable& table, const TableTag& tag) {
  const auto end = static_cast<double>(tag.tag.states.size());
  bool out = true;
  for_each_row(table, tag, [&](std::size_t row) {
    const double v = table.columns[tag.column].values[row];
    out = out && (std::isnan(v) || (v >= 0 && v < end && std::floor(v) == v));
  });
  return out;
}

}  // namespace

void make_digital(TextTable& table, std::vector<TableTag>& tags,
                  const std::vector<plant::Tag>& known, std::vector<Message>& notes) {
  for (TableTag& tag : tags) {
    Column& column = table.columns[tag.column];
    const bool is_known = std::ranges::find(known, tag.tag.name, &plant::Tag::name) != known.end();
    const bool was_digital = tag.tag.kind == plant::TagKind::digital;
    if (!was_digital && !has_texts(column)) continue;
    const Tally cells = tally(table, tag);
    const bool words = cells.plain && cells.words >= cells.numbers + cells.others &&
                       cells.kinds.size() <= kMostStates;
    if (is_known && !was_digital && words) {
      notes.push_back({"IMPORT_KIND_KEPT", {{"tag", tag.tag.name}}});
      continue;
    }
    if (!words && !was_digital) continue;
    if (was_digital && cells.words == 0 && are_codes(table, tag)) continue;
    tag.tag.kind = plant::TagKind::digital;
    if (!is_known) tag.tag.stepped = true;
    const std::size_t before = tag.tag.states.size();
    Coder coder(column, tag.tag);
    for_each_row(table, tag, [&](std::size_t row) { coder.row(row); });
    coder.finish();
    if (tag.tag.states.size() > before) {
      notes.push_back({"IMPORT_DIGITAL",
                       {{"tag", tag.tag.name}, {"states", readable(joined(tag.tag.states), 200)}}});
    }
  }
}

}  // namespace flyball::historian
