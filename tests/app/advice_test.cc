#include <utility>

#include "app/advice_fixture.h"
#include "jobs/process_mark.h"

namespace flyball::app {
namespace {

/// What was advised is carried out on the line, step by step.
class AdviceChainTest : public AdviceTest {
 protected:
  using AdviceTest::AdviceTest;
  void carry_out(SimulatedLine& line, const Json& candidate, int steps) {
    const Json& plan = candidate["controls"];
    for (int k = 0; k < steps; ++k) {
      const Json& row_k = plan[std::min<std::size_t>(static_cast<std::size_t>(k), plan.size() - 1)];
      row(line, "live", row_k[0].get<double>(), row_k[1].get<double>());
    }
    store();
  }
  Json accepted_and_applied() {
    const Json card = call("optimize solve", {{"id", binding_}});
    EXPECT_TRUE(card["advice"].get<bool>()) << card.dump(1);
    const std::string id = card["recommendationId"];
    call("optimize accept", {{"id", id}, {"reason", "as said"}}, person("ann"));
    call("optimize applied", {{"id", id}}, person("ann"));
    return card;
  }

  void improves() {
    SimulatedLine line(test_);
    go_live(line);
    bind(content(model_));
    const Json card = accepted_and_applied();
    EXPECT_EQ(card["lines"].size(), 3u);
    EXPECT_NE(card["statusLabel"].get<std::string>().find("simulation"), std::string::npos);
    EXPECT_GT(card["saving"].get<double>(), 0.5);
    carry_out(line, advised(card), 80);
    const Json outcome = call("optimize outcome", {{"id", card["recommendationId"]}});
    EXPECT_EQ(outcome["verdict"], "improved") << outcome.dump(1);
    for (std::size_t j = 0; j < 2; ++j) {
      const Json& y = outcome["observed"][j];
      EXPECT_NEAR(y["delta"].get<double>(), y["predicted"].get<double>(),
                  0.2 * std::abs(y["predicted"].get<double>()));
    }
    EXPECT_EQ(call("optimize outcomes", {{"id", card["recommendationId"]}})["items"].size(), 1u);
  }
  void worsens() {
    SimulatedLine line(test_, -1);
    go_live(line);
    bind(content(model_));
    const Json card = accepted_and_applied();
    carry_out(line, advised(card), 80);
    const Json outcome = call("optimize outcome", {{"id", card["recommendationId"]}});
    EXPECT_EQ(outcome["verdict"], "worse") << outcome.dump(1);
    EXPECT_ERROR(call("optimize solve", {{"id", binding_}}), "BINDING_DISABLED");
    call("optimize bind", {{"id", binding_}, {"enabled", true}, {"reason", "looked at"}});
    EXPECT_NO_THROW(call("optimize solve", {{"id", binding_}}));
  }
};

/// Johansson's four tanks, linear around their point.
class FourTanksTest : public AdviceChainTest {
 protected:
  FourTanksTest() : AdviceChainTest(tanks()) {}
  static testbed::PlantTest tanks() {
    for (testbed::PlantTest& t : testbed::literature_tests()) {
      if (t.plant.inputs() == 2 && t.plant.channels[0][1].tau2 > 0) return t;
    }
    throw std::logic_error("the quadruple tank is gone");
  }
};

/// Hold pressure and melt temperature to part weight and sink marks.
class InjectionLineTest : public AdviceChainTest {
 protected:
  InjectionLineTest() : AdviceChainTest(testbed::injection_test()) {}
};

TEST_F(InjectionLineTest, FromAStudyToAnOutcomeThatImproved) {
  improves();
}
TEST_F(InjectionLineTest, AWrongModelEndsInWorseAndIsNotAskedAgain) {
  worsens();
}
TEST_F(AdviceChainTest, FromAStudyToAnOutcomeThatImproved) {
  improves();
}
TEST_F(AdviceChainTest, AWrongModelEndsInWorseAndIsNotAskedAgain) {
  worsens();
}
TEST_F(FourTanksTest, FromAStudyToAnOutcomeThatImproved) {
  improves();
}
TEST_F(FourTanksTest, AWrongModelEndsInWorseAndIsNotAskedAgain) {
  worsens();
}

TEST_F(AdviceTest, AnotherThanWhatTheStoredModelGivesIsRefused) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  const Json card = call("optimize solve", {{"id", binding_}});
  ASSERT_TRUE(card["advice"].get<bool>()) << card.dump(1);
  const auto spoiled = [&](const char* what, std::size_t k, std::size_t j, double by) {
    spoil = [=](Json& answer) {
      Json& value = answer["candidates"][0][what][k][j];
      value = value.get<double>() + by;
    };
    const Json now = call("optimize solve", {{"id", binding_}});
    EXPECT_FALSE(now["advice"].get<bool>()) << what << k << j;
    EXPECT_EQ(now["noAdvice"]["code"], "VERIFY_FAILED") << now.dump(1);
    EXPECT_EQ(now.value("recommendationId", ""), "");
  };
  for (const std::size_t k : {0u, 7u, 19u}) {
    for (const std::size_t j : {0u, 1u}) {
      spoiled("controls", k, j, 0.01);
      spoiled("predicted", k, j, 1e-3);
    }
  }
  spoil = [](Json& answer) { answer["candidates"][0]["cost"] = 0; };
  const Reply none = run(*find_operation("optimize solve"), app_, {{"id", binding_}}, {});
  EXPECT_FALSE(none.body["advice"].get<bool>());
  EXPECT_EQ(none.exit_code, 6);
  // A change within the tolerances is not what is kept.
  double claimed = 0;
  spoil = [&](Json& answer) {
    claimed = answer["candidates"][0]["predicted"][3][0].get<double>() + 1e-8;
    answer["candidates"][0]["predicted"][3][0] = claimed;
  };
  const Json kept = call("optimize solve", {{"id", binding_}});
  ASSERT_TRUE(kept["advice"].get<bool>());
  EXPECT_NE(advised(kept)["predicted"][3][0].get<double>(), claimed);
}

TEST_F(AdviceTest, EveryBitOfTheStoredModelIsRefusedByItsHash) {
  store::Database db(temp_ / "data" / "flyball.db");
  registry::Registry registry(db, temp_ / "data" / "models");
  const registry::ModelRow row = registry.model(model_);
  const auto file = temp_ / "data" / "models" / model_ / "model.json";
  const std::string bytes = store::read_file(file);
  std::FILE* out = std::fopen(file.c_str(), "r+b");
  ASSERT_NE(out, nullptr);
  std::setvbuf(out, nullptr, _IONBF, 0);
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::fseek(out, static_cast<long>(at), SEEK_SET);
      std::fputc(bytes[at] ^ (1 << bit), out);
      try {
        (void)registry.model_file(row, "model.json");
        ADD_FAILURE() << at << "/" << bit;
      } catch (const Error& e) {
        refused += e.code() == "ARTIFACT_CORRUPT" ? 1 : 0;
      }
    }
    std::fseek(out, static_cast<long>(at), SEEK_SET);
    std::fputc(bytes[at], out);
  }
  std::fclose(out);
  EXPECT_EQ(refused, 8 * static_cast<int>(bytes.size()));
  EXPECT_EQ(registry.model_file(row, "model.json"), bytes);
}

