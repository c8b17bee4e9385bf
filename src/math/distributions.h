#pragma once
// Distribution functions and quantiles of the classical tests. Relative accuracy about 1e-12 of the
// smaller tail; quantiles invert the distribution by bisection to full precision.

namespace flyball::math {

double normal_cdf(double z);
double normal_quantile(double p);

/// ν > 0 degrees of freedom.
double chi2_cdf(double x, double nu);
double chi2_quantile(double p, double nu);

double t_cdf(double t, double nu);
double t_quantile(double p, double nu);

/// d1 of the numerator, d2 of the denominator.
double f_cdf(double x, double d1, double d2);
/// P(F > x), exact in the far tail.
double f_survival(double x, double d1, double d2);
double f_quantile(double p, double d1, double d2);

/// Regularised incomplete beta I_x(a, b), by the continued fraction of DLMF 8.17.22.
double incomplete_beta(double a, double b, double x);
/// Regularised lower incomplete gamma P(a, x), DLMF 8.11.4 (series) and 8.9.2 (fraction).
double incomplete_gamma(double a, double x);

}  // namespace flyball::math
