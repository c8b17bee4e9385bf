#pragma once
// The steps of identify_static: what the inputs did, which basis, what the surface says.
#include "identify/static_response.h"

namespace flyball::identify::statics {

/// Constant and the inputs that moved; with the products of two; with the squares of inputs that
/// have three levels.
struct Basis {
  std::string name;
  std::vector<model::Term> terms;
};
/// From small to large; one that adds no term is left out.
std::vector<Basis> bases_of(const std::vector<StaticInput>& inputs);

/// Points a basis needs: 3 a parameter and 10.
std::int64_t points_needed(std::size_t parameters);

/// Words about inputs that stand still, have two levels, or move together; fills VIFs.
void judge_inputs(const PointTable& points, std::vector<StaticInput>& inputs,
                  std::vector<Message>& warnings);

struct Choice {
  Basis basis;
  double lambda = 0;
  std::optional<double> score;
};
/// Adds a row per basis to `candidates`. Throws STATIC_SINGULAR when none can be fitted.
Choice choose(const PointTable& points, Index cv, const std::string& name,
              const std::vector<Basis>& bases, std::vector<StaticCandidate>& candidates);

/// Everything that the page shows of one CV; `surface` is filled.
StaticCv describe(const PointTable& points, const dataset::OperatingPoints& all, Index cv,
                  const std::string& name, const std::vector<StaticInput>& inputs,
                  const Choice& choice, model::StaticResponse& model, model::Surface& surface);

/// Repeats at one setting against the surface: F = (SS_lack/(m − p)) / (SS_pure/(N − m)), m
/// settings, inputs within 2 % of their range the same setting.
LackOfFit lack_of_fit(const PointTable& points, const ConstVectorRef& y, double squares,
                      Index parameters);

/// Eigenvalues and stationary point of a surface.
Curvature curvature_of(const model::StaticResponse& model, const model::Surface& surface);

}  // namespace flyball::identify::statics
