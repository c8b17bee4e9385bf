#pragma once
// A Message as it stands in a report: code, text of the catalogue, named values with their units.
#include "core/error.h"
#include "core/record.h"

namespace flyball {

struct Words {
  std::string code, text;
  Json params = Json::object();  ///< name → {value, unit?}
  static constexpr auto fields() {
    return FieldList{
        field("code", &Words::code, "stable"), field("text", &Words::text, "in plain words"),
        field("params", &Words::params, "named values, with units where they have one")};
  }
};

inline Words words(const Message& message) {
  Words out{message.code, message.text(), Json::object()};
  for (const Param& p : message.params) {
    Json& entry = out.params[p.name];
    if (const auto* d = std::get_if<double>(&p.value)) {
      entry["value"] = number_or_null(*d);
    } else if (const auto* i = std::get_if<std::int64_t>(&p.value)) {
      entry["value"] = *i;
    } else {
      entry["value"] = std::get<std::string>(p.value);
    }
    if (!p.unit.empty()) entry["unit"] = p.unit;
  }
  return out;
}

}  // namespace flyball
