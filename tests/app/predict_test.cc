// A prediction is the evaluator's rollout, bit for bit, whichever way the values come.
#include <gtest/gtest.h>

#include <fstream>

#include "app/app.h"
#include "evaluate/load_model.h"
#include "model/models.h"
#include "registry/registry.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::app {
namespace {

constexpr Index kHistory = 30, kHorizon = 10;

std::string model_file() {
  model::Artifact a;
  a.dataset_sha256 = std::string(64, 'a');
  a.beat_ms = 80;
  a.history_steps = kHistory;
  a.horizon_steps = kHorizon;
  a.variables = {{"U", "mv", "%", 1, 0.5, 0, 2},
                 {"W", "dv", "K", 2, 1, 0, 4},
                 {"Y1", "cv", "K", 10, 1, 8, 12},
                 {"Y2", "cv", "K", -4, 1, -6, -2}};
  a.seed = 42;
  a.trainer_version = "linear_arx@1 test";
  model::pack(model::two_by_two(), a);
  return model::write_artifact(a);
}

class PredictTest : public ::testing::Test {
 protected:
  PredictTest() {
    app_.create();
    add("mdl-1");
  }

  void add(const std::string& id) {
    store::Database db(folder_ / "flyball.db");
    registry::Registry registry(db, folder_ / "models");
    registry.add_dataset({"ds-1", "ab", "L", "P", "R", 700, Json::object(), 5});
    registry::ExperimentRow x;
    x.id = "exp-" + id;
    x.dataset_id = "ds-1";
    x.trainer = "linear_arx@1";
    registry::ModelRow m{
        id,     x.id, "ds-1", "L", "P", "R", registry::Stage::candidate, "linear_state_space@1",
        "cafe", {},   "",     7};
    registry.place_model(
        m, {{"model.json", model_file()}, {"uq.json", R"({"reason":"too few runs","uq":null})"}});
    registry.add_model(x, m);
  }

  /// Rows [t − H, t + F): all inputs and the CVs of the history; DVs held as in a rollout.
  [[nodiscard]] PredictRequest request(Index t) const {
    PredictRequest r;
    r.id = "mdl-1";
    const auto column = [&](const Matrix& m, Index c, Index from, Index rows) {
      const Vector v = m.col(c).segment(from, rows);
      return std::vector<double>(v.begin(), v.end());
    };
    r.history = {{"U", column(record_.u, 0, t - kHistory, kHistory)},
                 {"W", column(record_.u, 1, t - kHistory, kHistory)},
                 {"Y1", column(record_.y, 0, t - kHistory, kHistory)},
                 {"Y2", column(record_.y, 1, t - kHistory, kHistory)}};
    r.plan = {{"U", column(record_.u, 0, t, kHorizon)}};
    return r;
  }

  /// What the evaluator predicts there.
  [[nodiscard]] Matrix evaluated(Index t) const {
    dataset::Series series;
    series.values.resize(record_.u.rows(), 4);
    series.values << record_.u, record_.y;
    const evaluate::Layout columns{{0, 1}, {2, 3}, 1};
    model::Record window;
    evaluate::copy_window(series, columns, t, kHistory, kHorizon, evaluate::Disturbances::held,
                          window);
    Matrix out(kHorizon, 2);
    evaluate::load_model("linear_state_space@1", model_file())
        .predict(window, kHistory, kHorizon, out);
    return out;
  }

  testing::TempFolder folder_;
  SystemClock clock_;
  App app_{{folder_.path(), "test"}, clock_};
  model::Record record_ = model::some_record(120);
};

TEST_F(PredictTest, IsTheRolloutOfTheEvaluatorBitForBit) {
  for (const Index t : {kHistory, kHistory + 1, Index{77}, Index{110}}) {
    const Matrix expected = evaluated(t);
    // Through the text of a request and of an answer, as over HTTP.
    const auto asked =
        parse_record<PredictRequest>(Json::parse(canonical(to_json_value(request(t)))));
    const Json answer = Json::parse(canonical(to_json_value(app_.predict(asked, {}))));
    for (Index j = 0; j < 2; ++j) {
      const Json& values = answer["forecast"][static_cast<std::size_t>(j)]["values"];
      ASSERT_EQ(values.size(), static_cast<std::size_t>(kHorizon));
      for (Index k = 0; k < kHorizon; ++k)
        EXPECT_EQ(values[static_cast<std::size_t>(k)].get<double>(), expected(k, j))
            << t << " " << k;
    }
  }
}

TEST_F(PredictTest, WithoutAPlanMvsStayAsTheyAre) {
  PredictRequest held = request(50), planned = request(50);
  held.plan.clear();
  planned.plan["U"] = std::vector<double>(kHorizon, held.history["U"].back());
  const auto a = app_.predict(held, {}), b = app_.predict(planned, {});
  EXPECT_EQ(to_json_value(a), to_json_value(b));
}

TEST_F(PredictTest, EveryProblemOfTheValuesIsNamed) {
  PredictRequest r = request(50);
  r.history.erase("Y2");
  r.history["Y3"] = {1};
  r.plan = {{"W", {1, 2}}};
  try {
    (void)app_.predict(r, {});
    FAIL();
  } catch (const Error& e) {
    std::vector<std::string> at;
    for (const Problem& p : e.problems()) at.push_back(p.pointer);
    EXPECT_EQ(at, (std::vector<std::string>{"/history/Y3", "/history/Y2", "/plan/W", "/plan/U"}));
  }
  r = request(50);
  r.history["U"].pop_back();
  EXPECT_ERROR((void)app_.predict(r, {}), "PREDICT_VALUES");
  r = request(50);
  for (auto& [tag, values] : r.history) values.erase(values.begin());
  EXPECT_ERROR((void)app_.predict(r, {}), "PREDICT_HISTORY_SHORT");
}

TEST_F(PredictTest, AModelThatIsLoadedIsNotReadAgain) {
  const auto before = app_.predict(request(50), {});
  std::filesystem::remove(folder_ / "models" / "mdl-1" / "model.json");
  EXPECT_EQ(to_json_value(app_.predict(request(50), {})), to_json_value(before));
  // Four others push it out.
  for (const char* id : {"mdl-2", "mdl-3", "mdl-4", "mdl-5"}) {
    add(id);
    PredictRequest other = request(50);
    other.id = id;
    (void)app_.predict(other, {});
  }
  EXPECT_ERROR((void)app_.predict(request(50), {}), "ARTIFACT_MISSING");
}

}  // namespace
}  // namespace flyball::app