TEST_F(AdviceTest, WhatIfIsAnsweredAndNotKept) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  const Json card = call("optimize solve", {{"id", binding_}});
  const std::string run_id = card["runId"];
  const Json same = call("optimize try", {{"id", run_id}});
  const Json plan = call("optimize plan", {{"id", card["recommendationId"]}});
  EXPECT_EQ(same["plan"]["mvs"][0]["planned"], plan["mvs"][0]["planned"]) << "nothing was changed";
  EXPECT_EQ(same["plan"]["cvs"][1]["planned"], plan["cvs"][1]["planned"]);
  const double ref = plan["cvs"][0]["ref"].get<double>();
  const double most = plan["mvs"][0]["hardMax"].get<double>();
  const double now = plan["mvs"][0]["history"].back().get<double>();
  const Json higher =
      call("optimize try", {{"id", run_id}, {"set", {"y1.ref=" + std::to_string(ref + 0.5)}}});
  EXPECT_EQ(higher["plan"]["cvs"][0]["ref"].get<double>(), ref + 0.5);
  EXPECT_GT(higher["plan"]["cvs"][0]["planned"].back().get<double>(),
            plan["cvs"][0]["planned"].back().get<double>() + 0.3);
  const double cap = now + (most - now) / 50;
  const Json capped =
      call("optimize try",
           {{"id", run_id},
            {"set", {"u1.max=" + std::to_string(cap), "y1.ref=" + std::to_string(ref + 5)}}});
  for (const Json& u : capped["plan"]["mvs"][0]["planned"]) EXPECT_LE(u.get<double>(), cap + 1e-5);
  EXPECT_EQ(call("optimize solves", Json::object())["items"].size(), 1u) << "nothing is kept";
  EXPECT_EQ(call("optimize list", Json::object())["items"].size(), 1u);
  for (const char* bad :
       {"y1.ref", "y1.ref=x", "y1.ref=inf", "none.ref=1", "u1.ref=1", "=1", "y1.=1"})
    EXPECT_ERROR(call("optimize try", {{"id", run_id}, {"set", {bad}}}), "TRY_INVALID");
}

