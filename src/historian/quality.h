#pragma once
// OPC UA status codes: the top two bits say good, uncertain or bad; the original code is kept.
#include <cstdint>

namespace flyball::historian {

struct Quality {
  std::uint32_t code = 0;
  [[nodiscard]] bool good() const { return code >> 30 == 0; }
  [[nodiscard]] bool uncertain() const { return code >> 30 == 1; }
  [[nodiscard]] bool bad() const { return code >> 30 >= 2; }
  bool operator==(const Quality&) const = default;
};

inline constexpr Quality kGood{0x00000000};
inline constexpr Quality kUncertain{0x40000000};
inline constexpr Quality kBad{0x80000000};
inline constexpr Quality kBadNoData{0x809B0000};      ///< the cell was empty or said "no data"
inline constexpr Quality kBadNotANumber{0x80740000};  ///< the cell held a text (BadTypeMismatch)
inline constexpr Quality kBadOutOfRange{0x803C0000};  ///< not finite

}  // namespace flyball::historian
