#include "optimise/condense.h"

#include <cmath>

#include "core/checks.h"
#include "core/error.h"
#include "math/linear_algebra.h"
#include "optimise/kernels.h"

namespace flyball::optimise {
namespace {

constexpr Index kKeptDoubles = (Index{64} << 20) / 8;

Shape shape_of(const CondenseInput& in) {
  Shape s;
  s.moves = static_cast<Index>(in.steps.size());
  s.mvs = in.mvs;
  s.cvs = in.cvs;
  s.horizon = in.horizon;
  s.parameters = in.free.cols();
  s.n = s.moves * s.mvs;
  s.n4 = padded(s.n);
  s.p4 = padded(s.horizon);
  s.rows = s.p4 * s.cvs;
  return s;
}

void check_shapes(const CondenseInput& in, const Shape& s) {
  check_shape("answers", in.answers.rows(), in.answers.cols(), s.horizon, s.cvs * s.mvs);
  check_shape("free", in.free.rows(), in.free.cols(), s.horizon * s.cvs, s.parameters);
  check_shape("cvWeight", in.cv_weight.size(), 1, s.cvs, 1);
  check_shape("moveWeight", in.move_weight.size(), 1, s.mvs, 1);
  if (in.target_weight.size() > 0)
    check_shape("toTarget", in.to_target.rows(), in.to_target.cols(), s.mvs, s.parameters);
}

}  // namespace

Condensed::Condensed(const CondenseInput& input)
    : shape_(shape_of(input)),
      steps_(input.steps),
      cv_weight_(input.cv_weight),
      cv_linear_(input.cv_linear),
      target_weight_(input.target_weight),
      constant_(shape_.length()),
      weights_(shape_.length()),
      zero_(shape_.mvs) {
  check_shapes(input, shape_);
  front_ = padded(steps_.back() + 16);
  stride_ = front_ + shape_.p4 + 16;
  s_ = Doubles(stride_ * shape_.cvs * shape_.mvs);
  for (Index c = 0; c < shape_.cvs * shape_.mvs; ++c)
    for (Index k = 0; k < shape_.horizon; ++k) s_[c * stride_ + front_ + k] = input.answers(k, c);
  set_hessian(input);
  const auto factor = math::Cholesky::of(h_);
  if (!factor) throw Error("MPC_NOT_CONVEX", {{"variables", shape_.n}});
  inverse_ = factor->inverse();
  set_weights();
  set_closed_form(input, *factor);
}

/// H((i,m),(i',m')) = Σ_j q_j Σ_{n < P − steps_i'} s_jm(n + δ) s_jm'(n), δ = steps_i' − steps_i ≥
/// 0: for each δ one running sum serves every pair of moves that far apart.
void Condensed::set_hessian(const CondenseInput& input) {
  const Index nu = shape_.mvs;
  h_ = Matrix::Zero(shape_.n, shape_.n);
  Doubles sum(shape_.p4 + 16);
  for (Index delta = 0; delta <= steps_.back(); ++delta) {
    std::vector<std::pair<Index, Index>> pairs;
    for (Index i = 0; i < shape_.moves; ++i)
      for (Index l = i; l < shape_.moves; ++l)
        if (steps_[l] - steps_[i] == delta) pairs.emplace_back(i, l);
    if (pairs.empty()) continue;
    for (Index m = 0; m < nu; ++m) {
      for (Index o = 0; o < nu; ++o) {
        std::fill_n(sum.data(), sum.size(), 0.0);
        for (Index j = 0; j < shape_.cvs; ++j) {
          if (cv_weight_(j) == 0) continue;
          const double* a = s_.data() + (j * nu + m) * stride_ + front_ + delta;
          const double* b = s_.data() + (j * nu + o) * stride_ + front_;
          add_product(a, b, cv_weight_(j), shape_.horizon - delta, sum.data());
        }
        for (Index k = 1; k < shape_.horizon - delta; ++k) sum[k] += sum[k - 1];
        for (const auto& [i, l] : pairs) {
          const double value = sum[shape_.horizon - steps_[l] - 1];
          h_(i * nu + m, l * nu + o) = value;
          h_(l * nu + o, i * nu + m) = value;
        }
      }
    }
  }
  for (Index i = 0; i < shape_.moves; ++i) {
    for (Index m = 0; m < nu; ++m) {
      h_(i * nu + m, i * nu + m) += input.move_weight(m);
      if (input.target_weight.size() == 0) continue;
      for (Index l = 0; l < shape_.moves; ++l)
        h_(i * nu + m, l * nu + m) +=
            input.target_weight(m) *
            static_cast<double>(shape_.horizon - std::max(steps_[i], steps_[l]));
    }
  }
}

/// ‖a‖² in H⁻¹ of each row: diagonals of H⁻¹, of its running sums, and of Θ H⁻¹ Θᵀ.
void Condensed::set_weights() {
  const Index nu = shape_.mvs;
  Doubles& w = weights_;
  for (Index p = 0; p < shape_.n; ++p) w[p] = inverse_(p, p);
  for (Index i = 0; i < shape_.moves; ++i) {
    for (Index m = 0; m < nu; ++m) {
      double& here = w[shape_.u_at() + i * nu + m];
      here = i == 0 ? 0.0 : w[shape_.u_at() + (i - 1) * nu + m];
      for (Index l = 0; l < i; ++l) here += 2 * inverse_(l * nu + m, i * nu + m);
      here += inverse_(i * nu + m, i * nu + m);
    }
  }
  const Index length = shape_.length();
  const bool keep = shape_.n * length <= kKeptDoubles;
  kept_ = Doubles(keep ? shape_.n * length : length);
  double* squares = w.data() + shape_.y_at();
  for (Index p = 0; p < shape_.n; ++p) {
    double* kept_column = kept_.data() + (keep ? p * length : 0);
    column(p, kept_column);
    const double* y = kept_column + shape_.y_at();
    const Index step = steps_[p / nu];
    for (Index j = 0; j < shape_.cvs; ++j) {
      const double* s = s_.data() + (j * nu + p % nu) * stride_ + front_ - step;
      add_product(y + j * shape_.p4, s, 1.0, shape_.horizon, squares + j * shape_.p4);
    }
  }
  if (keep) kept_columns_ = shape_.n;
  reached_.assign(static_cast<std::size_t>(shape_.length()), true);
  const double largest = *std::max_element(squares, squares + shape_.rows);
  for (Index r = 0; r < shape_.length(); ++r) {
    const bool is_y = r >= shape_.y_at() && r < shape_.u_at();
    const bool some = w[r] > (is_y ? 1e-20 * largest : 0.0);
    reached_[static_cast<std::size_t>(r)] = some;
    w[r] = some ? 1 / std::sqrt(w[r]) : 1.0;
  }
}

void Condensed::set_closed_form(const CondenseInput& input, const math::Cholesky& factor) {
  const Shape& s = shape_;
  Matrix stacked = Matrix::Zero(s.n4 + s.rows, s.parameters);
  Doubles e(s.rows), g(s.n4), y(s.rows);
  const auto put = [&](double* out) {  // [H⁻¹(−g) | Θ of it]
    const Vector z = -factor.solve(Eigen::Map<const Vector>(g.data(), s.n));
    std::copy_n(z.data(), s.n, out);
    answer(z.data(), out + s.n4);
  };
  for (Index c = 0; c < s.parameters; ++c) {
    for (Index j = 0; j < s.cvs; ++j)
      for (Index k = 0; k < s.horizon; ++k)
        e[j * s.p4 + k] = cv_weight_(j) * input.free(j * s.horizon + k, c);
    transposed(e.data(), g.data());
    if (input.target_weight.size() > 0) {
      for (Index p = 0; p < s.n; ++p)
        g[p] += input.target_weight(p % s.mvs) *
                static_cast<double>(s.horizon - steps_[p / s.mvs]) * input.to_target(p % s.mvs, c);
    }
    double* column = stacked.col(c).data();
    put(column);
    for (Index j = 0; j < s.cvs; ++j)
      for (Index k = 0; k < s.horizon; ++k)
        column[s.n4 + j * s.p4 + k] += input.free(j * s.horizon + k, c);
  }
  packed_ = Doubles(stacked.size());
  pack_panels(stacked, packed_.data());
  if (cv_linear_.size() == 0) return;
  for (Index j = 0; j < s.cvs; ++j)
    for (Index k = 0; k < s.horizon; ++k) e[j * s.p4 + k] = cv_linear_(j);
  transposed(e.data(), g.data());
  put(constant_.data());
}

void Condensed::optimum(const double* e, const double* gap, double* z, double* y) const {
  const Shape& s = shape_;
  Doubles weighted(s.rows), g(s.n4);
  for (Index j = 0; j < s.cvs; ++j)
    for (Index k = 0; k < s.horizon; ++k)
      weighted[j * s.p4 + k] =
          cv_weight_(j) * e[j * s.p4 + k] + (cv_linear_.size() > 0 ? cv_linear_(j) : 0.0);
  transposed(weighted.data(), g.data());
  if (target_weight_.size() > 0) {
    for (Index p = 0; p < s.n; ++p)
      g[p] += target_weight_(p % s.mvs) * static_cast<double>(s.horizon - steps_[p / s.mvs]) *
              gap[p % s.mvs];
  }
  const Eigen::Map<const Vector> gradient(g.data(), s.n);
  Vector move = -(inverse_ * gradient);
  move -= inverse_ * (gradient + h_ * move);
  std::fill_n(z, s.n4, 0.0);
  std::copy_n(move.data(), s.n, z);
  answer(z, y);
}

void Condensed::closed_form(const double* theta, const double* start, double* out) const noexcept {
  panel_product(packed_.data(), shape_.n4 + shape_.rows, shape_.parameters, theta, start, out);
}

void Condensed::answer(const double* h, double* y) const noexcept {
  for (Index j = 0; j < shape_.cvs; ++j)
    optimise::answer(s_.data() + j * shape_.mvs * stride_ + front_, stride_, shape_.mvs,
                     steps_.data(), shape_.moves, h, shape_.p4, y + j * shape_.p4);
}

void Condensed::transposed(const double* e, double* g) const noexcept {
  std::fill_n(g, shape_.n4, 0.0);
  for (Index j = 0; j < shape_.cvs; ++j)
    answer_transposed(s_.data() + j * shape_.mvs * stride_ + front_, stride_, shape_.mvs,
                      steps_.data(), shape_.moves, e + j * shape_.p4, shape_.p4, g);
}

void Condensed::accumulate(const double* z, const double* start, double* u) const noexcept {
  for (Index m = 0; m < shape_.mvs; ++m) u[m] = start[m] + z[m];
  for (Index p = shape_.mvs; p < shape_.n; ++p) u[p] = u[p - shape_.mvs] + z[p];
}

void Condensed::column(Index row, double* out) const noexcept {
  const Shape& s = shape_;
  std::fill_n(out, s.n4, 0.0);
  if (row < s.n) {
    std::copy_n(inverse_.col(row).data(), s.n, out);
  } else if (row >= s.u_at()) {
    for (Index p = (row - s.u_at()) % s.mvs; p <= row - s.u_at(); p += s.mvs)
      add_column(inverse_.col(p).data(), 1.0, s.n, out);
  } else {
    const Index j = (row - s.y_at()) / s.p4;
    const Index k = (row - s.y_at()) % s.p4;
    if (kept_columns_ > 0) {  // Θ H⁻¹ is symmetric to H⁻¹ Θᵀ
      for (Index p = 0; p < s.n; ++p) out[p] = kept_[p * s.length() + row];
    } else
      for (Index i = 0; i < s.moves && steps_[i] <= k; ++i)
        for (Index m = 0; m < s.mvs; ++m)
          add_column(inverse_.col(i * s.mvs + m).data(),
                     s_[(j * s.mvs + m) * stride_ + front_ + k - steps_[i]], s.n, out);
  }
  answer(out, out + s.y_at());
  accumulate(out, zero_.data(), out + s.u_at());
}

}  // namespace flyball::optimise
