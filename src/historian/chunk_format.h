#pragma once
// What the two directions of the chunk format share.
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace flyball::historian::chunk {

static_assert(std::endian::native == std::endian::little, "chunks are little-endian");

inline constexpr std::size_t kHeader = 13;  ///< checksum u64, version u8, samples u32
inline constexpr std::uint8_t kVersion = 1;

/// How a series of n integers is written: as residuals of a prediction.
enum Order : std::uint8_t { kLine = 0, kDelta = 1, kDeltaOfDelta = 2 };
enum ValueMode : std::uint8_t { kDecimal = 0, kXor = 1 };

inline constexpr int kMostDecimals = 9;
inline constexpr double kPowers[kMostDecimals + 1] = {1e0, 1e1, 1e2, 1e3, 1e4,
                                                      1e5, 1e6, 1e7, 1e8, 1e9};
/// x + kRound has x rounded to an integer in its low bits, for |x| < 2⁵¹.
inline constexpr double kRound = 6755399441055744.0;

inline std::uint64_t zigzag(std::uint64_t v) {
  return (v << 1) ^ (0 - (v >> 63));
}
inline std::uint64_t unzigzag(std::uint64_t v) {
  return (v >> 1) ^ (0 - (v & 1));
}

/// h ← rotl((h ⊕ w)·odd, 29) over 8-byte words, from the length: one-to-one in each word, so a
/// change within one word always shows.
inline std::uint64_t checksum(std::span<const std::byte> bytes) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15u;
  std::uint64_t h = bytes.size() * kOdd;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t w;
    std::memcpy(&w, bytes.data() + i, 8);
    h = std::rotl((h ^ w) * kOdd, 29);
  }
  std::uint64_t w = 0;
  if (i < bytes.size()) std::memcpy(&w, bytes.data() + i, bytes.size() - i);
  h = std::rotl((h ^ w) * kOdd, 29);
  return h ^ (h >> 32);
}

}  // namespace flyball::historian::chunk
