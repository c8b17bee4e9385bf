#include "replay_problem.h"

#include <cmath>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "optimise/state_response.h"

namespace flyball::bench {
namespace {

Vector vector_of(const nlohmann::json& j) {
  Vector v(static_cast<Index>(j.size()));
  for (std::size_t i = 0; i < j.size(); ++i) v(static_cast<Index>(i)) = j[i].get<double>();
  return v;
}

Matrix matrix_of(const nlohmann::json& j) {
  Matrix m(static_cast<Index>(j.size()), static_cast<Index>(j[0].size()));
  for (std::size_t r = 0; r < j.size(); ++r)
    m.row(static_cast<Index>(r)) = vector_of(j[r]).transpose();
  return m;
}

Vector take(const std::vector<double>& row, std::size_t& at, Index n) {
  Vector v(n);
  for (Index i = 0; i < n; ++i) v(i) = row.at(at++);
  return v;
}

}  // namespace

ReplayProblem read_replay(const std::filesystem::path& folder) {
  std::ifstream file(folder / "problem.json");
  const auto j = nlohmann::json::parse(file);
  ReplayProblem p;
  p.name = std::filesystem::weakly_canonical(folder).filename().string();
  p.nx = j.at("nx");
  p.nu = j.at("nu");
  p.ny = j.at("ny");
  p.horizon = j.at("P");
  p.moves = j.at("M");
  p.rho = j.at("rho");
  p.A = matrix_of(j.at("A"));
  p.B = matrix_of(j.at("B"));
  p.C = matrix_of(j.at("C"));
  p.q = vector_of(j.at("q"));
  p.R = vector_of(j.at("R"));
  p.umin = vector_of(j.at("umin"));
  p.umax = vector_of(j.at("umax"));
  p.dumax = vector_of(j.at("dumax"));
  p.ymin = vector_of(j.at("ymin"));
  p.ymax = vector_of(j.at("ymax"));
  std::ifstream table(folder / "steps.csv");
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    if (line.empty()) continue;
    std::vector<double> row;
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    std::size_t at = 0;
    ReplayStep s;
    s.x0 = take(row, at, p.nx);
    s.u_prev = take(row, at, p.nu);
    s.r = take(row, at, p.ny);
    s.d = take(row, at, p.ny);
    s.cost = row.at(at);
    at += 2;  // J, n_active
    s.du0 = take(row, at, p.nu);
    p.steps.push_back(std::move(s));
  }
  return p;
}

std::vector<std::filesystem::path> replay_folders(const std::filesystem::path& given) {
  if (!std::filesystem::is_directory(given)) {
    std::cerr << given.string() << " is no folder: left out\n";
    return {};
  }
  const std::filesystem::path path =
      std::filesystem::canonical(given);  // its name, whatever ends it
  if (std::filesystem::exists(path / "problem.json")) return {path};
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(path))
    if (std::filesystem::exists(entry.path() / "problem.json")) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::shared_ptr<const optimise::Condensed> condense(const ReplayProblem& p) {
  const auto response = optimise::state_response(p.A, p.B, p.C, p.horizon);
  optimise::CondenseInput in;
  in.horizon = p.horizon;
  in.mvs = p.nu;
  in.cvs = p.ny;
  for (Index i = 0; i < p.moves; ++i) in.steps.push_back(i);
  in.answers = response.answers;
  in.cv_weight = p.q;
  in.move_weight = p.R;
  in.free = Matrix::Zero(p.horizon * p.ny, p.nx + p.nu + p.ny);
  in.free.leftCols(p.nx) = response.free;
  for (Index j = 0; j < p.ny; ++j) {
    for (Index m = 0; m < p.nu; ++m)
      in.free.col(p.nx + m).segment(j * p.horizon, p.horizon) = response.answers.col(j * p.nu + m);
    in.free.col(p.nx + p.nu + j).segment(j * p.horizon, p.horizon).setOnes();
  }
  return std::make_shared<const optimise::Condensed>(in);
}

optimise::MpcEngine engine(const ReplayProblem& p,
                           std::shared_ptr<const optimise::Condensed> model) {
  optimise::MpcEngine e(std::move(model), {{.soft = true,
                                            .slack = optimise::Shares::cv,  // as the references
                                            .quadratic = Vector::Constant(p.ny, p.rho),
                                            .linear = {}}});
  const auto repeat = [](const Vector& v, Index times) { return Vector(v.replicate(times, 1)); };
  e.limit_moves(repeat(-p.dumax, p.moves).data(), repeat(p.dumax, p.moves).data());
  e.limit_values(repeat(p.umin, p.moves).data(), repeat(p.umax, p.moves).data());
  const Matrix low = p.ymin.transpose().replicate(p.horizon, 1);
  const Matrix high = p.ymax.transpose().replicate(p.horizon, 1);
  e.limit_cvs(0, low.data(), high.data());
  return e;
}

optimise::Answer solve(optimise::MpcEngine& e, const ReplayProblem& p, const ReplayStep& s,
                       double* theta) noexcept {
  std::copy_n(s.x0.data(), p.nx, theta);
  std::copy_n(s.u_prev.data(), p.nu, theta + p.nx);
  const optimise::Shape& shape = e.model().shape();
  for (Index j = 0; j < p.ny; ++j) {
    theta[p.nx + p.nu + j] = s.d(j) - s.r(j);
    std::fill_n(e.start() + shape.y_at() + j * shape.p4, shape.p4, s.r(j));
  }
  return e.solve(theta, s.u_prev.data());
}

