#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "fuzz/laws.h"
#include "historian/chunk.h"
#include "historian/chunk_format.h"

namespace flyball::fuzz {
namespace {

using historian::Sample;
using Samples = std::vector<Sample>;

/// Reads numbers from bytes; zeros beyond their end.
class Source {
 public:
  explicit Source(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] bool done() const { return bytes_.empty(); }
  [[nodiscard]] std::string_view rest() const { return bytes_; }

  template <class T>
  T next() {
    T out{};
    const std::size_t n = std::min(sizeof(T), bytes_.size());
    std::memcpy(&out, bytes_.data(), n);
    bytes_.remove_prefix(n);
    return out;
  }

 private:
  std::string_view bytes_;
};

bool same(const Sample& a, const Sample& b) {
  if (a.at != b.at || a.quality != b.quality) return false;
  if (std::isnan(a.value)) return std::isnan(b.value);
  return std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

void check_round_trip(const Samples& samples) {
  historian::ChunkEncoder encoder;
  historian::ChunkDecoder decoder;
  Samples back;
  require(decoder.append(encoder.encode(samples), back) == nullptr, "what is encoded is a chunk");
  require(std::ranges::equal(samples, back, same), "decode gives what encode was given");
}

void check_chunk(std::string_view bytes) {
  const Sample before{.at = 7, .value = 1, .quality = historian::kUncertain};
  historian::ChunkDecoder decoder;
  Samples samples{before};
  const char* fault = decoder.append(std::as_bytes(std::span(bytes)), samples);
  require(!samples.empty() && same(samples.front(), before), "what was there stays");
  if (fault != nullptr) {
    require(samples.size() == 1, "nothing is appended of bytes that are no chunk");
    require(!std::string_view(fault).empty(), "a fault has words");
    return;
  }
  samples.erase(samples.begin());
  require(!samples.empty() && samples.size() <= historian::kMostChunkSamples,
          "a chunk holds a number of samples within the limit");
  const auto stalls = [](const Sample& a, const Sample& b) { return a.at >= b.at; };
  require(std::ranges::adjacent_find(samples, stalls) == samples.end(), "times ascend");
  check_round_trip(samples);
}

/// A chunk whose header, checksum and frame are right, around whatever `content` is.
std::string sealed(std::uint16_t samples, std::string_view content) {
  const std::uint32_t n = samples;
  std::string out(historian::chunk::kHeader + ZSTD_compressBound(content.size()), '\0');
  out[8] = static_cast<char>(historian::chunk::kVersion);
  std::memcpy(out.data() + 9, &n, sizeof n);
  const std::size_t packed =
      ZSTD_compress(out.data() + historian::chunk::kHeader, out.size() - historian::chunk::kHeader,
                    content.data(), content.size(), 1);
  require(ZSTD_isError(packed) == 0, "zstd packs anything");
  out.resize(historian::chunk::kHeader + packed);
  const auto sum = historian::chunk::checksum(std::as_bytes(std::span(out)).subspan(8));
  std::memcpy(out.data(), &sum, sizeof sum);
  return out;
}

double value_of(Source& source, double before) {
  switch (source.next<std::uint8_t>() % 5) {
    case 0:
      return before;
    case 1:
      return before + source.next<std::int8_t>();
    case 2:
      return source.next<std::int16_t>() / 100.0;
    case 3:
      return source.next<std::int32_t>() / 1e9;
    default:
      return std::bit_cast<double>(source.next<std::uint64_t>());
  }
}

/// The next time, or nothing where none is left.
std::optional<TimeUs> time_after(Source& source, TimeUs before) {
  TimeUs step = 0;
  switch (source.next<std::uint8_t>() % 4) {
    case 0:
      step = 1'000'000;
      break;
    case 1:
      step = source.next<std::uint8_t>();
      break;
    case 2:
      step = 1'000'000 + source.next<std::int16_t>();
      break;
    default:
      step = source.next<TimeUs>();
      break;
  }
  step = std::max<TimeUs>(step, 1);
  if (before > 0 && step > INT64_MAX - before) return {};
  return before + step;
}

Samples samples_from(Source source) {
  constexpr historian::Quality kQualities[] = {historian::kGood, historian::kUncertain,
                                               historian::kBadNoData};
  Samples out;
  Sample s{.at = source.next<TimeUs>(), .value = value_of(source, 0), .quality = historian::kGood};
  out.push_back(s);
  while (!source.done() && out.size() < historian::kMostChunkSamples) {
    const auto at = time_after(source, s.at);
    if (!at) break;
    s.at = *at;
    s.value = value_of(source, s.value);
    const auto quality = source.next<std::uint8_t>();
    s.quality =
        quality < 16 ? kQualities[quality % 3] : historian::Quality{source.next<std::uint32_t>()};
    out.push_back(s);
  }
  return out;
}

}  // namespace

void chunk_laws(std::string_view bytes) {
  Source source(bytes);
  switch (source.next<char>()) {
    case 's':
      check_round_trip(samples_from(source));
      break;
    case 'p': {
      const auto samples = source.next<std::uint16_t>();
      check_chunk(sealed(samples, source.rest()));
      break;
    }
    default:
      check_chunk(bytes.substr(std::min<std::size_t>(1, bytes.size())));
      break;
  }
}

}  // namespace flyball::fuzz
