#include "advise/problem_of.h"

#include <algorithm>

namespace flyball::advise {
namespace {

using model::ArtifactVariable;

class Builder {
 public:
  explicit Builder(const ProblemParts& p) : p_(p) {}

  optimise::ProblemIr build() {
    const ProfileContent& c = p_.profile.content;
    optimise::ProblemIr out;
    out.problem_template = c.problem_template;
    out.model_id = p_.model.row.id;
    out.model_artifact_hash = p_.model.row.artifact_hash;
    out.beat_ms = p_.context.beat_ms;
    const bool dynamic = c.problem_template == optimise::kLinearMpc;
    out.horizon = dynamic ? c.horizon : 1;
    out.control_horizon = dynamic ? c.control_horizon : 1;
    if (dynamic) out.blocks = c.blocks;
    out.solver = c.solver;
    out.context_hash = context_hash(p_.context);
    out.history = p_.history;
    for (const ArtifactVariable& v : p_.model.variables) {
      if (v.role == "mv") out.mv.push_back(mv(v));
      if (v.role == "cv") out.cv.push_back(cv(v, out.horizon));
      if (v.role == "dv") out.dv.push_back(dv(v));
    }
    if (const auto& s = p_.model.spread)
      out.spread = optimise::TrainSpread{s->mean, s->std, s->inverse, s->limit};
    read_back(out);
    optimise::check(out);
    return out;
  }

 private:
  [[nodiscard]] UnitMap unit(const std::string& id) const {
    const auto it = p_.units.find(id);
    return it == p_.units.end() ? UnitMap{} : it->second;
  }
  /// Unit, scale and offset of a term, for words.
  template <class Term>
  void set_unit(Term& term) const {
    const UnitMap u = unit(term.var_id);
    term.unit_scale = u.scale;
    term.unit_offset = u.offset;
    const auto it = p_.unit_names.find(term.var_id);
    if (it != p_.unit_names.end()) term.unit = it->second;
  }
  static optimise::TrainRange train(const ArtifactVariable& v) {
    return {v.mean, v.std, v.min, v.max};
  }
  static std::optional<double> value(const UnitMap& u, std::optional<double> source) {
    return source ? std::optional(u.value(*source)) : std::nullopt;
  }
  /// Limits in model units: a negative scale swaps them.
  static std::pair<std::optional<double>, std::optional<double>> limits(const UnitMap& u,
                                                                        std::optional<double> min,
                                                                        std::optional<double> max) {
    if (u.scale < 0) std::swap(min, max);
    return {value(u, min), value(u, max)};
  }

  [[nodiscard]] optimise::MvTerm mv(const ArtifactVariable& v) const {
    const UnitMap u = unit(v.id);
    optimise::MvTerm out;
    out.var_id = v.id;
    out.train = train(v);
    set_unit(out);
    const auto& settings = p_.profile.content.mv;
    const auto s = std::ranges::find(settings, v.id, &MvSetting::var_id);
    const auto node = std::ranges::find(p_.context.nodes, v.id, &NodeState::var_id);
    if (s == settings.end()) {
      out.min = v.min;
      out.max = v.max;
      out.available = false;
      return out;
    }
    const auto in_force = std::ranges::find(p_.context.limits, v.id, &LimitInForce::var_id);
    if (in_force == p_.context.limits.end() || !in_force->min || !in_force->max)
      throw Error("LIMIT_MISSING", {{"variable", v.id}});
    if (*in_force->min > *in_force->max)
      throw Error("LIMITS_EMPTY", {{"variable", v.id},
                                   {"min", *in_force->min},
                                   {"minFrom", in_force->min_from},
                                   {"max", *in_force->max},
                                   {"maxFrom", in_force->max_from}});
    const auto [low, high] = limits(u, in_force->min, in_force->max);
    out.min = *low;
    out.max = *high;
    out.max_move = u.difference(s->max_move);
    if (s->min_move) out.min_move = u.difference(*s->min_move);
    out.move_weight = s->move_weight;
    out.target = value(u, s->target);
    out.target_weight = s->target_weight;
    out.price = s->price / u.scale;
    out.available = node == p_.context.nodes.end() || node->available;
    return out;
  }

  [[nodiscard]] optimise::CvTerm cv(const ArtifactVariable& v, std::int64_t horizon) const {
    const UnitMap u = unit(v.id);
    optimise::CvTerm out;
    out.var_id = v.id;
    out.train = train(v);
    set_unit(out);
    out.integrating = std::ranges::count(p_.integrating, v.id) > 0;
    const auto& settings = p_.profile.content.cv;
    const auto s = std::ranges::find(settings, v.id, &CvSetting::var_id);
    if (s == settings.end()) {
      out.role = optimise::CvRole::band;
      out.weight = 0;
      return out;
    }
    out.role = s->role;
    if (u.scale < 0 && out.role == optimise::CvRole::min) {
      out.role = optimise::CvRole::max;
    } else if (u.scale < 0 && out.role == optimise::CvRole::max) {
      out.role = optimise::CvRole::min;
    }
    out.ref = value(u, s->ref);
    out.weight = s->weight;
    std::tie(out.soft_min, out.soft_max) = limits(u, s->soft_min, s->soft_max);
    std::tie(out.hard_min, out.hard_max) = limits(u, s->hard_min, s->hard_max);
    out.soft_penalty = s->soft_penalty;
    out.rank = s->rank;
    out.price = s->price / u.scale;
    if (out.hard_min || out.hard_max) out.margin = margin(v.id, horizon);
    return out;
  }

  [[nodiscard]] std::vector<double> margin(const std::string& id, std::int64_t horizon) const {
    if (!p_.model.uq) return {};
    const uq::Uq& uq = *p_.model.uq;
    const auto n = static_cast<std::size_t>(horizon);
    const auto band = std::ranges::find(uq.step_bands, id, &uq::StepBand::cv);
    if (band != uq.step_bands.end() && band->half_width.size() >= n)
      return {band->half_width.begin(), band->half_width.begin() + horizon};
    const auto cv = std::ranges::find(uq.cvs, id);
    if (cv == uq.cvs.end()) return {};
    const auto j = static_cast<std::size_t>(cv - uq.cvs.begin());
    if (j >= uq.qhat_per_cv.size() || (horizon > uq.horizon && horizon > 1)) return {};
    return std::vector<double>(n, uq.qhat_per_cv[j]);
  }

  [[nodiscard]] optimise::DvTerm dv(const ArtifactVariable& v) const {
    const UnitMap u = unit(v.id);
    optimise::DvTerm out;
    out.var_id = v.id;
    out.train = train(v);
    if (const auto it = p_.forecasts.find(v.id); it != p_.forecasts.end()) {
      for (const double x : it->second) out.forecast.push_back(u.value(x));
    }
    return out;
  }

  /// Where the MVs are, as read back.
  static void read_back(optimise::ProblemIr& out) {
    if (out.history.empty()) throw Error("ADVICE_INPUT_MISSING", {{"variable", "every input"}});
    const auto& last = out.history.back().u;
    for (std::size_t i = 0; i < out.mv.size() + out.dv.size(); ++i) {
      if (i >= last.size() || !last[i])
        throw Error("ADVICE_INPUT_MISSING",
                    {{"variable",
                      i < out.mv.size() ? out.mv[i].var_id : out.dv[i - out.mv.size()].var_id}});
      if (i < out.mv.size()) out.u_prev.push_back(*last[i]);
    }
  }

  const ProblemParts& p_;
};

}  // namespace

optimise::ProblemIr problem_of(const ProblemParts& parts) {
  return Builder(parts).build();
}

}  // namespace flyball::advise
