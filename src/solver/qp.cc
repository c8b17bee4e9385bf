#include "solver/qp.h"

#include <algorithm>
#include <cmath>

namespace flyball::solver {

std::string_view name(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::infeasible:
      return "infeasible";
    case Status::unbounded:
      return "unbounded";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::time_limit:
      return "time_limit";
    case Status::unverified:
      return "unverified";
    case Status::invalid:
      return "invalid";
  }
  return "";
}

double Residuals::worst() const {
  return std::max({stationarity, primal, complementarity});
}

double limit_scale(double lower, double upper, double coefficient) {
  const double low = std::isfinite(lower) ? std::abs(lower) : 0;
  const double high = std::isfinite(upper) ? std::abs(upper) : 0;
  const double size = coefficient > 0 ? std::max({coefficient, low, high}) : 1;
  if (std::isfinite(lower) && std::isfinite(upper) && upper > lower) {
    return std::max(upper - lower, 1e-6 * std::max(low, high));
  }
  return size;
}

}  // namespace flyball::solver
