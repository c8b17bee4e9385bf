#pragma once
// The verdict. judge() computes nothing that evaluation measured: it compares with the limits and
// says why, in sentences. What is missing does not pass.
#include <optional>
#include <string>
#include <vector>

#include "core/words.h"
#include "evaluate/evaluate.h"
#include "gates/thresholds.h"

namespace flyball::gates {

/// From the job's contract, never from the files that a job wrote.
enum class ArtifactKind {
  linear_state_space,
  polynomial_narx,
  static_response,
  onnx_one_step,
  hybrid_manifest
};
constexpr auto enum_names(ArtifactKind) {
  return std::array<std::string_view, 5>{"linear_state_space@1", "polynomial_narx@1",
                                         "static_response@1", "onnx_one_step@1",
                                         "hybrid_manifest@1"};
}

/// What identification says of an input.
struct InputEvidence {
  std::string id;
  bool is_mv = true;
  bool excited = false;  ///< moved enough in train (decisions.md, Excitation)
  std::int64_t moves = 0;
  bool left_out = false;           ///< of the model
  bool computed_from_cvs = false;  ///< feedback without excitation
  std::string loop_cv = {};        ///< CV that the MV answers most
  double mv_move = 0;              ///< moves that would stand out, model units; 0: not known
  double cv_move = 0;              ///< of the set-point
};

/// A dead time that identification looked for.
struct PairEvidence {
  std::string input, cv;
  std::optional<std::int64_t> dead_time_steps;  ///< absent: no answer found
  bool sign_known = true;  ///< false: an MV in a loop whose gain has either sign
  /// Of the model; absent: not judged. `gain_known` false: the 95 % range holds 0 and is wide.
  std::optional<double> gain = {}, gain_low = {}, gain_high = {};
  bool gain_known = true;
  /// Time constant of the answer when it is so long that the record holds no third of it.
  std::optional<double> unseen_steps = {};
};

/// What identification says of a CV.
struct CvEvidence {
  std::string id;
  bool integrating = false;             ///< declared a level
  bool integrated_disturbance = false;  ///< the model carries one for this CV
  std::optional<double> noise_floor;    ///< cross-validated one-step NRMSE of the high-order ARX
  bool settles_by_itself = false;       ///< declared a level, and the data say that it is none
};

/// Two MVs that moved together, one of which is not in the model.
struct TogetherEvidence {
  std::string left_out, kept;
  /// The move of the first that would tell them apart: up, held and back; steps 0: not known.
  double step = 0;
  std::int64_t steps = 0, moves = 1;
  bool both_in = false;  ///< the first is in the model too, its gain means nothing
};

/// What became of a prior that the engineer stated.
struct PriorEvidence {
  std::string prior, status;  ///< as identification says it; "impossible" fails
  std::optional<double> estimate, low, high;
  std::string unit = {}, input = {}, cv = {};
};

/// An MV with a controller as declared, around the model: does the joined system settle?
struct LoopEvidence {
  std::string mv, cv;
  double radius = 0;                  ///< of the joined system
  std::optional<double> gain_margin;  ///< factor on the controller's gain at which it is 1
  bool record_in_loop = false;        ///< the record was taken in such a loop
};

struct GateInput {
  ArtifactKind kind = ArtifactKind::linear_state_space;
  std::optional<evaluate::Evaluation> evaluation;
  std::vector<InputEvidence> inputs;
  std::vector<PairEvidence> pairs;
  std::vector<CvEvidence> cvs;
  std::vector<TogetherEvidence> together;  ///< only where the gain of the other cannot be told
  std::vector<PriorEvidence> priors;
  std::vector<LoopEvidence> loops;  ///< declared controllers
  std::string model_json;           ///< bytes of the artifact
  std::string dataset_sha256;       ///< of the dataset that the model was trained on
  std::string artifact_hash;        ///< of the artifact to be registered
  std::uint32_t seed = 42;          ///< of the bootstrap
};

struct CvCheck {
  std::string cv;
  std::optional<double> value, threshold, reference;
  bool pass = false;
  static constexpr auto fields() {
    using C = CvCheck;
    return FieldList{
        field("cv", &C::cv, "controlled variable"),
        field("value", &C::value, "as the check's value, of this CV").nullable(),
        field("threshold", &C::threshold, "limit").nullable(),
        field("reference", &C::reference, "G1: noise floor; G2: persistence error; G3: val error")
            .nullable(),
        field("pass", &C::pass, "this CV alone; the mean over CVs decides G1-G3")};
  }
};

struct Check {
  std::string id, name;
  std::optional<double> value, threshold;
  std::string source = "default";
  bool pass = false;
  std::string detail;
  std::vector<Words> reasons;
  std::vector<CvCheck> per_cv;
  static constexpr auto fields() {
    using C = Check;
    return FieldList{
        field("id", &C::id, "G1-G5, stable, informative, sealed; priors when some were stated"),
        field("name", &C::name, "in words"),
        field("value", &C::value, "measured; null: missing").nullable(),
        field("threshold", &C::threshold, "limit").nullable(),
        field("source", &C::source, "where the limit comes from"),
        field("pass", &C::pass, "missing evidence does not pass"),
        field("detail", &C::detail, "the reasons as one text"),
        field("reasons", &C::reasons, "code, text and values of each"),
        field("perCv", &C::per_cv, "G1-G3 per CV")};
  }
};

struct GateReport {
  bool passed = false;
  std::vector<Check> checks;
  std::vector<Words> reasons;
  Thresholds thresholds;
  std::int64_t settings_version = 0;
  std::string policy;
  std::map<std::string, std::string> loosened;
  static constexpr auto fields() {
    using G = GateReport;
    return FieldList{
        field("passed", &G::passed, "all checks"),
        field("checks", &G::checks, "each"),
        field("reasons", &G::reasons, "of the failed checks; those of informative first"),
        field("thresholds", &G::thresholds, "values in force"),
        field("settingsVersion", &G::settings_version, "version of the live settings"),
        field("policy", &G::policy, "named set of rules"),
        field("loosened", &G::loosened, "written reasons by threshold")};
  }
};

/// Never throws for what a model or its evidence lacks: that is an answer.
[[nodiscard]] GateReport judge(const GateInput& input, const Thresholds& thresholds,
                               const Provenance& provenance = {});

}  // namespace flyball::gates
