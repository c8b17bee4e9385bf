#pragma once
// Samples of one tag and run as compressed bytes and back; the format is docs/formats/historian.md.
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "historian/historian.h"

namespace flyball::historian {

inline constexpr std::size_t kChunkSamples = 1024;       ///< what a chunk usually holds
inline constexpr std::size_t kMostChunkSamples = 65536;  ///< what it may hold

/// Keeps its work space from chunk to chunk. For one thread at a time.
class ChunkEncoder {
 public:
  ChunkEncoder();
  ~ChunkEncoder();
  ChunkEncoder(const ChunkEncoder&) = delete;
  ChunkEncoder& operator=(const ChunkEncoder&) = delete;

  /// 1 to kMostChunkSamples samples, times strictly ascending. The same samples give the same
  /// bytes. The view is valid until the next call.
  std::span<const std::byte> encode(std::span<const Sample> samples);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class ChunkDecoder {
 public:
  ChunkDecoder();
  ~ChunkDecoder();
  ChunkDecoder(const ChunkDecoder&) = delete;
  ChunkDecoder& operator=(const ChunkDecoder&) = delete;

  /// Appends the samples: times, qualities and the bits of every value as they were given (any NaN
  /// comes back as the default one). nullptr, or why the bytes are not what encode() wrote, and
  /// then `out` is as before: a change within any 8 bytes is found for certain.
  [[nodiscard]] const char* append(std::span<const std::byte> bytes, std::vector<Sample>& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flyball::historian
