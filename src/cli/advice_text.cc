#include "cli/advice_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace flyball::cli {
namespace {

std::string number(const Json& value) {
  return value.is_number() ? fmt::format("{:.4g}", value.get<double>()) : "";
}

std::string moves_of(const Json& moves) {
  std::vector<std::vector<std::string>> rows{{"move", "from", "to", "rest", "unit"}};
  for (const Json& m : moves)
    rows.push_back({m.value("varId", ""), number(m["from"]), number(m["to"]), number(m["rest"]),
                    m.value("unit", "")});
  return rows.size() > 1 ? print_table(rows) : "";
}

std::string effects_of(const Json& effects) {
  std::vector<std::vector<std::string>> rows{
      {"effect", "now", "then", "low", "high", "when held", "unit"}};
  for (const Json& e : effects)
    rows.push_back({e.value("varId", ""), number(e["from"]), number(e["to"]),
                    number(e.value("low", Json())), number(e.value("high", Json())),
                    number(e["hold"]), e.value("unit", "")});
  return rows.size() > 1 ? print_table(rows) : "";
}

void add_words(const Json& answer, const char* field, const char* head, const Style& style,
               std::string& out) {
  const Json list = answer.value(field, Json::array());
  if (list.empty()) return;
  out += style.dim(head) + '\n';
  for (const Json& w : list) out += "  " + w.value("text", "") + '\n';
}

}  // namespace

std::string print_card(const Json& answer, const Style& style) {
  std::string out;
  const bool advice = answer.value("advice", false);
  for (const Json& line : answer.value("lines", Json::array())) {
    const auto text = line.get<std::string>();
    out += (advice ? text : style.bad(text)) + '\n';
  }
  const Json moves = answer.value("moves", Json::array()),
             effects = answer.value("effects", Json::array());
  if (!moves.empty() || !effects.empty()) out += '\n' + moves_of(moves) + effects_of(effects);
  add_words(answer, "relaxed", "given up", style, out);
  add_words(answer, "mind", "mind", style, out);
  std::string ids;
  for (const char* id : {"recommendationId", "runId", "bindingId"}) {
    const std::string value = answer.value(id, "");
    if (!value.empty()) ids += (ids.empty() ? "" : " · ") + value;
  }
  return out + style.dim(ids) + '\n';
}

}  // namespace flyball::cli
