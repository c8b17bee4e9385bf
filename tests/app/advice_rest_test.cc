// Where the plant should rest, from the profile to the card.
#include "app/advice_fixture.h"

namespace flyball::app {
namespace {

class RestTest : public AdviceTest {
 protected:
  /// Wanted is what u1 alone would do at 1.6 amplitudes; train reached one.
  Json far() const {
    Json out = content(model_);
    const Matrix k = test_.plant.gains();
    for (Index i = 0; i < 2; ++i)
      out["cv"][static_cast<std::size_t>(i)]["ref"] =
          test_.plant.y0[static_cast<std::size_t>(i)] + 1.6 * test_.amplitude * k(i, 0);
    return out;
  }
  Json solved(const Json& profile) {
    line_.emplace(test_);
    go_live(*line_);
    bind(profile);
    return call("optimize solve", {{"id", binding_}});
  }
  std::optional<SimulatedLine> line_;
};

TEST_F(RestTest, TargetsThatCannotBeMetRestAtTheClosestReachablePoint) {
  const Json card = solved(far());
  ASSERT_TRUE(card["advice"].get<bool>()) << card.dump(1);
  const Json record = call("optimize solve-record", {{"id", card["runId"]}})["run"];
  const Json& problem = record["problemIr"];
  const Json& rest = record["result"]["rest"];
  ASSERT_TRUE(rest["found"].get<bool>());
  EXPECT_TRUE(rest["verified"].get<bool>());

  // The true plant's closest point over the box of train, in train deviations, u1 at its border.
  const Matrix k = test_.plant.gains();
  const double amp = test_.amplitude;
  const auto std = [&](int j) { return problem["cv"][j]["train"]["std"].get<double>(); };
  double above = 0, below = 0;
  for (int j = 0; j < 2; ++j) {
    above += k(j, 1) * 0.6 * k(j, 0) / (std(j) * std(j));
    below += k(j, 1) * k(j, 1) / (std(j) * std(j));
  }
  const double u2 = above / below;
  ASSERT_LT(u2, 0.9) << "inside its box";
  EXPECT_NEAR(rest["u"][0].get<double>(), test_.plant.u0[0] + amp, 1e-6);
  EXPECT_NEAR(rest["u"][1].get<double>(), test_.plant.u0[1] + u2 * amp, 0.1 * amp);
  for (int j = 0; j < 2; ++j)
    EXPECT_NEAR(rest["y"][j].get<double>(),
                test_.plant.y0[static_cast<std::size_t>(j)] + amp * (k(j, 0) + u2 * k(j, 1)),
                0.1 * amp * (std::abs(k(j, 0)) + std::abs(k(j, 1))));

  // The plan ends there, and the card tells it.
  const Json controls = advised(card)["controls"];
  EXPECT_NEAR(controls.back()[0].get<double>(), rest["u"][0].get<double>(), 0.05 * amp);
  EXPECT_NEAR(controls.back()[1].get<double>(), rest["u"][1].get<double>(), 0.1 * amp);
  ASSERT_EQ(card["rest"].size(), 4u);
  EXPECT_EQ(card["rest"][2]["varId"], "y1");
  EXPECT_LT(card["rest"][2]["value"].get<double>(), card["rest"][2]["wanted"].get<double>());
  const std::string told = card["atRest"].dump();
  EXPECT_NE(told.find("REST_REFERENCE"), std::string::npos) << told;
  EXPECT_NE(told.find("u1.max"), std::string::npos) << told;
  EXPECT_NE(told.find("REST_BINDS"), std::string::npos) << told;
  const Json plan = call("optimize plan", {{"id", card["recommendationId"]}});
  EXPECT_NEAR(plan["mvs"][0]["rest"].get<double>(), rest["u"][0].get<double>(), 1e-9);
}

TEST_F(RestTest, AnotherRestingPointThanTheStoredModelHasIsRefused) {
  const Json card = solved(far());
  ASSERT_TRUE(card["advice"].get<bool>()) << card.dump(1);
  const auto refused = [&](const std::function<void(Json&)>& change) {
    spoil = [&](Json& answer) { change(answer["rest"]); };
    const Json now = call("optimize solve", {{"id", binding_}});
    EXPECT_FALSE(now["advice"].get<bool>());
    EXPECT_EQ(now["noAdvice"]["code"], "VERIFY_FAILED") << now.dump(1);
  };
  for (const char* what : {"u", "y", "x"}) {
    for (const std::size_t i : {0u, 1u}) {
      refused([&](Json& rest) { rest[what][i] = rest[what][i].get<double>() + 0.05; });
    }
  }
  refused([](Json& rest) { rest["cost"] = 0; });
  refused([](Json& rest) { rest["prices"] = Json::array(); });
  refused([](Json& rest) { rest["found"] = false; });
  spoil = [](Json& answer) { answer.erase("rest"); };
  EXPECT_FALSE(call("optimize solve", {{"id", binding_}})["advice"].get<bool>());
}

/// A price moves the plant where references leave it free.
TEST_F(RestTest, APriceMovesWhatTheReferencesLeaveFree) {
  Json profile = content(model_);
  profile["cv"] = Json::array({{{"varId", "y1"},
                                {"role", "band"},
                                {"softMin", test_.plant.y0[0] - 0.3},
                                {"softMax", test_.plant.y0[0] + 0.3}}});
  profile["mv"][1]["price"] = 1;
  const Json card = solved(profile);
  ASSERT_TRUE(card["advice"].get<bool>()) << card.dump(1);
  ASSERT_EQ(card["moves"].size(), 2u) << card.dump(1);
  EXPECT_LT(card["moves"][1]["rest"].get<double>(), test_.plant.u0[1] - 0.5 * test_.amplitude);
  EXPECT_GT(card["moves"][0]["rest"].get<double>(), test_.plant.u0[0]) << "y1 stays in its band";
}

TEST_F(RestTest, IsLeftOutWhereAProfileSaysSo) {
  Json profile = far();
  profile["solver"]["steadyState"] = "off";
  const Json card = solved(profile);
  ASSERT_TRUE(card["advice"].get<bool>()) << card.dump(1);
  EXPECT_TRUE(card["rest"].empty());
  EXPECT_FALSE(
      call("optimize solve-record", {{"id", card["runId"]}})["run"]["result"].contains("rest"));
}

}  // namespace
}  // namespace flyball::app
