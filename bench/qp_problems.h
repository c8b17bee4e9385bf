#pragma once
// The shared collections of quadratic programs: single ones (json/*.json with reference_dev.csv)
// and sequences of the Online QP benchmark format (folders with dims.oqp).
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "solver/program.h"

namespace flyball::bench {

struct QpProblem {
  std::string name;
  solver::Program program;
  double constant = 0;            ///< r of the objective
  std::optional<double> optimum;  ///< with the constant, where one is stored
  std::string grade;              ///< how far it is trusted (A best), "-" without grades
};

std::vector<QpProblem> read_problems(const std::filesystem::path& folder);

struct QpSequence {
  std::string name;
  Matrix h, a, g, lower, upper, row_lower, row_upper, x, y;  ///< a column a program
  Vector objective;
};

std::vector<QpSequence> read_sequences(const std::filesystem::path& folder);

}  // namespace flyball::bench
