#include "identify/closed_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flyball::identify {
namespace {

constexpr double k95 = 1.96, k99 = 2.58;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMaybeKept = 0.1, kMaybeLevel = 1e-4;
constexpr Index kInstrumentalOrders = 4;
constexpr Index kMostLags = 20;
constexpr Index kDirectLags = 10;
constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

std::optional<double> known(double v) {
  return std::isfinite(v) ? std::optional(v) : std::nullopt;
}

bool may_be_in_loop(const Feedback& f) {
  return !f.rests && f.same_step_p_value && *f.same_step_p_value < kMaybeLevel &&
         f.variance_kept.value_or(1) < kMaybeKept;
}

/// The fit with the least criterion so far.
struct Best {
  std::optional<InstrumentalFit> fit;
  double criterion = 0;

  void offer(std::optional<InstrumentalFit> candidate) {
    if (!candidate || !candidate->converged) return;
    double sum = 0, rows = 0;
    for (const double e : candidate->residual) {
      if (!std::isfinite(e)) continue;
      sum += e * e;
      rows += 1;
    }
    const auto parameters = static_cast<double>(candidate->arx.structure.parameters());
    const double value = rows * std::log(sum / rows) + parameters * std::log(rows);
    if (fit && !(value < criterion)) return;
    criterion = value;
    fit = std::move(candidate);
  }
};

/// Orders 1..4 and, one input in a loop after the other, the lags of its dead time's range.
std::optional<InstrumentalFit> best_instrumental(const Regression& r,
                                                 std::vector<Structure::Input> inputs,
                                                 const std::vector<Interval>& ranges,
                                                 const Matrix& noise_free) {
  Best best;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (Index lag = ranges[i].first; lag < ranges[i].end; ++lag) {
      inputs[i].first_lag = lag;
      for (Index n = 1; n <= kInstrumentalOrders; ++n) {
        best.offer(fit_instrumental(r, {n, n, inputs}, {kEverything}, noise_free));
      }
    }
    if (best.fit) inputs[i] = best.fit->arx.structure.inputs[i];
  }
  return std::move(best.fit);
}

class CvJudge {
 public:
  CvJudge(const TrainingData& data, const Findings& findings, Index cv, const LoopCv& given)
      : data_(data), findings_(findings), cv_(cv), given_(given) {
    const auto& inputs = given.fit->arx.structure.inputs;
    const bool declared = std::ranges::any_of(
        findings.feedback, [](const Feedback& f) { return !f.set_point.empty(); });
    const auto set_points = set_points_of(data, findings, inputs);
    if (!declared || !set_points || given.regression->integrating) return;
    const NoiseFreeInputs free = noise_free_inputs(data, *set_points);
    share_ = free.share;
    std::vector<Interval> ranges;
    for (const auto& input : inputs) {
      ranges.push_back({input.first_lag, input.first_lag + 1});
      if ((*set_points)[static_cast<std::size_t>(input.input)] < 0) continue;
      const DeadTime& d =
          findings.dead_times[static_cast<std::size_t>(input.input * data.ny() + cv)];
      const Index low = std::max<Index>(d.low, 1);
      ranges.back() = {low, std::clamp<Index>(d.high, low, low + kMostLags) + 1};
    }
    fit_ = best_instrumental(where_known(data, *given.regression, free.values), inputs, ranges,
                             free.values);
  }

