#include "govern/rights.h"

#include <algorithm>

namespace flyball::govern {

bool contains(const std::vector<Right>& rights, Right right) {
  return std::ranges::find(rights, right) != rights.end();
}

std::vector<Right> sorted(const std::vector<Right>& rights) {
  std::vector<Right> out = all_rights();
  std::erase_if(out, [&](Right r) { return !contains(rights, r); });
  return out;
}

std::vector<Right> common(const std::vector<Right>& a, const std::vector<Right>& b) {
  std::vector<Right> out = sorted(a);
  std::erase_if(out, [&](Right r) { return !contains(b, r); });
  return out;
}

std::vector<Right> all_rights() {
  std::vector<Right> out;
  for (std::size_t i = 0; i < enum_names(Right{}).size(); ++i) out.push_back(static_cast<Right>(i));
  return out;
}

}  // namespace flyball::govern
