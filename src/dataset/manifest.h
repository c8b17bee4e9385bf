#pragma once
// The contract of a dataset folder (platform.md §2.4.3, decisions.md §2 Series and windows). No
// clock and no random id: the same data give the same bytes.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "dataset/build.h"

namespace flyball::dataset {

enum class DataKind { dynamic };
constexpr auto enum_names(DataKind) {
  return std::array<std::string_view, 1>{"dynamic"};
}

struct UnitContract {
  std::string id, node_id;
  Role role = Role::mv;
  std::string unit, model_unit;
  double scale = 1, offset = 0, delay_ms = 0;
  static constexpr auto fields() {
    using U = UnitContract;
    return FieldList{field("id", &U::id, "short tag name"),
                      field("nodeId", &U::node_id, "LINE/TAG"),
                      field("role", &U::role, "role"),
                      field("unit", &U::unit, "source unit"),
                      field("modelUnit", &U::model_unit, "model unit"),
                      field("scale", &U::scale, "model value = source value * scale + offset"),
                      field("offset", &U::offset, "see scale"),
                      field("delayMs", &U::delay_ms, "declared dead time").unit("ms")};
  }
};

/// Files of one run: values steps × nAll float64 row-major, mask uint8 of the same shape, t int64
/// µs; little-endian.
struct SeriesFiles {
  std::string run_id;
  std::int64_t steps = 0;
  std::string values, mask, t;
  static constexpr auto fields() {
    using S = SeriesFiles;
    return FieldList{field("runId", &S::run_id, "run"), field("steps", &S::steps, "rows"),
                      field("values", &S::values, "steps x nAll float64"),
                      field("mask", &S::mask, "steps x nAll: 0 missing, 1 observed, 2 filled"),
                      field("t", &S::t, "start of each step, us")};
  }
};

/// Every file but spec.json, manifest.json and report.json. Windows form only: x, u, y of float32
/// in shape order, timestamps float64 (ms) and mask float32, both windows × (H + F).
struct Artifacts {
  std::optional<std::string> x, u, y, timestamps, mask;
  std::string sidecar;
  std::vector<SeriesFiles> series;
  static constexpr auto fields() {
    using A = Artifacts;
    return FieldList{
        field("x", &A::x, "normalised history of all variables"),
        field("u", &A::u, "normalised MVs over the horizon"),
        field("y", &A::y, "normalised CVs over the horizon"),
        field("timestamps", &A::timestamps, "start of each step of a window").unit("ms"),
        field("mask", &A::mask, "1 observed, 2 where any column of the step was filled"),
        field("sidecar", &A::sidecar, "units, order and delays for serving"),
        field("series", &A::series, "per run")};
  }
};

/// Of the windows form.
struct Shapes {
  std::vector<std::int64_t> x, u, y;
  static constexpr auto fields() {
    return FieldList{field("x", &Shapes::x, "windows, H, variables"),
                      field("u", &Shapes::u, "windows, F, MVs"),
                      field("y", &Shapes::y, "windows, F, CVs")};
  }
};

struct SplitRecord {
  std::int64_t train = 0, val = 0, test = 0;
  std::vector<std::string> train_run_ids, val_run_ids, test_run_ids;
  std::vector<Block> blocks;
  static constexpr auto fields() {
    using S = SplitRecord;
    return FieldList{field("train", &S::train, "windows"),
                      field("val", &S::val, "windows"),
                      field("test", &S::test, "windows"),
                      field("trainRunIds", &S::train_run_ids, "runs with train blocks"),
                      field("valRunIds", &S::val_run_ids, "runs with val blocks"),
                      field("testRunIds", &S::test_run_ids, "runs with test blocks"),
                      field("blocks", &S::blocks, "ordered train, val, test")};
  }
};

/// x: all variables in order; u: MVs; y: CVs.
struct NormRecord {
  Norm x, u, y;
  static constexpr auto fields() {
    return FieldList{field("x", &NormRecord::x, "all variables"),
                      field("u", &NormRecord::u, "MVs"), field("y", &NormRecord::y, "CVs")};
  }
};

struct CleaningPolicy {
  QualityPolicy quality = QualityPolicy::drop_bad_keep_uncertain;
  std::int64_t spike_radius = 0;
  double spike_factor = 5;
  std::int64_t spike_longest = 2;
  double max_drop_ratio = 0;
  std::optional<double> max_gap_ms;
  std::map<std::string, std::vector<std::string>> modes;
  static constexpr auto fields() {
    using C = CleaningPolicy;
    return FieldList{
        field("quality", &C::quality, "which samples are kept"),
        field("spikeRadius", &C::spike_radius, "k of sloped CVs and DVs; 0: off"),
        field("spikeFactor", &C::spike_factor, "distance from the median, in robust sigmas"),
        field("spikeLongest", &C::spike_longest, "samples").unit("samples"),
        field("maxDropRatio", &C::max_drop_ratio, "largest share of missing cells of a run"),
        field("maxGapMs", &C::max_gap_ms,
              "longest time without a sample inside a segment; absent: 10 times the usual one")
            .unit("ms"),
        field("modes", &C::modes, "modes of the loop in which samples were kept, by variable")};
  }
};

struct ProvenanceRecord {
  std::string line_id, product_id, recipe_id;
  std::optional<std::int64_t> recipe_version;
  std::vector<std::string> run_ids;
  std::string recipe_content_hash;
  std::string evidence_source;
  std::optional<double> availability_watermark, captured_at;  ///< ms since 1970
  int lineage_verified = 0;
  Lineage run_lineage;
  std::vector<DroppedRun> runs_dropped;
  static constexpr auto fields() {
    using P = ProvenanceRecord;
    return FieldList{
        field("lineId", &P::line_id, "line"),
        field("productId", &P::product_id, "product"),
        field("recipeId", &P::recipe_id, "recipe"),
        field("recipeVersion", &P::recipe_version, "version of the recipe").nullable(),
        field("runIds", &P::run_ids, "runs used"),
        field("recipeContentHash", &P::recipe_content_hash, "of the recipe, when known"),
        field("evidenceSource", &P::evidence_source, "simulation, real or unassessed"),
        field("availabilityWatermark", &P::availability_watermark, "every tag has data up to here")
            .unit("ms")
            .nullable(),
        field("capturedAt", &P::captured_at, "newest sample time of the data")
            .unit("ms")
            .nullable(),
        field("lineageVerified", &P::lineage_verified, "1 when every run's recipe is confirmed"),
        field("runLineage", &P::run_lineage, "per run"),
        field("runsDropped", &P::runs_dropped, "runs that gave nothing")};
  }
};

struct Manifest {
  std::int64_t version = 2;
  Materialize materialize = Materialize::series;
  DataKind data_kind = DataKind::dynamic;
  Spec spec;
  std::string spec_hash;
  std::optional<std::int64_t> spec_version;
  std::vector<std::string> all_nodes, control_nodes, target_nodes, feature_nodes;
  std::vector<UnitContract> variables;
  std::optional<Shapes> shapes;
  SplitRecord split;
  NormRecord norm;
  double beat_ms = 0;
  std::int64_t row_count = 0, window_count = 0;
  CleaningPolicy cleaning;
  Artifacts artifacts;
  ProvenanceRecord provenance;
  static constexpr auto fields() {
    using M = Manifest;
    return FieldList{
        field("version", &M::version, "2"),
        field("materialize", &M::materialize, "series or windows"),
        field("dataKind", &M::data_kind, "dynamic"),
        field("spec", &M::spec, "as asked for"),
        field("specHash", &M::spec_hash, "sha256 of spec.json"),
        field("specVersion", &M::spec_version, "version of the stored spec").nullable(),
        field("allNodes", &M::all_nodes, "columns in order"),
        field("controlNodes", &M::control_nodes, "MVs"),
        field("targetNodes", &M::target_nodes, "CVs"),
        field("featureNodes", &M::feature_nodes, "DVs"),
        field("variables", &M::variables, "units"),
        field("shapes", &M::shapes, "of x, u and y in windows form"),
        field("split", &M::split, "parts and blocks"),
        field("norm", &M::norm, "of the train rows"),
        field("beatMs", &M::beat_ms, "length of a step").unit("ms"),
        field("rowCount", &M::row_count, "unique usable time steps after the purge"),
        field("windowCount", &M::window_count, "overlapping windows"),
        field("cleaning", &M::cleaning, "policy used"),
        field("artifacts", &M::artifacts, "files"),
        field("provenance", &M::provenance, "what the data came from")};
  }
};

/// What serving needs beside a model.
struct Sidecar {
  std::map<std::string, double> delays;  ///< variable id → ms
  std::vector<UnitContract> units;
  std::vector<std::string> variable_order;
  std::string trainer_ref, condition_id, recipe_content_hash, evidence_source;
  std::optional<double> availability_watermark;
  std::map<std::string, std::vector<std::string>> split_run_ids;
  static constexpr auto fields() {
    using S = Sidecar;
    return FieldList{
        field("delays", &S::delays, "by variable").unit("ms"),
        field("units", &S::units, "by variable"),
        field("variableOrder", &S::variable_order, "columns"),
        field("trainerRef", &S::trainer_ref, "empty: any trainer of the data kind"),
        field("conditionId", &S::condition_id, "operating condition"),
        field("recipeContentHash", &S::recipe_content_hash, "of the recipe, when known"),
        field("evidenceSource", &S::evidence_source, "simulation, real or unassessed"),
        field("availabilityWatermark", &S::availability_watermark, "every tag has data up to here")
            .unit("ms")
            .nullable(),
        field("splitRunIds", &S::split_run_ids, "runs per part")};
  }
};

/// From the spec, blocks, norm and report; the series are not looked at. `spec_hash` is the sha256
/// of spec.json.
Manifest manifest_of(const Built& built, std::string spec_hash);
Sidecar sidecar_of(const Manifest& manifest, const Built& built);

SeriesFiles series_files(const std::string& run_id, std::int64_t steps);

/// A run id as a file name: letters, digits, '-', '_' and inner '.' stay, other bytes become %XX; a
/// long one is cut and completed by its hash. Distinct for distinct ids.
std::string file_name_of(const std::string& run_id);

}  // namespace flyball::dataset
