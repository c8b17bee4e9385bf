#include "identify/refine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>

#include "core/checks.h"
#include "identify/subspace_rational.h"
#include "math/parallel.h"

namespace flyball::identify {
namespace {

constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};
constexpr Index kPastMax = 20;
constexpr double kWithinErrors = 1;    ///< standard errors of the difference
constexpr double kWithinShare = 1.03;  ///< of the loss
constexpr double kStartRidge = 1e-8;
constexpr int kFoldIterations = 12;
constexpr double kFoldTolerance = 1e-4;  ///< scores are compared to a hundredth
constexpr int kIdleOrders = 3;
constexpr double kImproves = 0.995;

const Regression& form_of(const CvContext& c, bool differenced) {
  return c.forms[differenced ? 1 : 0];
}

/// Fits one structure on rows and gives its model; nullopt when that is impossible.
using Fit = std::function<std::optional<Rational>(std::size_t fold)>;

void score(const CvContext& c, const FoldScorer& scorer, Trial& trial, const Fit& fit) {
  const TrainingData scale = scale_of(*c.data, c.cv);
  const Matrix variance = Matrix::Constant(1, 1, c.variance);
  for (std::size_t f = 0; f < c.folds.size(); ++f) {
    const auto model = fit(f);
    if (!model || !roots_inside(model->arx.a(), 1)) {
      trial.reason = "a fold cannot carry it";
      trial.score = trial.one_step = trial.free_run = std::nan("");
      return;
    }
    const auto realised = realise({model->arx}, scale, variance, {model->noise});
    trial.folds.push_back(scorer.errors(realised, c.forms.front(), c.fold_lag, c.folds[f]).front());
  }
  trial.score = rollout_score(trial.folds, c.horizon);
  trial.one_step = one_step_score(trial.folds);
  trial.free_run = free_run_score(trial.folds);
}

/// The trainers that start from subspace models of one form.
class FormTrials {
 public:
  FormTrials(const CvContext& context, bool differenced)
      : c_(context),
        differenced_(differenced),
        r_(form_of(context, differenced)),
        scorer_(*context.data, {context.cv}, context.history, context.horizon) {
    spec_.inputs = c_.inputs;
    spec_.outputs = {r_.nu};
    spec_.past = kPastMax;
    const math::LagGram all = gram_of(r_, spec_.max_lag(), {kEverything});
    if (all.rows() < 2) return;
    add_rows(all, {kEverything});
    for (const auto& fold : c_.folds) {
      math::LagGram rest = all;
      rest.subtract(gram_of(r_, all.max_lag(), widened(fold, c_.history)));
      add_rows(rest, outside(fold, c_.history));
    }
  }

  void run(const Families& families, const std::stop_token& stop, std::vector<Trial>& trials) {
    if (parts_.empty()) return;
    const auto orders = static_cast<Index>(parts_.front().subspace.models.size());
    for (Index n = 1; n <= orders && families.subspace; ++n) {
      check_stop(stop);
      trials.push_back(subspace(n));
    }
    if (families.prediction_error) {
      refine_orders(Criterion::prediction_error, orders, stop, trials);
    }
    if (families.output_error && !r_.integrating && !differenced_) {
      refine_orders(Criterion::output_error, orders, stop, trials);
    }
  }

 private:
  /// All rows, or what a fold leaves.
  struct Part {
    std::vector<Interval> within;
    Normal normal;
    SubspaceFit subspace;
  };

  void add_rows(const math::LagGram& gram, std::vector<Interval> within) {
    Part part{std::move(within), {}, {}};
    if (gram.rows() > 1) {
      part.normal = normal_of(r_, gram);
      if (parts_.empty()) {
        spec_.past = std::max(choose_past(part.normal, spec_, kPastMax), c_.max_order);
        spec_.max_order = c_.max_order;
      }
      part.subspace = fit_subspace(part.normal, spec_);
    }
    parts_.push_back(std::move(part));
  }

  [[nodiscard]] std::optional<Rational> subspace_start(const Part& part, Index n) const {
    if (static_cast<Index>(part.subspace.models.size()) < n) return std::nullopt;
    Rational m = rational_of(part.subspace.models[static_cast<std::size_t>(n - 1)], spec_);
    m.arx.integrating = r_.integrating;
    m.arx.differenced = r_.differenced;
    return m;
  }

  /// Equation error of the same structure.
  [[nodiscard]] Rational arx_start(const Part& part, const Rational& like) const {
    Rational m = like;
    const auto terms = m.arx.structure.terms(r_.nu);
    m.arx.theta = solve(part.normal, terms, {r_.nu, 0}, {.lambda = kStartRidge}).theta;
    m.arx.constant = constant_of(part.normal, terms, r_.nu, m.arx.theta);
    m.noise.c.setZero();
    return m;
  }