  void judge(std::vector<LoopGain>& gains) {
    const auto& inputs = given_.fit->arx.structure.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].input >= data_.n_mv) continue;
      const Feedback& f = findings_.feedback[static_cast<std::size_t>(inputs[i].input)];
      if (f.in_loop || may_be_in_loop(f)) gains.push_back(pair(f, static_cast<Index>(i)));
    }
  }

  /// Present when a pair of this CV takes it.
  std::optional<InstrumentalFit> used() { return use_ ? std::move(fit_) : std::nullopt; }

 private:
  LoopGain pair(const Feedback& f, Index i) {
    const Index input = given_.fit->arx.structure.inputs[static_cast<std::size_t>(i)].input;
    LoopGain g{f.mv,   data_.name(data_.nu() + cv_), f.set_point, {}, {}, {}, {}, {}, {}, 0, false,
               "model"};
    const GainEstimate model = gain_of(data_, cv_, given_.fit->arx, given_.fit->covariance, i);
    g.model = known(model.gain);
    g.model_std_error = known(model.std_error);
    bool sign = false;
    if (!f.computed_from_cvs) {
      const LagSum direct = direct_of(input);
      const double unit = data_.std(data_.nu() + cv_) / data_.std(input);
      g.direct = known(direct.gain * unit);
      g.direct_std_error = known(direct.gain_std_error * unit);
      sign = direct.sign_known() && (!g.model || (*g.model > 0) == (direct.sum > 0));
      // What lag 0 makes of the gain is as uncertain as the two are apart.
      const bool lag_0 =
          given_.fit->arx.structure.inputs[static_cast<std::size_t>(i)].first_lag == 0;
      if (lag_0 && g.model && g.direct) {
        sign = sign && std::abs(*g.model) > k95 * std::hypot(model.std_error, *g.model - *g.direct);
      }
    }
    if (fit_ && !f.set_point.empty()) {
      const GainEstimate iv = gain_of(data_, cv_, fit_->arx, fit_->covariance, i);
      g.instrumental = known(iv.gain);
      g.instrumental_std_error = known(iv.std_error);
      g.set_point_share = share_[static_cast<std::size_t>(input)];
      const bool instrumental_sign = std::abs(iv.gain) > k95 * iv.std_error;
      const bool differ = g.model && contradict(model, iv);
      const bool better = !(iv.std_error > model.std_error);
      if (differ || better || f.computed_from_cvs) {
        g.used = "instrumental";
        use_ = true;
      }
      sign = instrumental_sign || (sign && !differ);
    }
    g.sign_known = sign;
    return g;
  }

  [[nodiscard]] LagSum direct_of(Index input) {
    DeadTimeOptions o = given_.lags;
    Index deepest = o.y_lags;
    for (const Index m : o.inputs) {
      Index& first = o.first_lag[static_cast<std::size_t>(m)];
      if (m == input) first = std::max<Index>(first, 1);
      deepest = std::max(deepest, first + o.range);
    }
    const Regression& r = *given_.regression;
    return lag_sum(normal_of(r, gram_of(r, deepest, {kEverything})), r.nu, o, input);
  }

  const TrainingData& data_;
  const Findings& findings_;
  Index cv_;
  const LoopCv& given_;
  std::vector<double> share_;
  std::optional<InstrumentalFit> fit_;
  bool use_ = false;
};

}  // namespace

bool LagSum::sign_known() const {
  return std::abs(sum) > k95 * std_error;
}

LagSum lag_sum(const Normal& normal, Index y_signal, const DeadTimeOptions& options, Index input) {
  const std::vector<Term> terms = dead_time_terms(y_signal, options);
  const auto p = static_cast<Index>(terms.size());
  LagSum out;
  out.std_error = out.gain_std_error = std::numeric_limits<double>::infinity();
  if (normal.rows <= p + 1) return out;
  const Solution s =
      solve(normal, terms, {y_signal, 0}, {.lambda = 1e-9, .exact_steps = 2, .inverse = true});
  const double variance = s.rss / static_cast<double>(normal.rows - p - 1);
  Vector of_input = Vector::Zero(p), of_y = Vector::Zero(p);
  for (Index i = 0; i < p; ++i) {
    const Index signal = terms[static_cast<std::size_t>(i)].signal;
    if (signal == input) of_input(i) = 1;
    if (signal == y_signal) of_y(i) = 1;
  }
  out.sum = of_input.dot(s.theta);
  out.std_error = std::sqrt(variance * of_input.dot(s.inverse * of_input));
  const double a1 = 1 - of_y.dot(s.theta);
  out.gain = a1 > 0 ? out.sum / a1 : kNan;
  const Vector slope = of_input / a1 + of_y * (out.sum / (a1 * a1));
  out.gain_std_error = a1 > 0 ? std::sqrt(variance * slope.dot(s.inverse * slope)) : kNan;
  return out;
}

