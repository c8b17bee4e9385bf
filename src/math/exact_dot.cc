#include "math/exact_dot.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define FLYBALL_EXACT_FMA 1
#endif

namespace flyball::math {
namespace {

constexpr int kLanes = 4;

/// Four sums side by side, their errors beside them; added in this order everywhere.
struct Sums {
  double hi[kLanes], lo[kLanes];

  [[nodiscard]] Double2 total() const {
    Double2 t{0, 0};
    for (int i = 0; i < kLanes; ++i) t = t + two_sum(hi[i], lo[i]);
    return t;
  }
};

void add_product(double a, double b, double& hi, double& lo) {
  const Double2 p = two_product(a, b);
  const Double2 s = two_sum(hi, p.hi);
  hi = s.hi;
  lo += s.lo + p.lo;
}

/// Rows from..n−1 go to the lane of their number, then the lanes are added.
void finish(const double* a, const double* b, Index from, Index n, Sums& sums, Double2& out) {
  for (Index t = from; t < n; ++t) {
    const auto lane = static_cast<std::size_t>((t - from) % kLanes);
    add_product(a[t], b[t], sums.hi[lane], sums.lo[lane]);
  }
  out = sums.total();
}

#ifdef FLYBALL_EXACT_FMA
__attribute__((target("avx2,fma"))) void exact_dots_fma(const double* a, const double* const* b,
                                                        Index n, Double2* out) {
  __m256d hi[kExactTile], lo[kExactTile];
  for (int l = 0; l < kExactTile; ++l) hi[l] = lo[l] = _mm256_setzero_pd();
  const Index whole = n - n % kLanes;
  for (Index t = 0; t < whole; t += kLanes) {
    const __m256d v = _mm256_loadu_pd(a + t);
#pragma GCC unroll 6
    for (int l = 0; l < kExactTile; ++l) {
      const __m256d w = _mm256_loadu_pd(b[l] + t);
      const __m256d p = _mm256_mul_pd(v, w);
      const __m256d rest = _mm256_fmsub_pd(v, w, p);
      const __m256d s = _mm256_add_pd(hi[l], p);
      const __m256d z = _mm256_sub_pd(s, hi[l]);
      const __m256d error =
          _mm256_add_pd(_mm256_sub_pd(hi[l], _mm256_sub_pd(s, z)), _mm256_sub_pd(p, z));
      hi[l] = s;
      lo[l] = _mm256_add_pd(lo[l], _mm256_add_pd(error, rest));
    }
  }
  for (int l = 0; l < kExactTile; ++l) {
    Sums sums;
    _mm256_storeu_pd(sums.hi, hi[l]);
    _mm256_storeu_pd(sums.lo, lo[l]);
    finish(a, b[l], whole, n, sums, out[l]);
  }
}
#endif

}  // namespace

void exact_dots_portable(const double* a, const double* const* b, Index n, Double2* out) {
  const Index whole = n - n % kLanes;
  for (int l = 0; l < kExactTile; ++l) {
    Sums sums{};
    for (Index t = 0; t < whole; ++t) {
      add_product(a[t], b[l][t], sums.hi[t % kLanes], sums.lo[t % kLanes]);
    }
    finish(a, b[l], whole, n, sums, out[l]);
  }
}

void exact_dots(const double* a, const double* const* b, Index n, Double2* out) {
#ifdef FLYBALL_EXACT_FMA
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    exact_dots_fma(a, b, n, out);
    return;
  }
#endif
  exact_dots_portable(a, b, n, out);
}

}  // namespace flyball::math
