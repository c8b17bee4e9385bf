#pragma once
// The matrix types of the numeric rooms. Decompositions live in math/*.cc only: a file that
// includes <Eigen/Dense> takes half a minute to compile.
#include <Eigen/Core>
#include <cstdint>

namespace flyball {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;  ///< column-major: a signal is a contiguous column
using Vector = Eigen::VectorXd;
using ConstMatrixRef = Eigen::Ref<const Matrix>;
using ConstVectorRef = Eigen::Ref<const Vector>;
using Mask = Eigen::Matrix<std::uint8_t, Eigen::Dynamic,
                           Eigen::Dynamic>;  ///< 0 missing, 1 observed, 2 filled

}  // namespace flyball
