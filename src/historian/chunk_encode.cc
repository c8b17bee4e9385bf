#include <zstd.h>

#include <cassert>
#include <cmath>
#include <limits>
#include <new>

#include "core/hot.h"
#include "historian/chunk.h"
#include "historian/chunk_format.h"

namespace flyball::historian {
namespace {

using namespace chunk;
using Words = std::vector<std::uint64_t>;

/// Whether every value is exactly an integer over 10^decimals; the integers go to `out`.
FLYBALL_HOT bool scale(const double* values, std::size_t n, double power, std::uint64_t* out) {
  constexpr double kLimit = 2251799813685248.0;  // 2^51
  const auto base = std::bit_cast<std::uint64_t>(kRound);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double scaled = values[i] * power;
    const double rounded = scaled + kRound;
    const double back = (rounded - kRound) / power;
    wrong |= std::bit_cast<std::uint64_t>(back) ^ std::bit_cast<std::uint64_t>(values[i]);
    wrong |= static_cast<std::uint64_t>(!(std::abs(scaled) < kLimit));
    out[i] = std::bit_cast<std::uint64_t>(rounded) - base;
  }
  return wrong == 0;
}

FLYBALL_HOT void write_plane(const std::uint64_t* words, std::size_t n, unsigned shift,
                             unsigned char* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<unsigned char>(words[i] >> shift);
}

std::uint64_t all_bits(const Words& words) {
  std::uint64_t bits = 0;
  for (const std::uint64_t w : words) bits |= w;
  return bits;
}

// The n − 1 residuals of each order, zigzagged.
FLYBALL_HOT void line_residuals(const std::uint64_t* x, std::size_t n, std::uint64_t step,
                                std::uint64_t* out) {
  for (std::size_t i = 1; i < n; ++i) out[i - 1] = zigzag(x[i] - x[0] - i * step);
}
FLYBALL_HOT void delta_residuals(const std::uint64_t* x, std::size_t n, std::uint64_t step,
                                 std::uint64_t* out) {
  for (std::size_t i = 1; i < n; ++i) out[i - 1] = zigzag(x[i] - x[i - 1] - step);
}
FLYBALL_HOT void delta_of_delta_residuals(const std::uint64_t* x, std::size_t n, std::uint64_t step,
                                          std::uint64_t* out) {
  if (n > 1) out[0] = zigzag(x[1] - x[0] - step);
  for (std::size_t i = 2; i < n; ++i) out[i - 1] = zigzag(x[i] - 2 * x[i - 1] + x[i - 2]);
}

/// About how many bits the words take, from every seventh of many; 0 only when all are 0.
std::uint64_t cost_of(const Words& words) {
  if (all_bits(words) == 0) return 0;
  const std::size_t stride = words.size() < 256 ? 1 : 7;
  std::uint64_t cost = 1;
  for (std::size_t i = 0; i < words.size(); i += stride)
    cost += static_cast<std::uint64_t>(std::bit_width(words[i]));
  return cost;
}

}  // namespace

struct ChunkEncoder::Impl {
  ZSTD_CCtx* zstd = ZSTD_createCCtx();
  std::vector<unsigned char> raw;
  std::vector<std::byte> packed;
  std::vector<double> values;
  Words times, integers, residuals, best;

  ~Impl() { ZSTD_freeCCtx(zstd); }

  template <class T>
  void put(T value) {
    const std::size_t at = raw.size();
    raw.resize(at + sizeof(T));
    std::memcpy(raw.data() + at, &value, sizeof(T));
  }

  void put_planes(const Words& words) {
    const std::uint64_t bits = all_bits(words);
    const auto width = static_cast<std::uint8_t>((64 - std::countl_zero(bits) + 7) / 8);
    put(width);
    const std::size_t n = words.size();
    const std::size_t at = raw.size();
    raw.resize(at + n * width);
    for (unsigned p = 0; p < width; ++p)
      write_plane(words.data(), n, 8 * p, raw.data() + at + n * p);
  }

  static void residuals_of(const Words& x, Order order, std::uint64_t step, Words& out) {
    out.resize(x.size() - 1);
    if (order == kLine) line_residuals(x.data(), x.size(), step, out.data());
    if (order == kDelta) delta_residuals(x.data(), x.size(), step, out.data());
    if (order == kDeltaOfDelta) delta_of_delta_residuals(x.data(), x.size(), step, out.data());
  }