std::optional<std::vector<Index>> set_points_of(const TrainingData& data, const Findings& findings,
                                                const std::vector<Structure::Input>& inputs) {
  std::vector<Index> out(static_cast<std::size_t>(data.nu()), -1);
  for (const auto& input : inputs) {
    if (input.input >= data.n_mv) continue;
    const Feedback& f = findings.feedback[static_cast<std::size_t>(input.input)];
    if (f.in_loop && f.set_point.empty()) return std::nullopt;
    const auto tag = std::ranges::find(data.inputs, f.set_point);
    if (tag != data.inputs.end()) {
      out[static_cast<std::size_t>(input.input)] = tag - data.inputs.begin();
    }
  }
  return out;
}

Regression where_known(const TrainingData& data, const Regression& r, const Matrix& noise_free) {
  Regression out = r;
  Matrix both(r.x.rows(), r.x.cols() + noise_free.cols());
  both << r.x, noise_free;
  std::vector<Index> columns;
  for (Index c = 0; c < both.cols(); ++c) {
    const bool free = c >= r.x.cols();
    if (free && r.x.col(c - r.x.cols()).cwiseAbs().maxCoeff() == 0) continue;  // unused
    columns.push_back(c);
  }
  out.stretches = usable(both, columns, data.blocks);
  return out;
}

GainEstimate gain_of(const TrainingData& data, Index cv, const Arx& arx, const Matrix& covariance,
                     Index i) {
  const Structure& s = arx.structure;
  const Index input = s.inputs[static_cast<std::size_t>(i)].input;
  const double unit = data.std(data.nu() + cv) / data.std(input);
  const double a1 = 1 - arx.a().sum();
  Vector slope = Vector::Zero(arx.theta.size());
  slope.segment(i * s.nb, s.nb).setConstant(1 / a1);
  slope.tail(s.na).setConstant(arx.b(i).sum() / (a1 * a1));
  const auto p = slope.size();
  const double variance = slope.dot(covariance.topLeftCorner(p, p) * slope);
  return {gain(arx, i) * unit, std::sqrt(std::max(0.0, variance)) * unit};
}

bool contradict(const GainEstimate& a, const GainEstimate& b) {
  return std::abs(a.gain - b.gain) > k99 * std::hypot(a.std_error, b.std_error);
}

FinalFit final_fit_of(const InstrumentalFit& fit) {
  FinalFit out;
  out.arx = fit.arx;
  const Index p = fit.arx.theta.size();
  out.covariance = fit.covariance.topLeftCorner(p, p);
  out.residual = fit.residual;
  out.rank = p;
  out.rows = fit.rows;
  return out;
}

LoopJudgement judge_loop_gains(const TrainingData& data, const Findings& findings,
                               const std::vector<LoopCv>& cvs) {
  LoopJudgement out;
  for (std::size_t j = 0; j < cvs.size(); ++j) {
    CvJudge judge(data, findings, static_cast<Index>(j), cvs[j]);
    judge.judge(out.gains);
    out.fits.push_back(judge.used());
  }
  return out;
}

namespace {

void describe_instrumental(const TrainingData& data, Index cv, const FinalFit& fit, CvFinding& f) {
  f.na = fit.arx.structure.na;
  f.nb = fit.arx.structure.nb;
  f.parameters = fit.arx.structure.parameters();
  f.rows = fit.rows;
  f.rank = fit.rank;
  f.lambda = 0;
  f.differenced = false;
  f.radius = radius_of(fit.arx);
  describe_parameters(data, cv, fit, f);
}

Message sign_unknown(const Findings& findings, const LoopGain& g) {
  const auto f = std::ranges::find(findings.feedback, g.mv, &Feedback::mv);
  return {"LOOP_SIGN_UNKNOWN",
          {{"mv", g.mv}, {"cv", g.cv}, {"cvMove", f->cv_move}, {"mvMove", f->mv_move}}};
}

}  // namespace

