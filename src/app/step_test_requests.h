#pragma once
// Request and answer of planning a step test.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"

namespace flyball::app {

struct StepTestRequest {
  std::vector<std::string> mv, cv, pair;
  std::optional<std::string> model, out;
  std::optional<DurationUs> beat;
  double precision = 0.05;
  std::optional<std::int64_t> steps;
  std::int64_t seed = 1;
  static constexpr std::string_view kOutputFile = "out";
  static constexpr auto fields() {
    using R = StepTestRequest;
    return FieldList{
        field("mv", &R::mv, "NAME=NOW,LOW,HIGH or NAME=NOW,LOW,HIGH,MAXMOVE; repeat for more")
            .required(),
        field("cv", &R::cv, "NAME=NOW,LOW,HIGH,NOISE; NOISE is a standard deviation; repeat")
            .required(),
        field(
            "pair", &R::pair,
            "MV:CV=GAIN,TAU,THETA: rough gain, time constant and dead time in seconds; of a level "
            "(integrating) MV:CV=RATE,THETA, its rate of change per unit of the MV and second; "
            "repeat"),
        field("model", &R::model, "registered model that gives the pairs which no --pair names"),
        field("beat", &R::beat, "length of a step; default: the model's").unit("us"),
        field("precision", &R::precision, "standard error of every gain, as a share of the gain")
            .range(0.001, 1),
        field("steps", &R::steps, "length; default: what the precision takes")
            .range(10, 50000)
            .unit("steps"),
        field("seed", &R::seed, "of the signals").range(0, 4000000),
        field("out", &R::out, "file of set values; default: step-test.csv")};
  }
};

struct PlannedMove {
  std::string mv;
  double now = 0, amplitude = 0;
  std::int64_t moves = 0;
  static constexpr auto fields() {
    using P = PlannedMove;
    return FieldList{field("mv", &P::mv, "manipulated variable"),
                      field("now", &P::now, "centre of its moves"),
                      field("amplitude", &P::amplitude, "it is set to now ± this"),
                      field("moves", &P::moves, "changes of the set value")};
  }
};

struct PlannedAnswer {
  std::string cv;
  double lowest = 0, highest = 0, low = 0, high = 0, worst = 0;
  static constexpr auto fields() {
    using P = PlannedAnswer;
    return FieldList{field("cv", &P::cv, "controlled variable"),
                      field("lowest", &P::lowest, "of the simulated answer, without noise"),
                      field("highest", &P::highest, "of the simulated answer, without noise"),
                      field("low", &P::low, "limit"),
                      field("high", &P::high, "limit"),
                      field("worst", &P::worst, "farthest from now that any such moves reach")};
  }
};

struct PlannedGain {
  std::string mv, cv;
  double gain = 0, std_error = 0, relative = 0;
  static constexpr auto fields() {
    using P = PlannedGain;
    return FieldList{field("mv", &P::mv, "manipulated variable"),
                      field("cv", &P::cv, "controlled variable"),
                      field("gain", &P::gain, "rough gain; of a level, its rate per second"),
                      field("stdError", &P::std_error, "standard error to expect after the test"),
                      field("relative", &P::relative, "over the gain")};
  }
};

struct StepTestResponse {
  std::string file;
  std::int64_t steps = 0;
  double duration = 0;
  std::int64_t switch_steps = 0, settling_steps = 0;
  double correlation = 0;
  bool precision_reached = false;
  std::vector<PlannedMove> moves;
  std::vector<PlannedAnswer> answers;
  std::vector<PlannedGain> gains;
  std::string note;
  std::optional<std::string> csv;
  static constexpr auto fields() {
    using R = StepTestResponse;
    return FieldList{
        field("file", &R::file, "set values to follow, one row a step"),
        field("steps", &R::steps, "rows").unit("steps"),
        field("duration", &R::duration, "of the test").unit("s"),
        field("switchSteps", &R::switch_steps,
              "mean time between moves; the longest move of an MV that moves a level")
            .unit("steps"),
        field("settlingSteps", &R::settling_steps, "of the slowest pair").unit("steps"),
        field("correlation", &R::correlation, "largest between two MVs within a settling time"),
        field("precisionReached", &R::precision_reached, "every gain as precise as asked"),
        field("moves", &R::moves, "per MV"),
        field("answers", &R::answers, "per CV"),
        field("gains", &R::gains, "per pair"),
        field("note", &R::note, "what to keep in mind"),
        field("csv", &R::csv, "the set values themselves, where no file is written")};
  }
};

}  // namespace flyball::app