  void put_integers(const Words& x, std::uint64_t step, std::initializer_list<Order> orders) {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    Order chosen = kLine;
    for (const Order order : orders) {
      residuals_of(x, order, step, residuals);
      const std::uint64_t cost = cost_of(residuals);
      if (cost >= least) continue;
      least = cost;
      chosen = order;
      best.swap(residuals);
      if (cost == 0) break;
    }
    put(static_cast<std::uint8_t>(chosen));
    put(x[0]);
    put(step);
    put_planes(best);
  }

  void put_times(std::span<const Sample> samples) {
    const std::size_t n = samples.size();
    times.resize(n);
    for (std::size_t i = 0; i < n; ++i) times[i] = static_cast<std::uint64_t>(samples[i].at);
    const std::uint64_t step = n < 2 ? 0 : (times[n - 1] - times[0] + (n - 1) / 2) / (n - 1);
    put_integers(times, step, {kLine, kDelta, kDeltaOfDelta});
  }

  bool find_decimals(int& decimals) {
    const std::size_t n = values.size();
    integers.resize(n);
    const std::size_t probe = n < 16 ? n : 16;
    for (decimals = 0; decimals <= kMostDecimals; ++decimals) {
      if (!scale(values.data(), probe, kPowers[decimals], integers.data())) continue;
      if (scale(values.data(), n, kPowers[decimals], integers.data())) return true;
    }
    return false;
  }

  void put_values(std::span<const Sample> samples) {
    const std::size_t n = samples.size();
    values.resize(n);
    double last = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!std::isnan(samples[i].value)) last = samples[i].value;
      values[i] = last;
    }
    int decimals = 0;
    if (find_decimals(decimals)) {
      put(static_cast<std::uint8_t>(kDecimal));
      put(static_cast<std::uint8_t>(decimals));
      put_integers(integers, 0, {kLine, kDelta});
      return;
    }
    put(static_cast<std::uint8_t>(kXor));
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto bits = std::bit_cast<std::uint64_t>(values[i]);
      integers[i] = bits ^ before;
      before = bits;
    }
    put_planes(integers);
  }

  void put_qualities(std::span<const Sample> samples) {
    const std::size_t at = raw.size();
    std::uint32_t runs = 0;
    put(runs);
    for (std::size_t i = 0; i < samples.size();) {
      const Quality quality = samples[i].quality;
      const bool nan = std::isnan(samples[i].value);
      std::size_t end = i + 1;
      while (end < samples.size() && samples[end].quality == quality &&
             std::isnan(samples[end].value) == nan)
        ++end;
      put(static_cast<std::uint32_t>(end - i));
      put(quality.code);
      put(static_cast<std::uint8_t>(nan ? 1 : 0));
      ++runs;
      i = end;
    }
    std::memcpy(raw.data() + at, &runs, sizeof runs);
  }
};

ChunkEncoder::ChunkEncoder() : impl_(std::make_unique<Impl>()) {
  if (impl_->zstd == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(impl_->zstd, ZSTD_c_compressionLevel, 1);
}
ChunkEncoder::~ChunkEncoder() = default;

std::span<const std::byte> ChunkEncoder::encode(std::span<const Sample> samples) {
  assert(!samples.empty() && samples.size() <= kMostChunkSamples);
  Impl& w = *impl_;
  w.raw.clear();
  w.put_times(samples);
  w.put_values(samples);
  w.put_qualities(samples);
  w.packed.resize(kHeader + ZSTD_compressBound(w.raw.size()));
  const std::size_t size = ZSTD_compress2(w.zstd, w.packed.data() + kHeader,
                                          w.packed.size() - kHeader, w.raw.data(), w.raw.size());
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // the bound leaves no other reason
  const auto count = static_cast<std::uint32_t>(samples.size());
  std::memcpy(w.packed.data() + 8, &kVersion, 1);
  std::memcpy(w.packed.data() + 9, &count, 4);
  const std::span<const std::byte> chunk(w.packed.data(), kHeader + size);
  const std::uint64_t sum = checksum(chunk.subspan(8));
  std::memcpy(w.packed.data(), &sum, 8);
  return chunk;
}

}  // namespace flyball::historian
