#include "core/units.h"

#include <algorithm>
#include <cmath>

#include "core/record.h"
#include "core/unit_table.h"

namespace flyball {
namespace {

constexpr double kAtmosphere = 101325;  // Pa
constexpr std::size_t kLongest = 100;   // bytes of a text; brackets nest no deeper

struct Rewrite {
  std::string_view from, to;
};

/// What plants write beyond ASCII, as the parser reads it. Superscripts become "^" and digits.
constexpr Rewrite kRewrites[] = {
    {"·", "*"},      {"⋅", "*"},        {"∙", "*"},     {"•", "*"},    {"×", "*"},    {"÷", "/"},
    {"∕", "/"},      {"⁄", "/"},        {"−", "-"},     {"–", "-"},    {"µ", "u"},    {"μ", "u"},
    {"Ω", "ohm"},    {"\u2126", "ohm"}, {"℃", "degC"},  {"℉", "degF"}, {"°", "deg"},  {"º", "deg"},
    {"˚", "deg"},    {"‰", "permille"}, {"％", "%"},    {"₂", "2"},    {"㎡", "m^2"}, {"㎥", "m^3"},
    {"\u00A0", " "}, {"\u202F", " "},   {"\u2009", " "}};

constexpr Rewrite kSuperscripts[] = {{"⁰", "0"}, {"¹", "1"}, {"²", "2"}, {"³", "3"},
                                     {"⁴", "4"}, {"⁵", "5"}, {"⁶", "6"}, {"⁷", "7"},
                                     {"⁸", "8"}, {"⁹", "9"}, {"⁻", "-"}};

template <std::size_t N>
const Rewrite* starts(const Rewrite (&list)[N], std::string_view text) {
  const auto* it =
      std::ranges::find_if(list, [&](const Rewrite& r) { return text.starts_with(r.from); });
  return it == std::end(list) ? nullptr : it;
}

std::string in_ascii(std::string_view text) {
  std::string out;
  bool raised = false;
  while (!text.empty()) {
    if (const Rewrite* r = starts(kSuperscripts, text)) {
      if (!raised) out += '^';
      raised = true;
      out += r->to;
      text.remove_prefix(r->from.size());
      continue;
    }
    raised = false;
    const Rewrite* r = starts(kRewrites, text);
    out += r != nullptr ? r->to : text.substr(0, 1);
    text.remove_prefix(r != nullptr ? r->from.size() : 1);
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

/// In a product, quotient or power a unit is one of differences: without zero.
Unit raised(const Unit& u, int exponent) {
  if (exponent == 1) return u;
  Unit out;
  for (int i = 0; i < std::abs(exponent); ++i) {
    out.numerator *= exponent > 0 ? u.numerator : u.denominator;
    out.denominator *= exponent > 0 ? u.denominator : u.numerator;
  }
  for (std::size_t i = 0; i < Dimension::bases; ++i)
    out.dimension.exponents[i] = u.dimension.exponents[i] * exponent;
  return out;
}

Unit product(const Unit& a, const Unit& b) {
  Unit out{a.numerator * b.numerator, a.denominator * b.denominator};
  for (std::size_t i = 0; i < Dimension::bases; ++i)
    out.dimension.exponents[i] = a.dimension.exponents[i] + b.dimension.exponents[i];
  return out;
}

[[noreturn]] void throw_unknown(std::string_view text) {
  const bool is_long = text.size() > kLongest;
  throw Error(
      "UNIT_UNKNOWN",
      {{"unit", text.substr(0, kLongest)},
       {"suggestion", is_long ? std::string() : record_detail::suggestion(text, all_spellings())}});
}

/// expression = factor { ("*" | "." | blank | "/") factor }
/// factor     = ( "(" expression ")" | "1" | symbol ) [ exponent ]
class Parser {
 public:
  Parser(std::string_view text, std::string_view original)
      : text_(text), original_(original), capitals_(std::ranges::none_of(text, is_lower)) {}

  Unit whole() {
    const Unit out = expression();
    if (at_ < text_.size() || !std::isnormal(out.numerator / out.denominator)) unknown();
    return out;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool take(std::string_view what) {
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }
  void skip_blanks() {
    while (peek() == ' ') ++at_;
  }

  Unit expression() {
    Unit out = factor();
    for (bool divided = false;;) {
      skip_blanks();
      if (take("/")) {
        out = product(out, raised(factor(), -1));
        divided = true;
      } else if (take("*") || take(".") || is_letter(peek()) || peek() == '(') {
        if (divided) ambiguous("a product after \"/\"; set brackets, as in kJ/(kg*K)");
        out = product(out, factor());
      } else {
        return out;
      }
    }
  }

  Unit factor() {
    skip_blanks();
    if (take("(")) {
      const Unit inner = expression();
      if (!take(")")) unknown();
      return raised(inner, exponent());
    }
    if (peek() == '1' && !is_digit(peek(1)) && peek(1) != '.') {
      ++at_;
      return {};
    }
    const std::string_view word = next_word();
    if (word == "Nm" || word == "NM") {
      // A newton metre or, with the exponent 3, a normal cubic metre.
      const int power = exponent();
      if (power == 3) return {1, 1, 0, {{0, 0, 0, 0, 0, 0, 0, 1}}, false};
      if (power != 1) unknown();
      return lookup("Nm");
    }
    if (word == "nl") ambiguous("Nl, a normal litre, or a nanolitre");
    if (word == "kn") ambiguous("kN or knots");
    const Unit unit = symbol(word);
    const int power = exponent();
    if (word == "nm" && power != 1) ambiguous("Nm3, a normal cubic metre, or a power of nm");
    return raised(unit, power);
  }

  /// Letters; with "2O" after an H, and with the C, F or K after "deg ".
  std::string_view next_word() {
    const std::size_t from = at_;
    while (is_letter(peek())) ++at_;
    if (at_ == from) unknown();
    const char last = text_[at_ - 1];
    if ((last == 'H' || last == 'h') && peek() == '2' && (peek(1) == 'O' || peek(1) == 'o'))
      at_ += 2;
    const std::string_view word = text_.substr(from, at_ - from);
    if (word != "deg" && word != "Deg" && word != "DEG") return word;
    std::size_t next = at_ + (peek() == '.' ? 1 : 0);
    while (next < text_.size() && text_[next] == ' ') ++next;
    if (next == text_.size() || is_letter(next + 1 < text_.size() ? text_[next + 1] : ' '))
      return word;
    const char scale = text_[next];
    if (scale != 'C' && scale != 'F' && scale != 'K') return word;
    at_ = next + 1;
    return scale == 'C' ? "degC" : scale == 'F' ? "degF" : "K";
  }

  Unit symbol(std::string_view word) {
    if (!find_symbols(word, capitals_).empty()) {
      Unit unit = lookup(word);
      if (is_pressure(unit)) unit = against(unit, suffix());
      return unit;
    }
    // barg, psia
    const char last = word.back();
    const std::string_view stem = word.substr(0, word.size() - 1);
    if ((last == 'g' || last == 'G' || last == 'a' || last == 'A') &&
        !find_symbols(stem, capitals_).empty()) {
      const Unit unit = lookup(stem);
      if (is_pressure(unit)) return against(unit, last == 'g' || last == 'G');
    }
    unknown();
  }

  Unit lookup(std::string_view word) {
    const auto found = find_symbols(word, capitals_);
    if (found.size() == 1) return found.front()->unit;
    std::string choices;
    for (const UnitSymbol* s : found)
      choices += (choices.empty() ? "" : " or ") + std::string(usual_spelling(*s));
    ambiguous(choices);
  }

  /// True when "(g)", " gauge" and the like follow; "(a)", " abs" are taken too.
  bool suffix() {
    constexpr std::string_view kGauge[] = {"(g)",    "(G)",   "(gauge)", " (g)",
                                           " gauge", " gage", " g",      " G"};
    constexpr std::string_view kAbsolute[] = {"(a)",       "(A)",  "(abs)", " (a)",
                                              " absolute", " abs", " a",    " A"};
    const auto takes = [&](std::string_view s) {
      const std::size_t end = at_ + s.size();
      if (s.back() != ')' && end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end])))
        return false;
      return take(s);
    };
    if (std::ranges::any_of(kGauge, takes)) return true;
    (void)std::ranges::any_of(kAbsolute, takes);
    return false;
  }

  static Unit against(Unit unit, bool gauge) {
    unit.gauge = gauge;
    if (gauge) unit.zero = kAtmosphere * unit.denominator / unit.numerator;
    return unit;
  }

  /// "3", "^3", "**3", "^-1", "-1"; 1 when there is none.
  int exponent() {
    const bool marked = take("^") || take("**");
    const std::size_t sign = peek() == '-' ? 1 : 0;
    if (!is_digit(peek(sign))) {
      if (marked) unknown();
      return 1;
    }
    const int value = peek(sign) - '0';
    at_ += sign + 1;
    if (is_digit(peek()) || value == 0) unknown();
    return sign == 1 ? -value : value;
  }

  [[noreturn]] void unknown() const { throw_unknown(original_); }
  [[noreturn]] void ambiguous(const std::string& choices) const {
    throw Error("UNIT_AMBIGUOUS", {{"unit", original_}, {"choices", choices}});
  }

  std::string_view text_, original_;
  bool capitals_;
  std::size_t at_ = 0;
};

}  // namespace

Unit parse_unit(std::string_view text) {
  if (text.size() > kLongest) throw_unknown(text);
  const std::string ascii = in_ascii(text);
  std::string_view inner = trimmed(ascii);
  if (inner.size() >= 2 && inner.front() == '[' && inner.back() == ']')
    inner = trimmed(inner.substr(1, inner.size() - 2));
  if (inner.empty() || inner == "-") return {};
  return Parser(inner, text).whole();
}

Conversion convert(std::string_view from, std::string_view to) {
  const Unit a = parse_unit(from), b = parse_unit(to);
  if (a.dimension != b.dimension) {
    throw Error("UNIT_DIMENSION", {{"from", from},
                                   {"fromDimension", dimension_words(a.dimension)},
                                   {"to", to},
                                   {"toDimension", dimension_words(b.dimension)}});
  }
  Conversion out;
  out.scale = a.numerator * b.denominator / (a.denominator * b.numerator);
  out.offset = a.zero * out.scale - b.zero;
  if (a.gauge != b.gauge)
    out.note = Message{"UNIT_ATMOSPHERE", {{"from", from}, {"to", to}, {"air", "1.01325 bar"}}};
  return out;
}

}  // namespace flyball
