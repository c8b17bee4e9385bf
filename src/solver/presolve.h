#pragma once
// A smaller program with the same optimum: rows without entries or limits leave, a row with one
// entry becomes a bound, rows that are multiples of one another are merged, fixed variables leave.
// What remains is scaled so that the rows and columns of [H Aᵀ; A 0] have a largest entry near 1
// (Ruiz), and g too. Cost: O(entries · log) and 20 passes over the entries. Source: Andersen and
// Andersen, Math. Programming 71 (1995); Ruiz, RAL-TR-2001-034.
#include <vector>

#include "solver/program.h"

namespace flyball::solver {

class Presolve {
 public:
  /// `program` completed; it must outlive this.
  Presolve(const Program& program, double tolerance);

  /// Scales the remainder, once.
  void equilibrate();
  /// The remainder; without variables when everything was decided.
  [[nodiscard]] const Program& reduced() const { return reduced_; }
  /// A limit pair that contradicts itself was found: certificate() says which.
  [[nodiscard]] bool infeasible() const { return infeasible_; }
  [[nodiscard]] const Certificate& certificate() const { return certificate_; }

  /// x, y, z of the program as given from those of the reduced one.
  void restore(const Vector& x, const Vector& y, const Vector& z, Solution& s) const;
  /// The Farkas vector of the program as given that follows from y of the reduced one.
  [[nodiscard]] Certificate restore_certificate(const Vector& y) const;
  [[nodiscard]] Vector restore_direction(const Vector& d) const;

 private:
  /// Where a limit comes from: a row and its entry or factor; row −1: the bound itself.
  struct Source {
    Index row = -1;
    double factor = 1;
  };
  static void to_source(const Source& from, double& z, Vector& y);
  struct Limits {
    double low, high;
    Source low_from, high_from;
  };

  [[nodiscard]] Vector restore_rows(const Vector& y) const;
  void take_rows();
  void merge_repeated();
  void build();
  bool tighten(Limits& limits, double low, double high, Source from, Index index);

  const Program& program_;
  double tolerance_;
  Program reduced_;
  bool infeasible_ = false;
  Certificate certificate_;
  std::vector<Limits> bounds_, rows_;
  std::vector<Index> kept_rows_, kept_variables_;
  std::vector<char> row_kept_;
  Vector fixed_;  ///< value of a fixed variable, NaN of a kept one
  Vector column_scale_, row_scale_;
  double cost_scale_ = 1;
};

}  // namespace flyball::solver
