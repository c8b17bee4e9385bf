#include "dataset/emit.h"

#include <bit>
#include <cstring>

namespace flyball::dataset {
namespace {

static_assert(std::endian::native == std::endian::little, "array files are little-endian");

constexpr Index kRowsAPiece = 4096;

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
std::string_view bytes_of(const T* data, Index count) {
  return {reinterpret_cast<const char*>(data), static_cast<std::size_t>(count) * sizeof(T)};
}

template <class M>
void emit_rows(const M& matrix, const Sink& sink) {
  RowMajor<typename M::Scalar> piece;
  for (Index row = 0; row < matrix.rows(); row += kRowsAPiece) {
    piece = matrix.middleRows(row, std::min(kRowsAPiece, matrix.rows() - row));
    sink(bytes_of(piece.data(), piece.size()));
  }
}

template <class T>
RowMajor<T> rows_of(std::string_view bytes, Index steps, Index columns) {
  RowMajor<T> out(steps, columns);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

/// The inverse of emit_rows() with one piece of the rows in memory.
template <class M>
void read_rows(std::string_view bytes, Index steps, Index columns, M& out) {
  using T = typename M::Scalar;
  out.resize(steps, columns);
  const std::size_t row_size = static_cast<std::size_t>(columns) * sizeof(T);
  for (Index row = 0; row < steps; row += kRowsAPiece) {
    const Index n = std::min(kRowsAPiece, steps - row);
    out.middleRows(row, n) = rows_of<T>(bytes.substr(static_cast<std::size_t>(row) * row_size,
                                                     static_cast<std::size_t>(n) * row_size),
                                        n, columns);
  }
}

}  // namespace

void emit_series(const Series& series, SeriesFile file, const Sink& sink) {
  switch (file) {
    case SeriesFile::values:
      emit_rows(series.values, sink);
      break;
    case SeriesFile::mask:
      emit_rows(series.mask, sink);
      break;
    case SeriesFile::t:
      sink(bytes_of(series.t.data(), std::ssize(series.t)));
      break;
  }
}

Series from_bytes(const std::string& run_id, Index steps, Index columns, std::string_view values,
                  std::string_view mask, std::string_view t) {
  Series out;
  out.run_id = run_id;
  read_rows(values, steps, columns, out.values);
  read_rows(mask, steps, columns, out.mask);
  out.t.resize(static_cast<std::size_t>(steps));
  std::memcpy(out.t.data(), t.data(), t.size());
  return out;
}

}  // namespace flyball::dataset
