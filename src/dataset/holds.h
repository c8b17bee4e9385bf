#pragma once
// Holds and calm pieces inside a block: the parts of steady.h.
#include <vector>

#include "dataset/steady.h"

namespace flyball::dataset {

/// Rows [first, first + steps) of a series without a move of an MV. `ended_by`: variable that
/// moved; −1: a value is missing, −2: the block ends.
struct Hold {
  Index first = 0, steps = 0;
  Index ended_by = -2;
};
std::vector<Hold> holds_of(const Series& series, const Block& block, const Spec& spec,
                           const std::vector<double>& move);

/// Line through the values of one variable over some rows.
struct Line {
  Index count = 0;
  double mean = 0, slope = 0, spread = 0;  ///< spread: standard deviation about the line, n − 2
};

/// Least-squares lines over any rows of a hold in O(1), values that are missing left out.
class LineSums {
 public:
  LineSums(const Series& series, const Hold& hold, Index column);
  /// Rows [from, to) of the hold.
  [[nodiscard]] Line over(Index from, Index to) const;

 private:
  struct Sums {
    double n = 0, t = 0, tt = 0, y = 0, ty = 0, yy = 0;
  };
  std::vector<Sums> sums_;
  double origin_ = 0;  ///< first value: taken off, so that squares stay small
};

/// Rows [from, to) of a hold.
struct Piece {
  Index from = 0, to = 0;
};

/// How the variables of one hold stand to their tolerances.
class Calm {
 public:
  Calm(const Series& series, const Hold& hold, const SteadyRule& rule);

  /// What keeps rows [from, to) from being calm; variable −1: nothing does.
  struct Blame {
    Index variable = -1;
    bool drift = false;
    double excess = 1;  ///< value over tolerance
  };
  [[nodiscard]] Blame blame(Index from, Index to) const;
  [[nodiscard]] bool calm(Index from, Index to) const { return blame(from, to).variable < 0; }
  /// Calm windows that touch, and calm pieces less than a window apart, joined.
  [[nodiscard]] std::vector<Piece> pieces() const;

 private:
  const SteadyRule& rule_;
  Index steps_;
  std::vector<LineSums> lines_;
};

}  // namespace flyball::dataset
