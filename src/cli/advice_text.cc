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

std::string rest_of(const Json& rest) {
  std::vector<std::vector<std::string>> rows{{"at rest", "value", "wanted", "unit"}};
  for (const Json& r : rest)
    rows.push_back({r.value("varId", ""), number(r["value"]), number(r.value("wanted", Json())),
                    r.value("unit", "")});
  return rows.size() > 1 ? print_table(rows) : "";
}

/// "1.2 now, 2.1 ahead, up to 3".
std::string distance(const Json& d, const char* now, const char* along, const char* limit) {
  if (!d.contains(now)) return "not known";
  return fmt::format("{} now, {} ahead, up to {}", number(d[now]), number(d.value(along, Json())),
                     number(d.value(limit, Json())));
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
  out += rest_of(answer.value("rest", Json::array()));
  add_words(answer, "atRest", "at rest", style, out);
  add_words(answer, "relaxed", "given up", style, out);
  add_words(answer, "mind", "mind", style, out);
  if (advice && answer.contains("distances")) {
    const Json& d = answer["distances"];
    out += style.dim("distance from train") + "\n  per variable " +
           distance(d, "now", "along", "limit") + "; together " +
           distance(d, "mahalanobisNow", "mahalanobisAlong", "mahalanobisLimit") + '\n';
  }
  std::string ids;
  for (const char* id : {"recommendationId", "runId", "bindingId"}) {
    const std::string value = answer.value(id, "");
    if (!value.empty()) ids += (ids.empty() ? "" : " · ") + value;
  }
  return out + style.dim(ids) + '\n';
}

}  // namespace flyball::cli