Judge::Judge(const ReplayProblem& problem) : p(problem) {
  const Index n = p.moves * p.nu;
  G = Matrix::Zero(p.horizon * p.ny, n);
  free = Matrix::Zero(p.horizon * p.ny, p.nx + p.nu + p.ny);
  Matrix power = Matrix::Identity(p.nx, p.nx);
  Matrix step = Matrix::Zero(p.ny, p.nu);
  for (Index k = 0; k < p.horizon; ++k) {
    step += p.C * power * p.B;
    power = power * p.A;
    free.block(k * p.ny, 0, p.ny, p.nx) = p.C * power;
    free.block(k * p.ny, p.nx, p.ny, p.nu) = step;
    free.block(k * p.ny, p.nx + p.nu, p.ny, p.ny).setIdentity();
    for (Index i = 0; i < p.moves && i + k < p.horizon; ++i)
      G.block((i + k) * p.ny, i * p.nu, p.ny, p.nu) = step;
  }
  const Vector weight = p.q.replicate(p.horizon, 1);
  H = G.transpose() * weight.asDiagonal() * G;
  H.diagonal() += p.R.replicate(p.moves, 1);
}

Judge::Verdict Judge::judge(const ReplayStep& s, const optimise::MpcEngine& e) const {
  const Index n = p.moves * p.nu;
  Vector theta(p.nx + p.nu + p.ny);
  theta << s.x0, s.u_prev, s.d - s.r;
  const Vector z = Eigen::Map<const Vector>(e.z(), n);
  Vector eps(p.ny);
  for (Index j = 0; j < p.ny; ++j) eps(j) = e.slack(j);
  const Vector base = free * theta;
  const Vector f = G.transpose() * (p.q.replicate(p.horizon, 1).cwiseProduct(base));
  Verdict v;
  const double cost = 0.5 * z.dot(H * z) + f.dot(z) + 0.5 * p.rho * eps.squaredNorm();
  v.gap = std::abs(cost - s.cost) / std::max(1e-3, std::abs(s.cost));
  v.first_move = ((z.head(p.nu) - s.du0).array().abs() / (p.umax - p.umin).array()).maxCoeff();
  const Vector y = base + G * z + s.r.replicate(p.horizon, 1);
  Vector u = s.u_prev;
  for (Index i = 0; i < p.moves; ++i) {
    const Vector du = z.segment(i * p.nu, p.nu);
    u += du;
    const auto range = (p.umax - p.umin).array();
    v.violation =
        std::max({v.violation, ((u - p.umax).array() / range).maxCoeff(),
                  ((p.umin - u).array() / range).maxCoeff(),
                  ((du.cwiseAbs() - p.dumax).array() / (2 * p.dumax.array())).maxCoeff()});
  }
  for (Index k = 0; k < p.horizon; ++k) {
    const Vector now = y.segment(k * p.ny, p.ny);
    const auto range = (p.ymax - p.ymin).array();
    v.violation = std::max({v.violation, ((now - p.ymax - eps).array() / range).maxCoeff(),
                            ((p.ymin - now - eps).array() / range).maxCoeff()});
  }
  v.kkt = v.violation;
  Vector stationarity = H * z + f;
  Vector slack_side = p.rho * eps;
  const optimise::Shape& shape = e.model().shape();
  const auto& set = e.set();
  for (Index i = 0; i < set.size(); ++i) {
    const optimise::Constraint& c = set.at(i);
    const double lambda = set.multiplier(i);
    double value = 0;
    v.kkt = std::max(v.kkt, -lambda / (1 + f.cwiseAbs().maxCoeff()));
    if (c.tier >= 0) {
      const Index j = (c.row - shape.y_at()) / shape.p4;
      const Index k = (c.row - shape.y_at()) % shape.p4;
      stationarity += lambda * c.side * G.row(k * p.ny + j).transpose();
      slack_side(j) -= lambda;
      value = c.side * (y(k * p.ny + j) - (c.side > 0 ? p.ymax(j) : p.ymin(j))) - eps(j);
    } else if (c.row < n) {
      stationarity(c.row) += lambda * c.side;
      value = c.side * z(c.row) - p.dumax(c.row % p.nu);
    } else {
      const Index at = c.row - shape.u_at();
      const Index m = at % p.nu;
      double sum = s.u_prev(m);
      for (Index l = m; l <= at; l += p.nu) {
        stationarity(l) += lambda * c.side;
        sum += z(l);
      }
      value = c.side * (sum - (c.side > 0 ? p.umax(m) : p.umin(m)));
    }
    v.kkt = std::max(v.kkt, std::abs(lambda * value) / (1 + std::abs(cost)));
  }
  const double scale = 1 + f.cwiseAbs().maxCoeff();
  v.kkt = std::max({v.kkt, stationarity.cwiseAbs().maxCoeff() / scale,
                    slack_side.cwiseAbs().maxCoeff() / scale});
  return v;
}

}  // namespace flyball::bench
