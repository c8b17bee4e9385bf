#include "historian/chunk.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "historian/chunk_format.h"
#include "math/random.h"

namespace flyball::historian {
namespace {

using Bytes = std::vector<std::byte>;

Bytes encoded(const std::vector<Sample>& samples) {
  ChunkEncoder encoder;
  const auto bytes = encoder.encode(samples);
  return {bytes.begin(), bytes.end()};
}

std::vector<Sample> decoded(std::span<const std::byte> bytes) {
  ChunkDecoder decoder;
  std::vector<Sample> out;
  EXPECT_STREQ(decoder.append(bytes, out), nullptr);
  return out;
}

bool is_refused(std::span<const std::byte> bytes) {
  ChunkDecoder decoder;
  std::vector<Sample> out(1, Sample{7, 7, kGood});
  const char* reason = decoder.append(bytes, out);
  EXPECT_TRUE(reason == nullptr || (out.size() == 1 && out[0].at == 7)) << "nothing is appended";
  return reason != nullptr;
}

void expect_same(const std::vector<Sample>& read, const std::vector<Sample>& given) {
  ASSERT_EQ(read.size(), given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    ASSERT_EQ(read[i].at, given[i].at) << i;
    ASSERT_EQ(read[i].quality, given[i].quality) << i;
    if (std::isnan(given[i].value)) {
      ASSERT_TRUE(std::isnan(read[i].value)) << i;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(read[i].value),
                std::bit_cast<std::uint64_t>(given[i].value))
          << i;
    }
  }
}

template <class Value>
std::vector<Sample> series(std::size_t n, Value value) {
  std::vector<Sample> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back({static_cast<TimeUs>(i) * kSecond, value(i), kGood});
  return out;
}

std::uint64_t bits64(math::Random& random) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 32;
  const auto high = static_cast<std::uint64_t>(random.index(kHalf));
  return high << 32 | static_cast<std::uint64_t>(random.index(kHalf));
}

double any_double(math::Random& random) {
  return std::bit_cast<double>(bits64(random));
}

/// Puts the right checksum on changed bytes, so that what lies behind it is reached.
void seal(Bytes& bytes) {
  const auto sum = chunk::checksum(std::span<const std::byte>(bytes).subspan(8));
  std::memcpy(bytes.data(), &sum, 8);
}

TEST(Chunk, GivesBackTheBitsOfEveryDouble) {
  math::Random random(1);
  for (const std::size_t n : {1u, 2u, 3u, 17u, 1024u, 5000u}) {
    const auto given = series(n, [&](std::size_t) { return any_double(random); });
    expect_same(decoded(encoded(given)), given);
  }
}

TEST(Chunk, GivesBackSpecialValues) {
  using L = std::numeric_limits<double>;
  const double special[] = {
      0.0,      -0.0,        L::infinity(),      -L::infinity(),      L::quiet_NaN(),
      L::max(), L::lowest(), L::min(),           L::denorm_min(),     0.1,
      1e22,     -1.5,        2251799813685248.0, -2251799813685247.0, 4503599627370497.0};
  for (const double a : special) {
    for (const double b : special) {
      const auto given = series(40, [&](std::size_t i) { return i % 2 == 0 ? a : b; });
      expect_same(decoded(encoded(given)), given);
    }
  }
}

TEST(Chunk, GivesBackDecimalsOfAnyNumberOfDigits) {
  math::Random random(2);
  for (int decimals = 0; decimals <= 12; ++decimals) {
    const double power = std::pow(10.0, decimals);
    const auto given =
        series(1024, [&](std::size_t) { return std::round(random.normal() * 50 * power) / power; });
    expect_same(decoded(encoded(given)), given);
  }
}

TEST(Chunk, GivesBackIrregularTimesToTheEndsOfTheRange) {
  math::Random random(3);
  auto given = series(1024, [](std::size_t i) { return static_cast<double>(i); });
  TimeUs at = -5 * kDay;
  for (Sample& s : given)
    s.at = at += 1 + static_cast<TimeUs>(bits64(random) >> (bits64(random) % 20 + 24));
  expect_same(decoded(encoded(given)), given);
  given.front().at = INT64_MIN;
  given.back().at = INT64_MAX;
  expect_same(decoded(encoded(given)), given);
}

