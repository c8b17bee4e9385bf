#include "historian/quality_codes.h"

#include <algorithm>
#include <charconv>

#include "core/record.h"
#include "historian/cells.h"

namespace flyball::historian {
namespace {

struct Word {
  std::string_view text;
  std::uint32_t code;
};

// Codes of OPC UA part 4 and part 8, and of part 8's mapping of OPC classic.
constexpr std::uint32_t kConfiguration = 0x80890000, kNotConnected = 0x808A0000,
                        kDeviceFailure = 0x808B0000, kSensorFailure = 0x808C0000,
                        kOutOfService = 0x808D0000, kNoCommunication = 0x80310000,
                        kWaiting = 0x80320000, kLastUsable = 0x40900000, kSubstitute = 0x40910000,
                        kInitial = 0x40920000, kNotAccurate = 0x40930000,
                        kUnitsExceeded = 0x40940000, kSubNormal = 0x40950000,
                        kLocalOverride = 0x00960000;

constexpr std::array kUaNames{Word{"badconfigurationerror", kConfiguration},
                              Word{"badnotconnected", kNotConnected},
                              Word{"baddevicefailure", kDeviceFailure},
                              Word{"badsensorfailure", kSensorFailure},
                              Word{"badoutofservice", kOutOfService},
                              Word{"badnocommunication", kNoCommunication},
                              Word{"badwaitingforinitialdata", kWaiting},
                              Word{"badnodata", kBadNoData.code},
                              Word{"badoutofrange", kBadOutOfRange.code},
                              Word{"badtypemismatch", kBadNotANumber.code},
                              Word{"uncertainlastusablevalue", kLastUsable},
                              Word{"uncertainsubstitutevalue", kSubstitute},
                              Word{"uncertaininitialvalue", kInitial},
                              Word{"uncertainsensornotaccurate", kNotAccurate},
                              Word{"uncertainengineeringunitsexceeded", kUnitsExceeded},
                              Word{"uncertainsubnormal", kSubNormal},
                              Word{"goodlocaloverride", kLocalOverride}};

constexpr std::array kWords{Word{"ok", kGood.code},
                            Word{"valid", kGood.code},
                            Word{"true", kGood.code},
                            Word{"yes", kGood.code},
                            Word{"false", kBad.code},
                            Word{"no", kBad.code},
                            Word{"questionable", kUncertain.code},
                            Word{"suspect", kUncertain.code},
                            Word{"doubtful", kUncertain.code},
                            Word{"substituted", kSubstitute}};

/// What a historian's system writes instead of a value.
constexpr std::array kSystemStates{Word{"i/o timeout", kNoCommunication},
                                   Word{"io timeout", kNoCommunication},
                                   Word{"comm fail", kNoCommunication},
                                   Word{"no comm", kNoCommunication},
                                   Word{"not connect", kNotConnected},
                                   Word{"not connected", kNotConnected},
                                   Word{"pt created", kWaiting},
                                   Word{"point created", kWaiting},
                                   Word{"no sample", kBadNoData.code},
                                   Word{"no result", kBadNoData.code},
                                   Word{"arc off-line", kOutOfService},
                                   Word{"arc offline", kOutOfService},
                                   Word{"intf shut", kOutOfService},
                                   Word{"scan off", kOutOfService},
                                   Word{"scan timeout", kNoCommunication},
                                   Word{"out of serv", kOutOfService},
                                   Word{"calc failed", kBad.code},
                                   Word{"calc off", kOutOfService},
                                   Word{"configure", kConfiguration},
                                   Word{"device failure", kDeviceFailure},
                                   Word{"sensor failure", kSensorFailure},
                                   Word{"bad input", kBad.code},
                                   Word{"bad data", kBad.code},
                                   Word{"bad value", kBad.code},
                                   Word{"bad total", kBad.code},
                                   Word{"invalid data", kBad.code},
                                   Word{"invalid float", kBad.code},
                                   Word{"#value!", kBad.code},
                                   Word{"#div/0!", kBad.code},
                                   Word{"#num!", kBad.code},
                                   Word{"#ref!", kBad.code},
                                   Word{"#name?", kBad.code}};

constexpr std::array kStateWords{Word{"shutdown", kOutOfService},
                                 Word{"offline", kOutOfService},
                                 Word{"off-line", kOutOfService},
                                 Word{"error", kBad.code},
                                 Word{"fault", kBad.code},
                                 Word{"failed", kBad.code},
                                 Word{"fail", kBad.code},
                                 Word{"invalid", kBad.code},
                                 Word{"over range", kBadOutOfRange.code},
                                 Word{"under range", kBadOutOfRange.code},
                                 Word{"overflow", kBadOutOfRange.code}};

template <std::size_t N>
std::optional<Quality> find(const std::array<Word, N>& words, std::string_view lower) {
  const auto at = std::ranges::find(words, lower, &Word::text);
  return at == words.end() ? std::nullopt : std::optional(Quality{at->code});
}

/// Good, Uncertain and Bad, with or without a UA name's rest.
std::optional<Quality> by_severity(std::string_view lower) {
  if (lower.starts_with("good")) return kGood;
  if (lower.starts_with("uncertain")) return kUncertain;
  return lower.starts_with("bad") ? std::optional(kBad) : std::nullopt;
}

std::optional<std::int64_t> whole_number(std::string_view cell) {
  const bool hex = cell.starts_with("0x") || cell.starts_with("0X");
  if (hex) cell.remove_prefix(2);
  if (!hex && cell.ends_with(".0")) cell.remove_suffix(2);
  std::int64_t value = 0;
  const char* end = cell.data() + cell.size();
  const auto [stop, error] = std::from_chars(cell.data(), end, value, hex ? 16 : 10);
  if (error != std::errc() || stop != end || value < 0 || value > 0xFFFFFFFF) return std::nullopt;
  return value;
}

Quality from_classic(std::int64_t byte) {
  switch (byte & 0xFC) {  // the two lowest bits say whether the value is at a limit
    case 0x04:
      return {kConfiguration};
    case 0x08:
      return {kNotConnected};
    case 0x0C:
      return {kDeviceFailure};
    case 0x10:
      return {kSensorFailure};
    case 0x18:
      return {kNoCommunication};
    case 0x1C:
      return {kOutOfService};
    case 0x20:
      return {kWaiting};
    case 0x44:
      return {kLastUsable};
    case 0x50:
      return {kNotAccurate};
    case 0x54:
      return {kUnitsExceeded};
    case 0x58:
      return {kSubNormal};
    case 0xD8:
      return {kLocalOverride};
    default:
      break;
  }
  const std::int64_t top = (byte >> 6) & 3;
  return top == 3 ? kGood : top == 1 ? kUncertain : kBad;
}

Quality from_number(std::int64_t number, QualityCodes codes) {
  switch (codes) {
    case QualityCodes::ua:
      return {static_cast<std::uint32_t>(number)};
    case QualityCodes::classic:
      return from_classic(number);
    case QualityCodes::flag:
      break;
  }
  return number == 1 ? kGood : kBad;
}

bool names_a_flag(std::string_view column) {
  const std::string lower = lower_case(column);
  return lower.ends_with("good") || lower.ends_with("valid") || lower.ends_with("ok");
}

QualityCodes codes_of(const std::string& column, const std::vector<std::string>& texts) {
  std::int64_t largest = -1;
  std::string_view example;
  for (const std::string& text : texts) {
    const auto number = whole_number(text);
    if (!number || *number < largest) continue;
    largest = *number;
    example = text;
  }
  if (largest > 255) return QualityCodes::ua;
  if (largest >= 64) return QualityCodes::classic;
  if (largest < 0 || (largest <= 1 && names_a_flag(column))) return QualityCodes::flag;
  throw Error("IMPORT_QUALITY_AMBIGUOUS", {{"column", column}, {"code", example}}, "/qualityCodes");
}

}  // namespace

std::optional<Quality> quality_of_word(std::string_view text) {
  const std::string lower = lower_case(text);
  if (const auto found = find(kUaNames, lower)) return found;
  if (const auto found = find(kSystemStates, lower)) return found;
  if (const auto found = find(kStateWords, lower)) return found;
  if (const auto found = find(kWords, lower)) return found;
  return by_severity(lower);
}

Quality quality_of_state(std::string_view text) {
  const std::string lower = lower_case(text);
  if (const auto found = find(kUaNames, lower)) return *found;
  if (const auto found = find(kSystemStates, lower)) return *found;
  if (const auto found = find(kStateWords, lower)) return *found;
  return lower == "bad" ? kBad : kBadNotANumber;
}

bool is_system_state(std::string_view text) {
  const std::string lower = lower_case(text);
  return lower == "bad" || find(kSystemStates, lower) || (find(kUaNames, lower) && lower[0] == 'b');
}

bool is_state_word(std::string_view text) {
  return is_system_state(text) || find(kStateWords, lower_case(text));
}

bool looks_like_quality(std::string_view cell) {
  if (quality_of_word(cell)) return true;
  const auto number = whole_number(cell);
  if (!number) return false;
  constexpr std::array<std::int64_t, 17> kClassic{0,  4,  8,  12, 16, 20,  24,  28, 32,
                                                  64, 68, 80, 84, 88, 192, 216, 1};
  if (*number <= 255) return std::ranges::find(kClassic, *number) != kClassic.end();
  return *number >= 0x40000000 || (*number & 0xFFFF0000) != 0;
}

std::vector<Quality> read_qualities(const std::string& column,
                                    const std::vector<std::string>& texts,
                                    std::optional<QualityCodes> declared,
                                    std::vector<Message>& notes) {
  const QualityCodes codes = declared ? *declared : codes_of(column, texts);
  std::vector<Quality> out;
  std::int64_t numbers = 0;
  for (const std::string& text : texts) {
    const auto number = whole_number(text);
    const auto word = quality_of_word(text);
    numbers += number ? 1 : 0;
    out.push_back(text.empty() ? kGood
                  : number     ? from_number(*number, codes)
                               : word.value_or(kBad));
    if (!text.empty() && !number && !word)
      notes.push_back({"IMPORT_QUALITY_UNKNOWN", {{"column", column}, {"text", readable(text)}}});
  }
  if (numbers > 0)
    notes.push_back({"IMPORT_QUALITY_CODES", {{"column", column}, {"codes", enum_name(codes)}}});
  return out;
}

}  // namespace flyball::historian
