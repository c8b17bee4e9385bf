#include "qp_problems.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace flyball::bench {

namespace fs = std::filesystem;

namespace {

/// name → column → text of reference_dev.csv.
std::map<std::string, std::map<std::string, std::string>> read_reference(const fs::path& path) {
  std::map<std::string, std::map<std::string, std::string>> out;
  std::ifstream in(path);
  std::string line, cell;
  std::vector<std::string> names;
  while (std::getline(in, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::vector<std::string> cells;
    std::istringstream row(line);
    while (std::getline(row, cell, ',')) cells.push_back(cell);
    if (names.empty()) {
      names = cells;
      continue;
    }
    for (std::size_t i = 0; i < cells.size() && i < names.size(); ++i)
      out[cells[0]][names[i]] = cells[i];
  }
  return out;
}

solver::SparseMatrix sparse(const nlohmann::json& triplets, Index rows, Index columns) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < triplets["v"].size(); ++k) {
    entries.emplace_back(triplets["i"][k].get<int>(), triplets["j"][k].get<int>(),
                         triplets["v"][k].get<double>());
  }
  solver::SparseMatrix out(rows, columns);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

Vector vector(const nlohmann::json& values, double missing) {
  Vector out(static_cast<Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    out[static_cast<Index>(i)] = values[i].is_null() ? missing : values[i].get<double>();
  }
  return out;
}

Matrix table(const fs::path& path, Index rows, Index columns) {
  std::ifstream in(path);
  Matrix out(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      std::string word;
      in >> word;
      out(i, j) = std::strtod(word.c_str(), nullptr);
      if (std::abs(out(i, j)) >= 1e12) out(i, j) = std::copysign(solver::kInfinity, out(i, j));
    }
  }
  if (!in) throw std::runtime_error(path.string() + " is too short");
  return out;
}

}  // namespace

std::vector<QpProblem> read_problems(const fs::path& folder) {
  std::vector<QpProblem> out;
  if (!fs::exists(folder / "json")) return out;
  auto reference = read_reference(folder / "reference_dev.csv");
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder / "json")) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    std::ifstream in(path);
    const nlohmann::json j = nlohmann::json::parse(in);
    QpProblem p;
    p.name = j["name"].get<std::string>();
    const Index n = j["n"].get<Index>(), m = j["m"].get<Index>();
    p.constant = j.value("r", 0.0);
    p.program.h = sparse(j["P"], n, n);
    p.program.a = sparse(j["A"], m, n);
    p.program.g = vector(j["q"], 0);
    p.program.row_lower = vector(j["l"], -solver::kInfinity);
    p.program.row_upper = vector(j["u"], solver::kInfinity);
    auto& row = reference[p.name];
    p.grade = row.contains("confidence") ? row["confidence"] : "-";
    const std::string optimum =
        row.contains("obj_reference") ? row["obj_reference"] : row["obj_cvxopt"];
    if (!optimum.empty()) p.optimum = std::stod(optimum);
    if (p.grade.empty()) p.grade = "none";
    out.push_back(std::move(p));
  }
  return out;
}

std::vector<QpSequence> read_sequences(const fs::path& folder) {
  std::vector<QpSequence> out;
  if (!fs::is_directory(folder)) return out;
  std::vector<fs::path> paths{fs::canonical(folder)};
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    std::ifstream dims(path / "dims.oqp");
    Index count = 0, n = 0, m = 0, equations = 0;
    if (!(dims >> count >> n >> m >> equations)) continue;
    QpSequence s;
    s.name = path.filename();
    s.h = table(path / "H.oqp", n, n);
    s.a = table(path / "A.oqp", m, n);
    const auto columns = [&](const char* file, Index width) {
      return Matrix(table(path / file, count, width).transpose());
    };
    s.g = columns("g.oqp", n);
    s.lower = columns("lb.oqp", n);
    s.upper = columns("ub.oqp", n);
    s.row_lower = columns("lbA.oqp", m);
    s.row_upper = columns("ubA.oqp", m);
    s.x = columns("x_opt.oqp", n);
    s.objective = columns("obj_opt.oqp", 1).transpose();
    out.push_back(std::move(s));
  }
  return out;
}

}  // namespace flyball::bench