TEST(Chunk, GivesBackQualitiesThatChangeAtEverySample) {
  math::Random random(4);
  auto given = series(1024, [](std::size_t i) { return i % 3 == 0 ? std::nan("") : 1.25; });
  for (Sample& s : given) s.quality = Quality{static_cast<std::uint32_t>(bits64(random))};
  expect_same(decoded(encoded(given)), given);
}

TEST(Chunk, AGapInAQuantisedSignalCostsLittle) {
  auto given = series(1024, [](std::size_t i) { return 20 + 0.1 * static_cast<double>(i % 7); });
  for (Sample& s : given) s.value = std::round(s.value * 10) / 10;
  const std::size_t whole = encoded(given).size();
  for (std::size_t i = 500; i < 520; ++i) given[i] = {given[i].at, std::nan(""), kBadNoData};
  EXPECT_LT(encoded(given).size(), whole + 100);
}

TEST(Chunk, AConstantSignalOnAGridTakesNextToNothing) {
  EXPECT_LT(encoded(series(1024, [](std::size_t) { return 21.5; })).size(), 100u);
}

TEST(Chunk, EqualSamplesGiveEqualBytesWhateverWasEncodedBefore) {
  math::Random random(5);
  const auto noise = series(1024, [&](std::size_t) { return random.normal(); });
  const auto steps = series(300, [](std::size_t i) { return static_cast<double>(i / 50); });
  ChunkEncoder encoder;
  (void)encoder.encode(noise);
  const auto bytes = encoder.encode(steps);
  EXPECT_EQ(Bytes(bytes.begin(), bytes.end()), encoded(steps));
}

TEST(Chunk, IsAppendedToWhatIsThere) {
  const auto given = series(1500, [](std::size_t i) { return static_cast<double>(i); });
  ChunkEncoder encoder;
  ChunkDecoder decoder;
  std::vector<Sample> out;
  for (const std::size_t from : {0u, 500u, 1000u})
    EXPECT_STREQ(decoder.append(encoder.encode(std::span(given).subspan(from, 500)), out), nullptr);
  expect_same(out, given);
}

TEST(Chunk, EveryFlippedBitIsFound) {
  math::Random random(6);
  const Bytes whole = encoded(series(50, [&](std::size_t) { return random.normal(); }));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    Bytes bytes = whole;
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    EXPECT_TRUE(is_refused(bytes)) << bit;
  }
}

TEST(Chunk, EveryTruncationIsFound) {
  const Bytes whole =
      encoded(series(50, [](std::size_t i) { return std::sqrt(static_cast<double>(i)); }));
  for (std::size_t n = 0; n < whole.size(); ++n) {
    EXPECT_TRUE(is_refused(std::span(whole).first(n))) << n;
  }
}

/// With the right checksum put on each: what the checks behind it let pass is a chunk, nothing else
/// may happen.
TEST(Chunk, NoBytesCrashTheDecoder) {
  math::Random random(7);
  std::vector<Bytes> seeds;
  seeds.push_back(encoded(series(3, [](std::size_t i) { return static_cast<double>(i); })));
  seeds.push_back(encoded(series(200, [&](std::size_t) { return random.normal(); })));
  seeds.push_back(encoded(series(1024, [](std::size_t i) { return static_cast<double>(i % 9); })));
  ChunkDecoder decoder;
  std::vector<Sample> out;
  int refused = 0;
  constexpr int kRounds = 20'000;
  for (int round = 0; round < kRounds; ++round) {
    Bytes bytes = seeds[static_cast<std::size_t>(round) % seeds.size()];
    for (std::uint64_t changes = 1 + bits64(random) % 4; changes > 0; --changes)
      bytes[8 + bits64(random) % (bytes.size() - 8)] = static_cast<std::byte>(bits64(random));
    seal(bytes);
    out.clear();
    if (decoder.append(bytes, out) != nullptr) ++refused;
    EXPECT_LE(out.size(), kMostChunkSamples);
  }
  EXPECT_GT(refused, kRounds / 10);
}

}  // namespace
}  // namespace flyball::historian