  /// The model of one order less with coefficients of zero appended.
  static Rational one_more(const Rational& last, const Rational& like) {
    Rational m = like;
    const Structure &from = last.arx.structure, &to = like.arx.structure;
    m.arx.theta.setZero();
    for (Index i = 0; i < static_cast<Index>(to.inputs.size()); ++i) {
      m.arx.theta.segment(i * to.nb, from.nb) = last.arx.b(i);
    }
    m.arx.theta.segment(m.arx.theta.size() - to.na, from.na) = last.arx.a();
    m.arx.constant = last.arx.constant;
    m.noise.c.setZero();
    m.noise.c.head(last.noise.c.size()) = last.noise.c;
    return m;
  }

  /// From the best of the subspace model, the ARX and the last order's optimum.
  [[nodiscard]] std::optional<Refined> refine_part(const Part& part, Index n,
                                                   const RefineOptions& options,
                                                   std::optional<Rational>& last) const {
    const auto from = subspace_start(part, n);
    if (!from) return std::nullopt;
    std::vector<Rational> starts{*from, arx_start(part, *from)};
    if (last) starts.push_back(one_more(*last, *from));
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const double at = mean_square(r_, starts[i], part.within, options);
      if (at < least) {
        least = at;
        best = i;
      }
    }
    Refined out = refine(r_, starts[best], part.within, options);
    last = out.model;
    last->noise.ar.resize(0);
    return out;
  }

  Trial describe_trial(const std::string& trainer, Index n, const Refined& fit) const {
    Trial t;
    t.trainer = trainer;
    t.order = n;
    t.differenced = differenced_;
    const Vector& sigma = parts_.front().subspace.singular_values;
    t.singular_value = sigma(n - 1) / sigma(0);
    t.parameters = fit.model.arx.structure.parameters();
    t.fit.arx = fit.model.arx;
    t.fit.covariance = fit.covariance.topLeftCorner(t.parameters, t.parameters);
    t.fit.residual = innovations(fit);
    t.fit.rows = fit.rows;
    t.noise = fit.model.noise;
    return t;
  }

  /// Output error: what its noise model leaves of the simulation's residuals.
  static Vector innovations(const Refined& fit) {
    const Vector& d = fit.model.noise.ar;
    Vector out = fit.residual;
    for (Index t = d.size(); t < out.size(); ++t) {
      for (Index i = 1; i <= d.size(); ++i) out(t) -= d(i - 1) * fit.residual(t - i);
    }
    return out;
  }

  Trial subspace(Index n) {
    const Part& all = parts_.front();
    const RefineOptions as_it_is{.criterion = Criterion::prediction_error, .max_iterations = 0};
    Trial t =
        describe_trial("subspace", n, refine(r_, *subspace_start(all, n), all.within, as_it_is));
    t.parameters += n;
    score(c_, scorer_, t, [&](std::size_t f) { return subspace_start(parts_[f + 1], n); });
    return t;
  }

  /// Rising orders until several of them have not lowered the score.
  void refine_orders(Criterion criterion, Index orders, const std::stop_token& stop,
                     std::vector<Trial>& trials) {
    const bool simulation = criterion == Criterion::output_error;
    const RefineOptions whole{.criterion = criterion};
    const RefineOptions fold{
        .criterion = criterion, .max_iterations = kFoldIterations, .tolerance = kFoldTolerance};
    std::vector<std::optional<Rational>> last(parts_.size());
    double best = std::numeric_limits<double>::infinity();
    int idle = 0;
    for (Index n = 1; n <= orders && idle < kIdleOrders; ++n) {
      check_stop(stop);
      const auto fit = refine_part(parts_.front(), n, whole, last.front());
      Trial t = describe_trial(simulation ? "output_error" : "prediction_error", n, *fit);
      if (!simulation) t.parameters += n;
      score(c_, scorer_, t, [&](std::size_t f) -> std::optional<Rational> {
        const auto of_fold = refine_part(parts_[f + 1], n, fold, last[f + 1]);
        return of_fold ? std::optional(of_fold->model) : std::nullopt;
      });
      idle = t.score < best * kImproves ? 0 : idle + 1;
      best = std::min(best, std::isfinite(t.score) ? t.score : best);
      trials.push_back(std::move(t));
    }
  }

  const CvContext& c_;
  bool differenced_;
  const Regression& r_;
  FoldScorer scorer_;
  SubspaceSpec spec_;
  std::vector<Part> parts_;  ///< all rows, then without each fold
};

