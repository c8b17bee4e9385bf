// A process-model spec stated once, then used by a study, a dataset and a training.
#include "app/job_service.h"
#include "app/process_spec_use.h"
#include "stored_fixture.h"

namespace flyball::app {
namespace {

class ProcessSpecsTest : public StoredTest {
 protected:
  /// y answers u after three steps of 1 s: what is stated is true.
  static Json content() {
    return {{"variables",
             {{{"tag", "u"}, {"role", "mv"}, {"min", -1}, {"max", 2}, {"delayMs", 2000}},
              {{"tag", "y"}, {"role", "cv"}}}},
            {"priors", {"u->y gain>0"}},
            {"historySteps", 12},
            {"horizonSteps", 15}};
  }
  Json create(const Json& spec) {
    return call("process-specs create", {{"name", "rig"}, {"line", "L"}, {"spec", spec}});
  }
  Json move(const char* verb) { return call(verb, {{"name", "rig"}, {"line", "L"}}); }
};

TEST_F(ProcessSpecsTest, StatedOnceItSparesTheFlags) {
  const Json draft = create(content());
  EXPECT_EQ(draft["version"], 1);
  EXPECT_EQ(draft["status"], "draft");
  const Json build{{"line", "L"}, {"processSpec", "rig"}};
  EXPECT_ERROR(call("datasets build", build), "PROCESS_SPEC_INACTIVE");
  EXPECT_EQ(move("process-specs activate")["status"], "active");

  const Json built = call("datasets build", build);
  const Json& spec = built["spec"];
  EXPECT_EQ(call("datasets show", {{"id", built["id"]}})["processSpec"], "rig@1");
  EXPECT_EQ(spec["window"]["historySteps"], 12);
  EXPECT_EQ(spec["window"]["horizonSteps"], 15);
  const Json& u = spec["variables"][0];
  EXPECT_EQ(u["id"], "u");
  EXPECT_EQ(u["delayMs"], 2000);
  EXPECT_EQ(u["min"], -1);
  EXPECT_EQ(u["max"], 2);

  JobService waiting({data_, "test"}, clock_, "/bin/false");
  app_.use(waiting);
  const Json job = call("train", {{"dataset", built["id"]}, {"trainer", "linear_arx@1"}});
  EXPECT_EQ(job["request"]["prior"], Json::array({"u->y gain>0"})) << "frozen with the job";
  for (const char* wrong : {"garbage", "u->z gain>0"})
    EXPECT_ERROR(call("train", {{"dataset", built["id"]}, {"prior", {wrong}}}), "SPEC_INVALID");
  EXPECT_ERROR(call("train", {{"dataset", built["id"]}, {"setpoint", {"x"}}}), "SPEC_INVALID");
  const Json other = call("train", {{"dataset", built["id"]}, {"prior", {"u->y gain 0.5..2"}}});
  EXPECT_EQ(other["request"]["prior"], Json::array({"u->y gain 0.5..2"})) << "what is said counts";
}

TEST_F(ProcessSpecsTest, APlanTrainsByTheVersionInForce) {
  Json spec = content();
  spec["trainer"] = "subspace@1";
  create(spec);
  const Json ask{{"name", "nightly"}, {"line", "L"}, {"processSpec", "rig"}};
  EXPECT_ERROR(call("plans create", ask), "PROCESS_SPEC_INACTIVE");
  move("process-specs activate");
  Json with_flag = ask;
  with_flag["mv"] = {"u"};
  EXPECT_ERROR(call("plans create", with_flag), "PROCESS_SPEC_AND_FLAGS");
  const Json plan = call("plans create", ask);
  EXPECT_EQ(plan["trainingSpec"]["trainer"], "subspace@1");

  JobService waiting({data_, "test"}, clock_, "/bin/false");
  app_.use(waiting);
  const std::string job = call("plans train", {{"id", plan["id"]}})["lastJobId"];
  const Json asked = call("jobs show", {{"id", job}})["request"];
  EXPECT_EQ(asked["processSpec"], "rig");
  const Json built = call("datasets build", asked);
  EXPECT_EQ(built["spec"]["window"]["historySteps"], 12);
  EXPECT_EQ(call("datasets show", {{"id", built["id"]}})["processSpec"], "rig@1");
}

TEST_F(ProcessSpecsTest, AStudyUsesWhatIsStated) {
  create(content());
  move("process-specs activate");
  const Json report = call("study", {{"line", "L"}, {"processSpec", "rig"}});
  EXPECT_EQ(report["verdict"], "pass") << report["gates"];
  EXPECT_EQ(report["deadTimes"][0]["steps"], 3);
}

TEST_F(ProcessSpecsTest, AStudyByTheSpecIsTheStudyByItsFlags) {
  create({{"variables", {{{"tag", "u"}, {"role", "mv"}}, {{"tag", "y"}, {"role", "cv"}}}},
          {"priors", {"u->y gain>0"}}});
  move("process-specs activate");
  const Json by_spec = call("study", {{"line", "L"}, {"processSpec", "rig@1"}});
  const Json by_flags =
      call("study", {{"line", "L"}, {"mv", {"u"}}, {"cv", {"y"}}, {"prior", {"u->y gain>0"}}});
  EXPECT_EQ(by_spec["identification"], by_flags["identification"]);
  EXPECT_EQ(by_spec["dataset"]["id"], by_flags["dataset"]["id"]);
  const Json dataset = call("datasets show", {{"id", by_spec["dataset"]["id"]}});
  EXPECT_EQ(dataset["processSpec"], "rig@1");
}

TEST_F(ProcessSpecsTest, LimitsAreConvertedToTheUnitOfTheTag) {
  call("tags set", {{"name", "u"}, {"line", "L"}, {"unit", "kg/h"}, {"correctUnit", true}});
  Json spec = content();
  spec["variables"][0].update({{"unit", "t/h"}, {"min", -0.001}, {"max", 0.002}});
  create(spec);
  move("process-specs activate");
  const Json built =
      call("datasets build", {{"line", "L"}, {"processSpec", "rig"}, {"dryRun", true}});
  EXPECT_DOUBLE_EQ(built["spec"]["variables"][0]["min"].get<double>(), -1);
  EXPECT_DOUBLE_EQ(built["spec"]["variables"][0]["max"].get<double>(), 2);
  EXPECT_EQ(built["spec"]["variables"][0]["unit"], "kg/h");
}

TEST_F(ProcessSpecsTest, WhatCouldNeverBeStudiedIsRefusedAtOnce) {
  Json spec = content();
  spec["priors"] = {"u->z gain>0"};
  EXPECT_ERROR(create(spec), "SPEC_INVALID");
  spec = content();
  spec["trainer"] = "wishful@1";
  EXPECT_ERROR(create(spec), "SPEC_INVALID");
  spec = content();
  spec["variables"][0]["tag"] = "nothing";
  EXPECT_ERROR(create(spec), "SPEC_INVALID");
  EXPECT_TRUE(call("process-specs list", Json::object())["items"].empty());
}

TEST_F(ProcessSpecsTest, AFlagBesideItIsRefusedAndAnOptionIsNot) {
  create(content());
  move("process-specs activate");
  const auto study = [&](Json more) {
    more.update({{"line", "L"}, {"processSpec", "rig"}});
    return call("study", more);
  };
  EXPECT_ERROR(study({{"mv", {"u"}}}), "PROCESS_SPEC_AND_FLAGS");
  EXPECT_ERROR(study({{"prior", {"u->y gain>0"}}}), "PROCESS_SPEC_AND_FLAGS");
  EXPECT_ERROR(study({{"product", "other"}}), "PROCESS_SPEC_AND_FLAGS");
  EXPECT_EQ(study({{"horizon", 20}})["dataset"].is_object(), true);
}

TEST_F(ProcessSpecsTest, AJobUsesTheVersionThatWasInForceWhenItWasAsked) {
  create(content());
  move("process-specs activate");
  const Json job = call("jobs build", {{"line", "L"}, {"processSpec", "rig"}});
  EXPECT_EQ(job["state"], "done") << job;
  EXPECT_EQ(job["request"]["processSpec"], "rig@1");
  EXPECT_EQ(move("process-specs retire")["status"], "retired");
  EXPECT_ERROR(call("jobs build", {{"line", "L"}, {"processSpec", "rig"}}),
               "PROCESS_SPEC_INACTIVE");
  EXPECT_EQ(call("process-specs show", {{"name", "rig"}, {"line", "L"}})["versions"].size(), 1u);
}

}  // namespace
}  // namespace flyball::app
