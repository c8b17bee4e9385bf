#include "survey/proposal.h"

#include <algorithm>

namespace flyball::survey {

Proposal propose(const Message& message, std::vector<std::string> tags, std::string field,
                 std::string value) {
  Words w = words(message);
  Proposal out;
  out.code = std::move(w.code);
  out.text = std::move(w.text);
  out.params = std::move(w.params);
  out.tags = std::move(tags);
  out.field = std::move(field);
  out.value = std::move(value);
  return out;
}

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 6;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMost) out += " and " + std::to_string(names.size() - kMost) + " more";
  return out;
}

}  // namespace flyball::survey
