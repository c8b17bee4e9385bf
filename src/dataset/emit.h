#pragma once
// Bytes of dataset files, piece by piece, so that no file need be in memory as a whole.
#include <functional>
#include <string>
#include <string_view>

#include "dataset/dataset.h"

namespace flyball::dataset {

using Sink = std::function<void(std::string_view)>;

/// Gives the bytes of one file to a sink.
using Emit = std::function<void(const Sink&)>;

/// The three files of a run: steps × columns float64 row-major, steps × columns uint8 row-major,
/// int64 µs; little-endian.
enum class SeriesFile { values, mask, t };
void emit_series(const Series& series, SeriesFile file, const Sink& sink);

/// The inverse. The lengths must fit steps × columns.
Series from_bytes(const std::string& run_id, Index steps, Index columns, std::string_view values,
                  std::string_view mask, std::string_view t);

/// Collects small pieces into large ones. flush() at the end.
class Pieces {
 public:
  explicit Pieces(const Sink& sink) : sink_(sink) {}
  template <class T>
  void add(T value) {
    buffer_.append(reinterpret_cast<const char*>(&value), sizeof value);
    if (buffer_.size() >= kPiece) flush();
  }
  void flush() {
    if (!buffer_.empty()) sink_(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kPiece = 1 << 18;
  const Sink& sink_;
  std::string buffer_;
};

}  // namespace flyball::dataset
