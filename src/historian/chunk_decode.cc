#include <zstd.h>

#include <limits>
#include <new>

#include "core/hot.h"
#include "historian/chunk.h"
#include "historian/chunk_format.h"

namespace flyball::historian {
namespace {

using namespace chunk;

struct Damage {
  const char* reason;
};

[[noreturn]] void corrupt(const char* reason) {
  throw Damage{reason};
}

/// No chunk unpacks to more: two series of 8 planes, one run a sample, the fixed parts.
std::size_t most_raw(std::size_t n) {
  return 64 + n * (8 + 8 + 9);
}

FLYBALL_HOT void first_plane(const unsigned char* plane, std::size_t n, std::uint64_t* words) {
  for (std::size_t i = 0; i < n; ++i) words[i] = plane[i];
}
FLYBALL_HOT void add_plane(const unsigned char* plane, std::size_t n, unsigned shift,
                           std::uint64_t* words) {
  for (std::size_t i = 0; i < n; ++i) words[i] |= static_cast<std::uint64_t>(plane[i]) << shift;
}

FLYBALL_HOT void unscale(const std::uint64_t* integers, std::size_t n, double power,
                         double* values) {
  const auto base = std::bit_cast<std::uint64_t>(kRound);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = (std::bit_cast<double>(integers[i] + base) - kRound) / power;
}

class Reader {
 public:
  Reader(const unsigned char* at, std::size_t size) : at_(at), left_(size) {}

  const unsigned char* take(std::size_t n) {
    if (n > left_) corrupt("it ends too early");
    left_ -= n;
    return std::exchange(at_, at_ + n);
  }
  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
    return value;
  }
  [[nodiscard]] bool done() const { return left_ == 0; }

  void planes(std::uint64_t* words, std::size_t n) {
    const auto width = get<std::uint8_t>();
    if (width > 8) corrupt("a word has more than 8 bytes");
    const unsigned char* bytes = take(n * width);
    if (width == 0) std::fill_n(words, n, 0);
    for (unsigned p = 0; p < width; ++p) {
      if (p == 0)
        first_plane(bytes, n, words);
      else
        add_plane(bytes + n * p, n, 8 * p, words);
    }
  }

  void integers(std::uint64_t* x, std::size_t n) {
    const auto order = get<std::uint8_t>();
    x[0] = get<std::uint64_t>();
    const auto step = get<std::uint64_t>();
    planes(x + 1, n - 1);
    if (order == kLine) {
      for (std::size_t i = 1; i < n; ++i) x[i] = x[0] + i * step + unzigzag(x[i]);
    } else if (order == kDelta) {
      for (std::size_t i = 1; i < n; ++i) x[i] = x[i - 1] + step + unzigzag(x[i]);
    } else if (order == kDeltaOfDelta) {
      std::uint64_t delta = step;
      for (std::size_t i = 1; i < n; ++i) {
        delta += unzigzag(x[i]);
        x[i] = x[i - 1] + delta;
      }
    } else {
      corrupt("an order is unknown");
    }
  }

 private:
  const unsigned char* at_;
  std::size_t left_;
};

}  // namespace

struct ChunkDecoder::Impl {
  ZSTD_DCtx* zstd = ZSTD_createDCtx();
  std::vector<unsigned char> raw;
  std::vector<std::uint64_t> times, integers;
  std::vector<double> values;

  ~Impl() { ZSTD_freeDCtx(zstd); }

  std::size_t unpack(std::span<const std::byte> bytes) {
    if (bytes.size() < kHeader) corrupt("it is shorter than its header");
    std::uint64_t sum;
    std::memcpy(&sum, bytes.data(), 8);
    if (sum != checksum(bytes.subspan(8))) corrupt("its checksum differs");
    if (static_cast<std::uint8_t>(bytes[8]) != kVersion) corrupt("its version is unknown");
    std::uint32_t n;
    std::memcpy(&n, bytes.data() + 9, 4);
    if (n == 0 || n > kMostChunkSamples) corrupt("its number of samples is out of range");
    const auto packed = bytes.subspan(kHeader);
    const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size > most_raw(n)) corrupt("its size is out of range");  // also: unknown, no frame
    raw.resize(size);
    if (ZSTD_decompressDCtx(zstd, raw.data(), raw.size(), packed.data(), packed.size()) != size)
      corrupt("it cannot be unpacked");
    return n;
  }

  void read_values(Reader& reader, std::size_t n) {
    integers.resize(n);
    values.resize(n);
    const auto mode = reader.get<std::uint8_t>();
    if (mode == kDecimal) {
      const auto decimals = reader.get<std::uint8_t>();
      if (decimals > kMostDecimals) corrupt("a number of decimals is out of range");
      reader.integers(integers.data(), n);
      unscale(integers.data(), n, kPowers[decimals], values.data());
    } else if (mode == kXor) {
      reader.planes(integers.data(), n);
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < n; ++i) {
        bits ^= integers[i];
        values[i] = std::bit_cast<double>(bits);
      }
    } else {
      corrupt("a kind of values is unknown");
    }
  }

  void assemble(Reader& reader, std::size_t n, Sample* out) const {
    const auto runs = reader.get<std::uint32_t>();
    std::size_t i = 0;
    for (std::uint32_t r = 0; r < runs; ++r) {
      const auto length = reader.get<std::uint32_t>();
      const Quality quality{reader.get<std::uint32_t>()};
      const bool nan = reader.get<std::uint8_t>() != 0;
      if (length > n - i) corrupt("its quality runs are too long");
      for (const std::size_t end = i + length; i < end; ++i) {
        out[i] = {static_cast<TimeUs>(times[i]),
                  nan ? std::numeric_limits<double>::quiet_NaN() : values[i], quality};
      }
    }
    if (i != n || !reader.done()) corrupt("its parts do not add up");
  }
};

ChunkDecoder::ChunkDecoder() : impl_(std::make_unique<Impl>()) {
  if (impl_->zstd == nullptr) throw std::bad_alloc();
}
ChunkDecoder::~ChunkDecoder() = default;

const char* ChunkDecoder::append(std::span<const std::byte> bytes, std::vector<Sample>& out) {
  Impl& w = *impl_;
  const std::size_t before = out.size();
  try {
    const std::size_t n = w.unpack(bytes);
    Reader reader(w.raw.data(), w.raw.size());
    w.times.resize(n);
    reader.integers(w.times.data(), n);
    bool ascending = true;
    for (std::size_t i = 1; i < n; ++i)
      ascending &= static_cast<TimeUs>(w.times[i - 1]) < static_cast<TimeUs>(w.times[i]);
    if (!ascending) corrupt("its times do not ascend");
    w.read_values(reader, n);
    out.resize(before + n);
    w.assemble(reader, n, out.data() + before);
    return nullptr;
  } catch (const Damage& damage) {
    out.resize(before);
    return damage.reason;
  }
}

}  // namespace flyball::historian
