#pragma once
// Twice the working precision: a value is hi + lo with |lo| ≤ ulp(hi)/2, about 32 digits. Products
// and sums of doubles are exact in it before rounding. (Dekker 1971; Knuth, TAOCP 2, 4.2.2; Ogita,
// Rump and Oishi 2005.) Needs rounding to nearest and no fast-math.
#include <cmath>

namespace flyball::math {

struct Double2 {
  double hi = 0, lo = 0;

  [[nodiscard]] double value() const { return hi + lo; }
};

/// a + b exactly.
inline Double2 two_sum(double a, double b) {
  const double s = a + b;
  const double z = s - a;
  return {s, (a - (s - z)) + (b - z)};
}

/// a + b exactly, |a| ≥ |b|.
inline Double2 quick_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

/// a·b exactly.
inline Double2 two_product(double a, double b) {
  const double p = a * b;
  return {p, std::fma(a, b, -p)};
}

inline Double2 operator-(Double2 a) {
  return {-a.hi, -a.lo};
}

inline Double2 operator+(Double2 a, Double2 b) {
  const Double2 s = two_sum(a.hi, b.hi);
  const Double2 t = two_sum(a.lo, b.lo);
  const Double2 v = quick_two_sum(s.hi, s.lo + t.hi);
  return quick_two_sum(v.hi, t.lo + v.lo);
}

inline Double2 operator-(Double2 a, Double2 b) {
  return a + -b;
}

inline Double2 operator*(Double2 a, Double2 b) {
  const Double2 p = two_product(a.hi, b.hi);
  return quick_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/// Two Newton corrections of a.hi / b.hi.
inline Double2 operator/(Double2 a, Double2 b) {
  const double q1 = a.hi / b.hi;
  const Double2 r1 = a - b * Double2{q1, 0};
  const double q2 = r1.hi / b.hi;
  const Double2 r2 = r1 - b * Double2{q2, 0};
  return quick_two_sum(q1, q2) + Double2{r2.hi / b.hi, 0};
}

/// a ≥ 0.
inline Double2 sqrt(Double2 a) {
  if (!(a.hi > 0)) return {0, 0};
  const double root = std::sqrt(a.hi);
  const Double2 rest = a - two_product(root, root);
  return quick_two_sum(root, rest.hi / (2 * root));
}

}  // namespace flyball::math
