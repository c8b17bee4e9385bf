#pragma once
// What a dataset is asked to be: the recipe that is hashed with the data (platform.md §2.4.1, 2.5).
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"
#include "math/plug_flow.h"
#include "plant/records.h"

namespace flyball::dataset {

using plant::Role;

enum class Part { train, val, test };
constexpr auto enum_names(Part) {
  return std::array<std::string_view, 3>{"train", "val", "test"};
}

enum class Purpose { mpc_surrogate, quality_predict };
constexpr auto enum_names(Purpose) {
  return std::array<std::string_view, 2>{"mpc_surrogate", "quality_predict"};
}

/// series: arrays per run on the beat grid. windows: the arrays of platform.md §2.4.2 item 10 as
/// well.
enum class Materialize { series, windows };
constexpr auto enum_names(Materialize) {
  return std::array<std::string_view, 2>{"series", "windows"};
}

/// model value = source value · scale + offset. Both must be declared: there is no default 1 and 0.
struct Variable {
  std::string id;       ///< short tag name
  std::string node_id;  ///< LINE/TAG
  Role role = Role::mv;
  std::string unit;
  std::string model_unit;
  std::optional<double> scale;
  std::optional<double> offset;
  double delay_ms = 0;
  bool stepped = false;      ///< held between samples (set-points, valves); MVs are by default
  bool integrating = false;  ///< a CV declared as a level
  std::optional<double> min, max;       ///< physical range in source units; outside is dropped
  std::optional<double> resolution;     ///< declared quantum of the sensor, source units
  std::optional<double> max_interp_ms;  ///< default 3·beat
  std::optional<double> max_hold_ms;    ///< default none
  std::string mode_tag;  ///< short name of the digital tag of the loop's mode; empty: not looked at
  std::vector<std::string> modes;  ///< its texts in which samples are kept, such as AUTO
  std::optional<math::TransportDelay> transport;  ///< of an MV or DV: plug flow to the CVs

  static constexpr auto fields() {
    return FieldList{
        field("id", &Variable::id, "short tag name, unique in the spec").required(),
        field("nodeId", &Variable::node_id, "LINE/TAG").required(),
        field("role", &Variable::role, "manipulated, controlled or disturbance variable")
            .required(),
        field("unit", &Variable::unit, "unit of the stored samples"),
        field("modelUnit", &Variable::model_unit, "unit inside the model"),
        field("scale", &Variable::scale, "model value = source value * scale + offset; not 0"),
        field("offset", &Variable::offset, "see scale"),
        field("delayMs", &Variable::delay_ms, "declared dead time to every CV")
            .range(0, 8.64e10)
            .unit("ms"),
        field("stepped", &Variable::stepped, "held between samples"),
        field("integrating", &Variable::integrating, "a CV that is a level"),
        field("min", &Variable::min, "lowest value that is believed, source units"),
        field("max", &Variable::max, "highest value that is believed, source units"),
        field("resolution", &Variable::resolution, "quantum of the sensor, source units"),
        field("maxInterpMs", &Variable::max_interp_ms,
              "longest gap that is interpolated; default 3 beats")
            .unit("ms"),
        field("maxHoldMs", &Variable::max_hold_ms,
              "longest hold of a stepped tag; default without limit")
            .unit("ms"),
        field("modeTag", &Variable::mode_tag, "digital tag that holds the mode of the loop"),
        field("modes", &Variable::modes, "modes in which samples are kept, such as AUTO")
            .max_length(64),
        field("transport", &Variable::transport,
              "an MV or DV that reaches the CVs in plug flow: its column is what leaves the pipe")};
  }
};

struct Window {
  std::int64_t history_steps = 30;  ///< H
  std::int64_t horizon_steps = 60;  ///< F
  static constexpr auto fields() {
    return FieldList{
        field("historySteps", &Window::history_steps, "rows of history before the first prediction")
            .range(1, 2048)
            .unit("steps"),
        field("horizonSteps", &Window::horizon_steps, "steps predicted")
            .range(1, 512)
            .unit("steps")};
  }
};

struct Cleaning {
  std::int64_t hampel_k = 5;
  std::optional<double> max_interp_ms;
  double max_drop_ratio = 0.3;
  std::optional<double> max_gap_ms;
  static constexpr auto fields() {
    return FieldList{field("hampelK", &Cleaning::hampel_k, "radius of the spike window; 0 is off")
                         .range(0, 100)
                         .unit("samples"),
                     field("maxInterpMs", &Cleaning::max_interp_ms,
                           "longest gap that is interpolated; default 3 beats")
                         .unit("ms"),
                     field("maxDropRatio", &Cleaning::max_drop_ratio,
                           "a run with a larger share of missing cells is dropped")
                         .range(0, 1),
                     field("maxGapMs", &Cleaning::max_gap_ms,
                           "a longer time without any sample cuts a run in segments; default 10 "
                           "times the usual distance between steps with a sample")
                         .unit("ms")};
  }
};

/// The train part is what val and test leave.
struct Split {
  double val_ratio = 0.25;
  double test_ratio = 0.25;
  std::int64_t seed = 42;
  static constexpr auto fields() {
    return FieldList{
        field("valRatio", &Split::val_ratio, "share of the val part").range(0, 0.8),
        field("testRatio", &Split::test_ratio, "share of the test part").range(0, 0.8),
        field("seed", &Split::seed, "seed of the shuffle of runs").range(0, 4294967295.0)};
  }
};

/// A stretch that a person marked, as the build follows it (dataset/marks.h).
struct MarkedStretch {
  plant::MarkKind kind = plant::MarkKind::bad;
  std::string variable;  ///< id; empty: all
  TimeUs from_us = 0, to_us = 0;
  static constexpr auto fields() {
    using M = MarkedStretch;
    return FieldList{field("kind", &M::kind, "bad, steady or batch").required(),
                     field("variable", &M::variable, "only this variable; empty: all"),
                     field("fromUs", &M::from_us, "begin").unit("us").required(),
                     field("toUs", &M::to_us, "end, exclusive").unit("us").required()};
  }
};

struct Spec {
  std::string line_id, product_id, recipe_id;
  std::vector<std::string> run_ids;  ///< empty: all finished runs of the recipe
  std::vector<Variable> variables;   ///< 2..64, ids and nodes unique, ≥ 1 MV and ≥ 1 CV
  std::optional<std::int64_t> from_us, to_us;
  double beat_ms = 0;
  Window window;
  Cleaning cleaning;
  std::vector<MarkedStretch> marks;
  Split split;
  Purpose purpose = Purpose::mpc_surrogate;
  Materialize materialize = Materialize::series;
  std::string note;