/// The order search as the findings tell it.
SearchResult search_of(const CvFinding& found, const Arx& best) {
  SearchResult search;
  search.best = best;
  for (const OrderScore& o : found.orders) {
    if (o.reason == "chosen") search.chosen = search.candidates.size();
    search.candidates.push_back({o.na, o.nb, o.lambda, o.differenced, o.parameters,
                                 o.score.value_or(std::nan("")), o.one_step.value_or(std::nan("")),
                                 o.reason});
  }
  return search;
}

/// Fitted by the error of the simulation, whose residual is not white.
bool takes_drift(const Trial& t) {
  return t.trainer == "output_error" && t.noise.ar.size() > 0;
}

/// Parameters of the predictor.
Index size_of(const Trial& t) {
  return t.parameters + t.noise.ar.size();
}

}  // namespace

Trial try_arx(const CvContext& c, const CvFinding& found) {
  const Regression& r = form_of(c, found.differenced);
  Trial t;
  t.trainer = "linear_arx";
  t.order = std::max<Index>(found.na, found.nb);
  t.parameters = found.parameters;
  t.differenced = found.differenced;
  const Structure s{found.na, std::max<Index>(found.nb, 1), c.inputs};
  const auto terms = s.terms(r.nu);
  const math::LagGram all = gram_of(r, s.max_lag(), {kEverything});
  const auto fit = [&](const math::LagGram& gram) -> std::optional<Rational> {
    const Normal normal = normal_of(r, gram);
    if (normal.rows <= s.parameters() + 1) return std::nullopt;
    Rational m;
    m.arx.structure = s;
    m.arx.theta = solve(normal, terms, {r.nu, 0}, {.lambda = found.lambda}).theta;
    m.arx.constant = constant_of(normal, terms, r.nu, m.arx.theta);
    m.arx.integrating = r.integrating;
    m.arx.differenced = r.differenced;
    return m;
  };
  t.fit = final_fit(r, search_of(found, fit(all)->arx));
  const FoldScorer scorer(*c.data, {c.cv}, c.history, c.horizon);
  score(c, scorer, t, [&](std::size_t f) {
    math::LagGram rest = all;
    rest.subtract(gram_of(r, all.max_lag(), widened(c.folds[f], c.history)));
    return fit(rest);
  });
  return t;
}

std::vector<Trial> try_subspace_and_refined(const CvContext& context, const Families& families,
                                            const std::stop_token& stop) {
  std::array<std::vector<Trial>, 2> of_form;
  const auto task = [&](Index i) {
    FormTrials(context, i == 1).run(families, stop, of_form[static_cast<std::size_t>(i)]);
  };
  math::parallel_for(2, task, context.threads);
  std::ranges::move(of_form[1], std::back_inserter(of_form[0]));
  return std::move(of_form[0]);
}

std::size_t choose_trial(std::vector<Trial>& trials, const Judged& judged) {
  const auto least = [&](const auto& counts) {
    std::size_t best = trials.size();
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (!std::isfinite(trials[i].loss) || !counts(trials[i])) continue;
      if (best == trials.size() || trials[i].loss < trials[best].loss) best = i;
    }
    return best;
  };
  const auto open = [](const Trial& t) { return t.reason.empty(); };
  for (Trial& t : trials) t.loss = open(t) ? combined_loss(t.folds, judged) : std::nan("");
  std::size_t best = least(open);
  if (best == trials.size()) {
    for (Trial& t : trials) {
      if (t.reason.empty()) t.reason = "no folds to judge it";
    }
    trials.front().reason = "chosen";
    return 0;
  }
  const auto errors_to = [&](std::size_t from, std::size_t to) {
    return from == to ? 0 : difference_in_errors(trials[from].folds, trials[to].folds, judged);
  };
  const std::size_t other = least([&](const Trial& t) { return open(t) && !takes_drift(t); });
  if (other < trials.size() && errors_to(best, other) <= kWithinErrors) {
    for (Trial& t : trials) {
      if (open(t) && takes_drift(t)) t.reason = "not clearly better than one that models the noise";
    }
    best = other;
  }
  std::size_t chosen = best;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    Trial& t = trials[i];
    if (!open(t)) continue;
    const bool close =
        errors_to(best, i) <= kWithinErrors && t.loss <= kWithinShare * trials[best].loss;
    t.reason = close ? "within its standard error but larger" : "worse";
    if (close && size_of(t) < size_of(trials[chosen])) chosen = i;
  }
  trials[chosen].reason = "chosen";
  return chosen;
}

model::LinearStateSpace realise_trials(const std::vector<const Trial*>& trials,
                                       const TrainingData& data) {
  std::vector<Arx> arxs;
  std::vector<FinalFit> fits;
  std::vector<Noise> noise;
  for (const Trial* t : trials) {
    arxs.push_back(t->fit.arx);
    fits.push_back(t->fit);
    noise.push_back(t->noise);
  }
  return realise(arxs, data, innovation_covariance(fits), noise);
}

}  // namespace flyball::identify
