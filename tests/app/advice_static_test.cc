// steady_response@1 from a study of operating points to an outcome.
#include "app/advice_fixture.h"

namespace flyball::app {
namespace {

/// A plant with a bent surface behind a lag of 6 minutes and 4 of dead time.
class BentPlant {
 public:
  static double y1(double u1, double u2) {
    const double a = u1 - 20, b = (u2 - 300) / 40;
    return 50 + 3 * a - 2 * b + 1.5 * a * a - 0.8 * a * b;
  }
  static double y2(double u1, double u2) { return 10 + (u1 - 20) + (u2 - 300) / 40; }
  explicit BentPlant(double sign = 1) : sign_(sign) {}

  std::array<double, 2> step(double u1, double u2, math::Random& random) {
    const double to[2] = {50 + sign_ * (y1(u1, u2) - 50), 10 + sign_ * (y2(u1, u2) - 10)};
    std::array<double, 2> out{};
    for (std::size_t i = 0; i < 2; ++i) {
      waiting_[i].push_back(to[i]);
      y_[i] = 0.85 * y_[i] + 0.15 * waiting_[i][waiting_[i].size() - 5];
      out[i] = y_[i] + 0.03 * random.normal();
    }
    return out;
  }

 private:
  double sign_;
  double y_[2] = {50, 10};
  std::vector<double> waiting_[2]{std::vector<double>(5, 50.0), std::vector<double>(5, 10.0)};
};

class StaticAdviceTest : public AdviceTest {
 protected:
  StaticAdviceTest() : AdviceTest(two_by_two_line(), false) {
    for (int r = 1; r <= 12; ++r) {
      BentPlant plant;
      double u1 = 20, u2 = 300;
      std::int64_t left = 0;
      for (int t = 0; t < 900; ++t) {
        if (left-- <= 0) {
          u1 = 20 + 0.5 * static_cast<double>(random_.index(5) - 2);
          u2 = 300 + 20 * static_cast<double>(random_.index(5) - 2);
          left = 50 + random_.index(50);
        }
        put(plant, "R" + std::to_string(100 + r), u1, u2);
      }
      now_ += 3600 * kSecond;
    }
    store();
    const Json study = call("study", {{"line", "L"},
                                      {"product", "P"},
                                      {"recipe", "R"},
                                      {"mv", {"u1", "u2"}},
                                      {"cv", {"y1", "y2"}},
                                      {"trainer", "static_response@1"}});
    if (!study.contains("model")) throw std::runtime_error(study.dump(1).substr(0, 4000));
    model_ = study["model"]["id"];
    promote();
  }
  void put(BentPlant& plant, const std::string& run, double u1, double u2, int rows = 1) {
    for (int i = 0; i < rows; ++i) {
      const auto y = plant.step(u1, u2, random_);
      csv_ += format_time(now_) + "," + run + "," + std::to_string(u1) + "," + std::to_string(u2) +
              "," + std::to_string(y[0]) + "," + std::to_string(y[1]) + "\n";
      now_ += kBeat;
    }
  }
  void go(BentPlant& plant) {
    now_ += 3600 * kSecond;
    put(plant, "live", 20, 300, 150);
    store();
  }
  /// y1 at 52.5 with y2 below 10.6: about (20.7, 300).
  Json profile() const {
    return {
        {"name", "steady"},
        {"template", "steady_response@1"},
        {"modelId", model_},
        {"mv",
         {{{"varId", "u1"}, {"min", 19}, {"max", 21}, {"maxMove", 2}, {"moveWeight", 0.001}},
          {{"varId", "u2"}, {"min", 260}, {"max", 340}, {"maxMove", 80}, {"moveWeight", 0.001}}}},
        {"cv",
         {{{"varId", "y1"}, {"ref", 52.5}},
          {{"varId", "y2"}, {"role", "band"}, {"softMax", 10.6}}}},
        {"horizon", 60}};
  }
  void bind_static() {
    profile_ = call("optimize profile create", {{"profile", profile()}})["id"];
    call("optimize profile activate", {{"id", profile_}});
    binding_ = call("optimize bind", {{"profile", profile_}})["id"];
  }
  Json carried_out(BentPlant& plant) {
    const Json card = call("optimize solve", {{"id", binding_}});
    EXPECT_TRUE(card["advice"].get<bool>()) << card.dump(1);
    const std::string id = card["recommendationId"];
    call("optimize accept", {{"id", id}, {"reason", "as said"}}, person("ann"));
    call("optimize applied", {{"id", id}}, person("ann"));
    const Json u = advised(card)["controls"][0];
    put(plant, "live", u[0].get<double>(), u[1].get<double>(), 80);
    store();
    return card;
  }
};

TEST_F(StaticAdviceTest, FromAStudyToAnOutcomeThatImproved) {
  EXPECT_EQ(call("optimize capabilities", Json::object())["templates"].size(), 2u);
  BentPlant plant;
  go(plant);
  bind_static();
  const Json card = carried_out(plant);
  const Json kept = advised(card);
  const double u1 = kept["controls"][0][0], u2 = kept["controls"][0][1];
  EXPECT_NEAR(BentPlant::y1(u1, u2), 52.5, 0.15);
  EXPECT_LT(BentPlant::y2(u1, u2), 10.7);
  EXPECT_NEAR(kept["predicted"][0][0].get<double>(), BentPlant::y1(u1, u2), 0.1);
  EXPECT_EQ(card["lines"].size(), 3u);
  EXPECT_NE(card["lines"][1].get<std::string>().find("rest"), std::string::npos) << card["lines"];
  EXPECT_NE(card["mind"].dump().find("REST_STARTS"), std::string::npos)
      << "a bent surface is tracked: the gap of the starts is told";
  ASSERT_TRUE(card["distances"].contains("mahalanobisAlong")) << card["distances"];
  const Json outcome = call("optimize outcome", {{"id", card["recommendationId"]}});
  EXPECT_EQ(outcome["verdict"], "improved") << outcome.dump(1);
  EXPECT_NEAR(outcome["observed"][0]["delta"].get<double>(),
              outcome["observed"][0]["predicted"].get<double>(), 0.3);
}

TEST_F(StaticAdviceTest, AWrongSurfaceEndsInWorseAndIsNotAskedAgain) {
  BentPlant plant(-1);
  go(plant);
  bind_static();
  const Json card = carried_out(plant);
  const Json outcome = call("optimize outcome", {{"id", card["recommendationId"]}});
  EXPECT_EQ(outcome["verdict"], "worse") << outcome.dump(1);
  EXPECT_ERROR(call("optimize solve", {{"id", binding_}}), "BINDING_DISABLED");
}

TEST_F(StaticAdviceTest, AnotherThanWhatTheStoredSurfacesGiveIsRefused) {
  BentPlant plant;
  go(plant);
  bind_static();
  const auto refused = [&](const std::function<void(Json&)>& change) {
    spoil = change;
    const Json now = call("optimize solve", {{"id", binding_}});
    EXPECT_FALSE(now["advice"].get<bool>()) << now.dump(1);
    EXPECT_EQ(now["noAdvice"]["code"], "VERIFY_FAILED") << now.dump(1);
    return now["noAdvice"].dump();
  };
  for (const std::size_t i : {0u, 1u}) {
    refused([&](Json& a) {
      Json& u = a["candidates"][0]["controls"][0][i];
      u = u.get<double>() + 0.01;
    });
    refused([&](Json& a) {
      Json& y = a["candidates"][0]["predicted"][0][i];
      y = y.get<double>() + 1e-3;
    });
  }
  refused([](Json& a) { a["candidates"][0]["cost"] = 0; });
  refused([](Json& a) { a["candidates"][0]["controls"][0][0] = 21.5; });
  const std::string told = refused([](Json& a) {  // half of the way, honest in every number
    Json half = a["candidates"][2];
    half["seq"] = 0;
    half["label"] = "optimum";
    a["candidates"][0] = half;
  });
  EXPECT_NE(told.find("next to it"), std::string::npos) << told;
}

/// Where the dynamic template meets a static model, and the other way round.
TEST_F(StaticAdviceTest, ATemplateTakesItsOwnKindOfModel) {
  Json other = profile();
  other["template"] = "linear_mpc_quadratic@1";
  const std::string id = call("optimize profile create", {{"profile", other}})["id"];
  EXPECT_ERROR(call("optimize profile activate", {{"id", id}}), "PROFILE_NOT_ELIGIBLE");
}

}  // namespace
}  // namespace flyball::app