  static constexpr auto fields() {
    return FieldList{
        field("lineId", &Spec::line_id, "line").required(),
        field("productId", &Spec::product_id, "product").required(),
        field("recipeId", &Spec::recipe_id, "recipe").required(),
        field("runIds", &Spec::run_ids, "runs to use; empty: all of the recipe").max_length(200),
        field("variables", &Spec::variables, "tags with their roles").required().max_length(64),
        field("fromUs", &Spec::from_us, "first time used").unit("us"),
        field("toUs", &Spec::to_us, "first time not used").unit("us"),
        field("beatMs", &Spec::beat_ms, "length of a step")
            .range(0.001, 86'400'000)
            .unit("ms")
            .required(),
        field("window", &Spec::window, "history and horizon"),
        field("cleaning", &Spec::cleaning, "what is dropped and filled"),
        field("marks", &Spec::marks, "stretches that people marked").max_length(10'000),
        field("split", &Spec::split, "train, val and test"),
        field("purpose", &Spec::purpose, "what the dataset is for"),
        field("materialize", &Spec::materialize, "series, or windows as well for users' code"),
        field("note", &Spec::note, "free text").max_length(2000)};
  }
};

/// Throws SPEC_INVALID with every problem; UNIT_CONTRACT_INVALID when all that is wrong is a scale
/// or offset that is absent, not finite or 0; NODE_LINE_MISMATCH for a node of another line.
void validate(const Spec& spec, bool needs_mv = true);

/// The same dataset asked for in the one order: variables by role (MVs, DVs, CVs), then by node;
/// run ids and modes ascending, each once. build() does this, so that permuted input gives equal
/// bytes.
Spec canonical_order(Spec spec);

/// The length of a step in whole microseconds.
DurationUs beat_us(const Spec& spec);

/// Milliseconds of a contract as whole microseconds; what is above 31 000 years is that.
DurationUs to_us(double ms);
std::optional<DurationUs> to_us(const std::optional<double>& ms);

}  // namespace flyball::dataset
