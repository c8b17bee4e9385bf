#include <algorithm>

#include "advise/ledger.h"
#include "registry/registry.h"

namespace flyball::advise {

std::string timed_id(const std::string& prefix, TimeUs now) {
  static constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string digits;
  for (auto ms = static_cast<std::uint64_t>(std::max<TimeUs>(now, 0) / kMillisecond); ms > 0;
       ms /= 36)
    digits += kDigits[ms % 36];
  std::ranges::reverse(digits);
  const std::string random = registry::random_id("");  // "-" and 12 digits
  return prefix + "-" + (digits.empty() ? "0" : digits) + random.substr(0, 7);
}

}  // namespace flyball::advise