void forget_gains(Findings& findings) {
  const auto told = [&](const Feedback& f, const std::string& cv) {
    return std::ranges::any_of(findings.loop_gains, [&](const LoopGain& g) {
      return g.mv == f.mv && g.cv == cv && g.instrumental;
    });
  };
  const auto in_cv = [&](const Feedback& f, const std::string& cv) {
    return f.cv == cv || std::ranges::any_of(findings.loop_gains, [&](const LoopGain& g) {
             return g.mv == f.mv && g.cv == cv;
           });
  };
  for (StepResponse& s : findings.step_responses) {
    const bool unknown = std::ranges::any_of(findings.feedback, [&](const Feedback& f) {
      return f.computed_from_cvs && in_cv(f, s.cv) && !told(f, s.cv);
    });
    if (!unknown) continue;
    s.gain.reset();
    s.gain_std_error.reset();
    s.gain_bootstrap_low.reset();
    s.gain_bootstrap_high.reset();
  }
}

std::vector<Message> loop_warnings(const Findings& findings) {
  std::vector<Message> out;
  for (const LoopGain& g : findings.loop_gains) {
    if (!g.sign_known) out.push_back(sign_unknown(findings, g));
    if (g.used == "instrumental") {
      out.push_back({"LOOP_GAIN_FROM_SET_POINT",
                     {{"mv", g.mv},
                      {"cv", g.cv},
                      {"gain", *g.instrumental},
                      {"error", *g.instrumental_std_error},
                      {"other", g.model.value_or(0)},
                      {"setPoint", g.set_point}}});
    }
  }
  return out;
}

void judge_loop_signs(Findings& findings) {
  for (LoopGain& g : findings.loop_gains) {
    if (g.used == "instrumental") continue;
    const auto s = std::ranges::find_if(findings.step_responses, [&](const StepResponse& r) {
      return r.input == g.mv && r.cv == g.cv;
    });
    if (s == findings.step_responses.end() || !s->gain || !s->gain_std_error) continue;
    g.model = s->gain;
    g.model_std_error = s->gain_std_error;
    if (!g.sign_known || std::abs(*g.model) > k95 * *g.model_std_error) continue;
    g.sign_known = false;
    findings.warnings.push_back(sign_unknown(findings, g));
  }
}

std::optional<Arx> without_direct_answers(const Regression& r, const Arx& arx,
                                          const Findings& findings) {
  Arx out = arx;
  bool changed = false;
  for (auto& input : out.structure.inputs) {
    const bool mv = input.input < static_cast<Index>(findings.feedback.size());
    if (!mv || !findings.feedback[static_cast<std::size_t>(input.input)].in_loop) continue;
    changed = changed || input.first_lag == 0;
    input.first_lag = std::max<Index>(input.first_lag, 1);
  }
  if (!changed || arx.differenced) return std::nullopt;
  out.structure.na = out.structure.nb = kDirectLags;
  const Normal normal = normal_of(r, gram_of(r, out.structure.max_lag(), {kEverything}));
  const auto terms = out.structure.terms(r.nu);
  if (normal.rows <= 2 * out.structure.parameters()) return std::nullopt;
  out.theta = solve(normal, terms, {r.nu, 0}, {.lambda = 1e-8}).theta;
  if (!roots_inside(out.a(), 1 - 1e-6)) return std::nullopt;
  out.constant = constant_of(normal, terms, r.nu, out.theta);
  return out;
}

std::vector<Noise> take_instrumental(const TrainingData& data, const std::vector<LoopCv>& cvs,
                                     std::vector<FinalFit>& fits, Findings& findings) {
  LoopJudgement judged = judge_loop_gains(data, findings, cvs);
  findings.loop_gains = std::move(judged.gains);
  std::vector<Noise> noise(fits.size());
  for (std::size_t j = 0; j < fits.size(); ++j) {
    if (!judged.fits[j]) {
      const auto other = without_direct_answers(*cvs[j].regression, fits[j].arx, findings);
      if (other) fits[j].largest = other;
      continue;
    }
    for (const auto& input : judged.fits[j]->arx.structure.inputs) {
      DeadTime& d = findings.dead_times[static_cast<std::size_t>(input.input * data.ny()) + j];
      d.steps = d.steps_after_0 = input.first_lag;
    }
    noise[j] = judged.fits[j]->noise;
    fits[j] = final_fit_of(*judged.fits[j]);
    describe_instrumental(data, static_cast<Index>(j), fits[j], findings.cvs[j]);
  }
  for (const Message& m : loop_warnings(findings)) findings.warnings.push_back(m);
  return noise;
}

}  // namespace flyball::identify