TEST_F(AdviceTest, WhatIsStaleOrOtherGivesNoAdvice) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  clock_.set(now_ + 2 * kBeat);
  EXPECT_ERROR(call("optimize solve", {{"id", binding_}}), "CONTEXT_STALE");
  clock_.set(now_);
  EXPECT_TRUE(call("optimize solve", {{"id", binding_}})["advice"].get<bool>());
  call("recipes set", {{"line", "L"}, {"product", "P"}, {"id", "R"}, {"param", {"u1=10"}}});
  EXPECT_ERROR(call("optimize solve", {{"id", binding_}}), "CONTEXT_MISMATCH");
  call("optimize bind", {{"id", binding_}});
  EXPECT_TRUE(call("optimize solve", {{"id", binding_}})["advice"].get<bool>());
}

TEST_F(AdviceTest, OpenAdviceExpiresByEachCause) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  const auto ask = [&] {
    return call("optimize solve", {{"id", binding_}})["recommendationId"].get<std::string>();
  };
  const auto cause = [&](const std::string& id) {
    return call("optimize show", {{"id", id}})["recommendation"].value("expiryCause", "");
  };
  std::string id = ask();
  EXPECT_EQ(cause(id), "");
  call("recipes set", {{"line", "L"}, {"product", "P"}, {"id", "R"}, {"param", {"u1=10"}}});
  EXPECT_EQ(cause(id), "recipeChanged");
  EXPECT_ERROR(call("optimize accept", {{"id", id}, {"reason", "x"}}), "RECOMMENDATION_EXPIRED");
  call("optimize bind", {{"id", binding_}});
  id = ask();
  call("optimize bind", {{"id", binding_}, {"node", {"u1=L/u1"}}});
  EXPECT_EQ(cause(id), "bindingChanged");
  id = ask();
  const std::string second = ask();
  EXPECT_EQ(cause(id), "superseded");
  clock_.set(now_ + 901 * kSecond);
  EXPECT_EQ(cause(second), "time");
  clock_.set(now_);
  id = ask();
  call("optimize profile retire", {{"id", profile_}});
  EXPECT_EQ(cause(id), "profileRetired");
  EXPECT_ERROR(call("optimize solve", {{"id", binding_}}), "PROFILE_INACTIVE");
}

