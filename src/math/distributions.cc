#include "math/distributions.h"

#include <cmath>
#include <limits>

namespace flyball::math {
namespace {

constexpr double kTiny = 1e-300;
constexpr double kEps = 1e-16;
constexpr int kMaxTerms = 100'000;

double guarded(double v) {
  return std::abs(v) < kTiny ? kTiny : v;
}

/// Lentz's evaluation of the fraction of I_x(a, b); converges fast for x < (a+1)/(a+b+2).
double beta_fraction(double a, double b, double x) {
  double c = 1;
  double d = 1 / guarded(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m < kMaxTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guarded(1 + even * d);
    c = guarded(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guarded(1 + odd * d);
    c = guarded(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < kEps) break;
  }
  return value;
}

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);  // std::lgamma writes a global
}

/// x with cdf(x) = p, cdf rising; brackets by doubling from [low, high], then bisects.
template <class Cdf>
double invert(const Cdf& cdf, double p, double low, double high, bool two_sided) {
  while (cdf(high) < p && high < 1e300) high *= 2;
  while (two_sided && cdf(low) > p && low > -1e300) low *= 2;
  for (int i = 0; i < 2000; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (cdf(middle) < p ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

double edge(double p, double at_zero) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (p == 0) return at_zero;
  return p == 1 ? kInf : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (!(x > 0)) return x == 0 ? 0 : std::numeric_limits<double>::quiet_NaN();
  if (x >= 1) return 1;
  const double front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) +
                                b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double incomplete_gamma(double a, double x) {
  if (!(x > 0)) return 0;
  if (std::isinf(x)) return 1;
  const double front = std::exp(-x + a * std::log(x) - log_gamma(a));
  if (x < a + 1) {
    double term = 1 / a;
    double sum = term;
    for (int n = 1; n < kMaxTerms && term > sum * kEps; ++n) sum += term *= x / (a + n);
    return front * sum;
  }
  double b = x + 1 - a;
  double c = 1 / kTiny;
  double d = 1 / b;
  double value = d;
  for (int n = 1; n < kMaxTerms; ++n) {
    const double an = -n * (n - a);
    b += 2;
    d = 1 / guarded(an * d + b);
    c = guarded(b + an / c);
    value *= d * c;
    if (std::abs(d * c - 1) < kEps) break;
  }
  return 1 - front * value;
}

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

double normal_quantile(double p) {
  if (!(p > 0 && p < 1)) return edge(p, -std::numeric_limits<double>::infinity());
  return invert(normal_cdf, p, -1, 1, true);
}

double chi2_cdf(double x, double nu) {
  return incomplete_gamma(nu / 2, x / 2);
}

double chi2_quantile(double p, double nu) {
  if (!(p > 0 && p < 1)) return edge(p, 0);
  return invert([=](double x) { return chi2_cdf(x, nu); }, p, 0, nu, false);
}

double t_cdf(double t, double nu) {
  const double tail = 0.5 * incomplete_beta(nu / 2, 0.5, nu / (nu + t * t));
  return t > 0 ? 1 - tail : tail;
}

double t_quantile(double p, double nu) {
  if (!(p > 0 && p < 1)) return edge(p, -std::numeric_limits<double>::infinity());
  if (p > 0.5) return -t_quantile(1 - p, nu);  // the lower tail keeps its digits
  return invert([=](double t) { return t_cdf(t, nu); }, p, -1, 1, true);
}

double f_cdf(double x, double d1, double d2) {
  if (!(x > 0)) return 0;
  return std::isinf(x) ? 1 : incomplete_beta(d1 / 2, d2 / 2, d1 * x / (d1 * x + d2));
}

double f_survival(double x, double d1, double d2) {
  if (!(x > 0)) return 1;
  return std::isinf(x) ? 0 : incomplete_beta(d2 / 2, d1 / 2, d2 / (d1 * x + d2));
}

double f_quantile(double p, double d1, double d2) {
  if (!(p > 0 && p < 1)) return edge(p, 0);
  return invert([=](double x) { return f_cdf(x, d1, d2); }, p, 0, 1, false);
}

}  // namespace flyball::math
