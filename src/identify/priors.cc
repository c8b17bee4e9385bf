#include "identify/priors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/time.h"

namespace flyball::identify {
namespace {

constexpr double kUsPerSecond = 1e6;

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

/// The statement after the pair, taken apart at the last word that names a quantity.
struct Statement {
  std::string_view pair, relation;
  PriorQuantity quantity;
};

std::optional<Statement> statement_of(std::string_view text) {
  std::optional<Statement> best;
  std::size_t best_at = 0;
  for (const PriorQuantity q :
       {PriorQuantity::gain, PriorQuantity::dead_time, PriorQuantity::time_constant}) {
    const std::string word = " " + std::string(enum_name(q));
    const std::size_t at = text.rfind(word);
    if (at == std::string_view::npos || (best && at < best_at)) continue;
    best_at = at;
    best = Statement{trimmed(text.substr(0, at)), trimmed(text.substr(at + word.size())), q};
  }
  return best;
}

class Parser {
 public:
  Parser(const std::vector<std::string>& inputs, const std::vector<std::string>& cvs,
         std::vector<Problem>& problems)
      : inputs_(inputs.begin(), inputs.end()), cvs_(cvs.begin(), cvs.end()), problems_(problems) {}

  std::optional<Prior> parse(const std::string& text, std::size_t index) {
    at_ = "/prior/" + std::to_string(index);
    const std::size_t before = problems_.size();
    const auto statement = statement_of(text);
    if (!statement || statement->pair.find("->") == std::string_view::npos) {
      return unreadable(text);
    }
    Prior p;
    p.text = text;
    p.quantity = statement->quantity;
    read_pair(statement->pair, p);
    if (!read_relation(statement->relation, p)) return unreadable(text);
    if (problems_.size() == before && empty(p))
      problems_.push_back({at_, {"PRIOR_EMPTY", {{"text", text}}}});
    return problems_.size() == before ? std::optional(p) : std::nullopt;
  }

 private:
  std::nullopt_t unreadable(const std::string& text) {
    problems_.push_back({at_, {"PRIOR_UNREADABLE", {{"text", text}}}});
    return std::nullopt;
  }

  /// A name may hold "->" itself: the split that gives two known names.
  void read_pair(std::string_view pair, Prior& p) {
    for (std::size_t at = pair.find("->"); at != std::string_view::npos;
         at = pair.find("->", at + 1)) {
      const auto input = trimmed(pair.substr(0, at)), cv = trimmed(pair.substr(at + 2));
      const bool last = pair.find("->", at + 1) == std::string_view::npos;
      const bool known = std::ranges::count(inputs_, input) > 0 && std::ranges::count(cvs_, cv) > 0;
      if (!known && !last) continue;
      p.input = input;
      p.cv = cv;
      break;
    }
    check_name(p.input, "MV or DV", inputs_);
    check_name(p.cv, "CV", cvs_);
  }

  void check_name(const std::string& name, const char* what,
                  const std::vector<std::string_view>& known) {
    if (std::ranges::count(known, name) > 0) return;
    problems_.push_back({at_,
                         {"PRIOR_NAME_UNKNOWN",
                          {{"name", name},
                           {"what", what},
                           {"suggestion", record_detail::suggestion(name, known)}}}});
  }

  bool read_relation(std::string_view text, Prior& p) {
    if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
      p.low = value(trimmed(text.substr(0, dots)), p.quantity);
      p.high = value(trimmed(text.substr(dots + 2)), p.quantity);
      return p.low && p.high;
    }
    if (text.empty()) return false;
    const char sign = text.front();
    text.remove_prefix(1);
    const bool or_equal = sign != '=' && !text.empty() && text.front() == '=';
    if (or_equal) text.remove_prefix(1);
    const auto v = value(trimmed(text), p.quantity);
    if (!v || (sign != '<' && sign != '>' && sign != '=')) return false;
    if (sign != '<') p.low = v;
    if (sign != '>') p.high = v;
    p.low_open = sign == '>' && !or_equal;
    p.high_open = sign == '<' && !or_equal;
    return true;
  }

  /// "0s", "0 min": durations elsewhere are above 0.
  static bool is_zero_time(std::string_view text) {
    const std::size_t digits = text.find_first_not_of("0.");
    if (digits == 0 || digits == std::string_view::npos) return text == "0";
    const auto unit = trimmed(text.substr(digits));
    constexpr std::array<std::string_view, 6> kUnits{"us", "ms", "s", "min", "h", "d"};
    return std::ranges::count(kUnits, unit) > 0;
  }

  static std::optional<double> value(std::string_view text, PriorQuantity quantity) {
    if (quantity != PriorQuantity::gain) {
      if (is_zero_time(text)) return 0;
      try {
        return static_cast<double>(parse_duration(text)) / kUsPerSecond;
      } catch (const Error&) {
        return std::nullopt;
      }
    }
    double v = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), v);
    const bool whole = ec == std::errc{} && end == text.data() + text.size() && std::isfinite(v);
    return whole ? std::optional(v) : std::nullopt;
  }

  static bool empty(const Prior& p) {
    const bool time = p.quantity != PriorQuantity::gain;
    if (time && p.high && (*p.high < 0 || (*p.high == 0 && p.high_open))) return true;
    if (!p.low || !p.high) return false;
    return *p.low > *p.high;
  }

  std::vector<std::string_view> inputs_, cvs_;
  std::vector<Problem>& problems_;
  std::string at_;
};

bool contradict(const Prior& a, const Prior& b) {
  if (a.input != b.input || a.cv != b.cv || a.quantity != b.quantity) return false;
  const auto apart = [](const Prior& lower, const Prior& upper) {
    if (!lower.high || !upper.low) return false;
    const bool open = lower.high_open || upper.low_open;
    return *lower.high < *upper.low || (open && *lower.high == *upper.low);
  };
  return apart(a, b) || apart(b, a);
}

}  // namespace

bool Prior::holds(double value) const {
  if (low && (low_open ? !(value > *low) : !(value >= *low))) return false;
  if (high && (high_open ? !(value < *high) : !(value <= *high))) return false;
  return std::isfinite(value);
}

bool Prior::overlaps(double from, double to) const {
  if (low && (low_open ? !(to > *low) : !(to >= *low))) return false;
  return !high || (high_open ? from < *high : from <= *high);
}

std::vector<Prior> parse_priors(const std::vector<std::string>& texts,
                                const std::vector<std::string>& inputs,
                                const std::vector<std::string>& cvs,
                                std::vector<Problem>& problems) {
  Parser parser(inputs, cvs, problems);
  std::vector<Prior> out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto p = parser.parse(texts[i], i);
    if (!p) continue;
    for (const Prior& earlier : out) {
      if (!contradict(earlier, *p)) continue;
      problems.push_back({"/prior/" + std::to_string(i),
                          {"PRIOR_CONTRADICTION", {{"first", earlier.text}, {"second", p->text}}}});
    }
    out.push_back(std::move(*p));
  }
  return out;
}

}  // namespace flyball::identify