TEST_F(AdviceTest, AProfileThatContradictsItselfIsRefusedByName) {
  const auto refused = [&](const char* list, const Json& change) {
    Json c = content(model_);
    for (const auto& [key, value] : change.items()) c[list][0][key] = value;
    try {
      call("optimize profile create", {{"profile", c}});
    } catch (const Error& e) {
      std::string said = e.pointer() + " " + e.message().text();
      for (const Problem& problem : e.problems())
        said += "; " + problem.pointer + " " + problem.message.text();
      return said;
    }
    return std::string("created");
  };
  const std::vector<std::tuple<const char*, Json, std::string>> cases{
      {"mv", {{"minMove", 2}, {"maxMove", 1}}, "minMove"},
      {"mv", {{"min", 9}, {"max", 8}}, "min"},
      {"mv", {{"moveWeight", -1}}, "moveWeight"},
      {"cv", {{"softMin", 2}, {"softMax", 1}}, "softMin"},
      {"cv", {{"hardMin", 2}, {"hardMax", 1}}, "hardMin"},
      {"cv", {{"hardMin", -1e6}, {"softMin", -2e6}}, "hardMin"},
      {"cv", {{"ref", 1e6}, {"hardMax", 1e5}}, "ref"},
      {"cv", {{"weight", -1}}, "weight"}};
  for (const auto& [list, change, name] : cases) {
    const std::string said = refused(list, change);
    EXPECT_NE(said.find("/" + std::string(list) + "/0/" + name), std::string::npos) << said;
  }
}

TEST_F(AdviceTest, AForecastOfWhatIsNoDisturbanceIsRefused) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  EXPECT_ERROR(call("optimize solve", {{"id", binding_}, {"forecasts", {{"nope", {1, 2}}}}}),
               "FORECAST_UNKNOWN");
}

TEST_F(AdviceTest, AProfileThatIsTooShortSightedDoesNotComeIntoForce) {
  Json profile = content(model_);
  profile["horizon"] = 6;
  const std::string id = call("optimize profile create", {{"profile", profile}})["id"];
  EXPECT_ERROR(call("optimize profile activate", {{"id", id}}), "PROFILE_UNSAFE");
  EXPECT_EQ(call("optimize profile show", {{"id", id}})["status"], "draft");
}

TEST_F(AdviceTest, AProfileThatCannotBeTriedInTimeDoesNotComeIntoForce) {
  Json profile = content(model_);
  profile["horizon"] = 512;
  profile["controlHorizon"] = 512;
  const std::string id = call("optimize profile create", {{"profile", profile}})["id"];
  call("config set", {{"key", "optimizer.activation.timeoutSeconds"}, {"value", "0.1"}});
  EXPECT_ERROR(call("optimize profile activate", {{"id", id}}), "PROFILE_UNDECIDED");
  EXPECT_EQ(call("optimize profile show", {{"id", id}})["status"], "draft");
}

/// What changes while the loops are simulated is not what was tried.
TEST_F(AdviceTest, AProfileWhoseBasisChangesWhileItIsTriedDoesNotComeIntoForce) {
  const std::string id = call("optimize profile create", {{"profile", content(model_)}})["id"];
  bool done = false;
  Call meanwhile;
  meanwhile.progress = [&](const Progress& p) {
    if (std::exchange(done, true)) return;
    EXPECT_EQ(p.note, "nominal");
    store::Database db(temp_ / "data" / "flyball.db");  // nobody holds the lane of writers
    db.run("UPDATE models SET stage = 'retired'");
  };
  EXPECT_ERROR(call("optimize profile activate", {{"id", id}}, meanwhile), "PROFILE_BASIS_CHANGED");
  EXPECT_TRUE(done);
  EXPECT_EQ(call("optimize profile show", {{"id", id}})["status"], "draft");
}

TEST_F(AdviceTest, AnMvBelongsToOneBinding) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  const std::string first = binding_;
  const std::string other = call("optimize profile create", {{"profile", content(model_)}})["id"];
  call("optimize profile activate", {{"id", other}});
  EXPECT_ERROR(call("optimize bind", {{"profile", other}}), "BINDING_MV_TAKEN");
  EXPECT_ERROR(call("optimize bind", {{"profile", profile_}}), "BINDING_MV_TAKEN");
  call("optimize bind", {{"id", first}, {"enabled", false}, {"reason", "the other is better"}});
  const std::string second = call("optimize bind", {{"profile", other}})["id"];
  EXPECT_TRUE(call("optimize solve", {{"id", second}})["advice"].get<bool>());
  EXPECT_ERROR(call("optimize bind", {{"id", first}, {"enabled", true}}), "BINDING_MV_TAKEN");
  // Two of before the rule was there: neither advises, and each says which the other is.
  {
    store::Database db(temp_ / "data" / "flyball.db");
    db.run("UPDATE optimizer_bindings SET enabled = 1");
  }
  EXPECT_ERROR(call("optimize solve", {{"id", first}}), "BINDING_MV_TAKEN");
  EXPECT_ERROR(call("optimize solve", {{"id", second}}), "BINDING_MV_TAKEN");
  EXPECT_EQ(call("optimize binding", {{"id", first}})["warnings"][0]["code"], "BINDING_MV_TAKEN");
}

/// The process of a question was killed: every look at it says so, and one that may write keeps it.
TEST_F(AdviceTest, AQuestionThatNobodyAnswersAnyMoreIsAnErrorAtEveryLook) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  const std::string run_id = call("optimize solve", {{"id", binding_}})["runId"];
  store::Database db(temp_ / "data" / "flyball.db");
  const auto killed = [&](const std::string& process, TimeUs until) {
    db.run("UPDATE optimizer_runs SET status = 'running', code = '', process = ?, until = ?",
           process, until);
  };
  const auto kept = [&] {
    auto row = db.query("SELECT status FROM optimizer_runs WHERE id = ?", run_id);
    row.step();
    return row.text(0);
  };
  const auto seen = [&](App& app) {
    return run(*find_operation("optimize solve-record"), app, {{"id", run_id}}, {}).body["run"];
  };
  App reader{{temp_ / "data", "test"}, clock_};
  killed(jobs::process_mark(), now_ + 10);
  EXPECT_EQ(seen(app_)["status"], "running") << "this process lives";
  killed(jobs::process_mark(), clock_.now() - 1);
  EXPECT_EQ(seen(reader)["status"], "error") << "its time is over";
  killed("", now_ + 10);
  EXPECT_EQ(seen(reader)["status"], "error") << "its process is gone";
  EXPECT_EQ(seen(reader)["code"], "WORKER_INTERRUPTED");
  EXPECT_EQ(run(*find_operation("optimize solves"), reader, Json::object(), {})
                .body["items"][0]["status"],
            "error");
  EXPECT_EQ(kept(), "running") << "who only reads writes nothing";
  EXPECT_EQ(seen(app_)["status"], "error");
  EXPECT_EQ(kept(), "error");
}

TEST_F(AdviceTest, ValuesAheadOfTheClockDoNotMakeAnOutcome) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  const Json card = call("optimize solve", {{"id", binding_}});
  const std::string id = card["recommendationId"];
  call("optimize accept", {{"id", id}, {"reason", "as said"}}, person("ann"));
  call("optimize applied", {{"id", id}}, person("ann"));
  const TimeUs applied = clock_.now();
  const Json plan = advised(card)["controls"];
  for (std::size_t k = 0; k < 80; ++k) {
    const Json& u = plan[std::min<std::size_t>(k, plan.size() - 1)];
    row(line, "live", u[0].get<double>(), u[1].get<double>());
  }
  store();
  clock_.set(applied + kBeat);  // every value of the window is there, 40 minutes ahead
  EXPECT_ERROR(call("optimize outcome", {{"id", id}}), "OUTCOME_OPEN");
  clock_.set(applied + 40 * kBeat - 1);
  EXPECT_ERROR(call("optimize outcome", {{"id", id}}), "OUTCOME_OPEN");
  clock_.set(applied + 40 * kBeat);
  EXPECT_EQ(call("optimize outcome", {{"id", id}})["verdict"], "improved");
}

/// One CV whose values are late is waited for, and not for ever.
TEST_F(AdviceTest, AnOutcomeWaitsForEveryCv) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  const std::string id = call("optimize solve", {{"id", binding_}})["recommendationId"];
  call("optimize accept", {{"id", id}, {"reason", "as said"}}, person("ann"));
  call("optimize applied", {{"id", id}}, person("ann"));
  const TimeUs applied = clock_.now();
  std::string part = "time,run,u1,u2,y1\n";
  for (int k = 0; k < 80; ++k)
    part += format_time(applied + k * kBeat) + ",live," + std::to_string(test_.plant.u0[0]) + "," +
            std::to_string(test_.plant.u0[1]) + "," +
            std::to_string(test_.plant.y0[0] + 0.01 * random_.normal()) + "\n";
  store::write_file(temp_ / "part.csv", part);
  call("import", {{"file", (temp_ / "part.csv").string()},
                  {"line", "L"},
                  {"product", "P"},
                  {"recipe", "R"},
                  {"runColumn", "run"},
                  {"evidence", "simulation"},
                  {"confirmContext", true},
                  {"by", "ann"}});
  clock_.set(applied + 41 * kBeat);
  EXPECT_ERROR(call("optimize outcome", {{"id", id}}), "OUTCOME_TOO_EARLY");
  clock_.set(applied + 60 * kBeat);
  EXPECT_NO_THROW(call("optimize outcome", {{"id", id}}));
}

TEST_F(AdviceTest, OnlyAPersonDecidesAndUnverifiedNeedsAReason) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  const std::string id = call("optimize solve", {{"id", binding_}})["recommendationId"];
  Call token = person("ann");
  token.principal->credential = govern::Credential::token;
  EXPECT_ERROR(call("optimize accept", {{"id", id}, {"reason", "x"}}, token), "ADVICE_PERSON");
  Call agent = person("robot");
  agent.principal->kind = govern::Kind::agent;
  EXPECT_ERROR(call("optimize reject", {{"id", id}}, agent), "ADVICE_PERSON");
  EXPECT_ERROR(call("optimize outcome", {{"id", id}}), "OUTCOME_NOT_APPLIED");
  EXPECT_EQ(call("optimize reject", {{"id", id}, {"reason", "not now"}}, person("ann"))["status"],
            "rejected");
}

TEST_F(AdviceTest, AModelThatAProfileUsesIsNotTakenAway) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  EXPECT_ERROR(call("models stage", {{"id", model_}, {"to", "retired"}, {"reason", "r"}}),
               "MODEL_IN_USE");
  EXPECT_ERROR(call("models delete", {{"id", model_}}), "MODEL_IN_USE");
}

TEST_F(AdviceTest, AFailedSolveIsKeptAsOne) {
  SimulatedLine line(test_);
  go_live(line);
  bind(content(model_));
  spoil = [](Json&) { throw Error("WORKER_INTERRUPTED", {{"reason", "signal 9"}}); };
  EXPECT_ERROR(call("optimize solve", {{"id", binding_}}), "WORKER_INTERRUPTED");
  const Json runs = call("optimize solves", {{"binding", binding_}});
  EXPECT_EQ(runs["items"][0]["status"], "error");
  EXPECT_EQ(runs["items"][0]["code"], "WORKER_INTERRUPTED");
}

}  // namespace
}  // namespace flyball::app
