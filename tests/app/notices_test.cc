// Who asked for a job is told how it ended, once.
#include "app/job_service.h"
#include "govern_app_fixture.h"

namespace flyball::app {
namespace {

using jobs::State;

class NoticesTest : public GovernAppTest {
 protected:
  NoticesTest() { app_.use(service_); }

  /// Ends the job of `line`, which ann asked for, after a minute.
  std::string end(const std::string& line, State state, jobs::Outcome outcome) {
    clock_.set(clock_.now() + 60 * kSecond);
    for (const jobs::Job& job : service_.queue().list({}, 100, {}).jobs) {
      if (job.asked.line_id != line || job.attempt.state != State::queued) continue;
      const bool cancelled = state == State::cancelled;
      if (!cancelled) {
        // The test is the runner: it goes to the state that may end.
        while (service_.queue().job(job.id).attempt.state == State::queued)
          service_.queue().claim("test", 8, clock_.now(), clock_.now() + kDay);
        EXPECT_TRUE(service_.queue().move(
            {job.id, 1, State::provisioning, State::evaluating, clock_.now(), {}}));
      }
      EXPECT_TRUE(service_.queue().move({job.id, 1, cancelled ? State::queued : State::evaluating,
                                         state, clock_.now(), std::move(outcome)}));
      return job.id;
    }
    return "";
  }
  Json notices(const Call& call, bool unread = false, int limit = 100) {
    return run(*find_operation("notices list"), app_, {{"unread", unread}, {"limit", limit}}, call)
        .body;
  }
  Json read(const Call& call, const Json& request) {
    return run(*find_operation("notices read"), app_, request, call).body;
  }
  static Call of(const std::string& user) {
    Call call =
        as(govern::all_rights(), {{"L1", govern::Grant::read}, {"L2", govern::Grant::read}});
    call.principal->id = user;
    return call;
  }

  JobService service_{{temp_.path(), "test"}, clock_, "/bin/false"};
};

TEST_F(NoticesTest, TheSubmitterIsToldAndNobodyElse) {
  EXPECT_EQ(notices(of("ann"))["items"].size(), 0u) << "nothing has ended";
  jobs::Outcome outcome;
  outcome.dataset_id = "ds-L1";
  outcome.experiment_id = "exp-L1";
  outcome.failed_gates = {"coverage"};
  outcome.code = "GATES_REFUSED";
  outcome.reason = "the data do not carry it";
  store::Database(temp_ / "flyball.db")
      .run(
          "UPDATE experiments SET metrics_json = "
          "'{\"oneStepTest\":{\"nrmse\":0.1},\"rolloutNrmse\":0.25,\"rolloutImprovement\":0.5}'");
  const std::string id = end("L1", State::failed, outcome);

  const Json mine = notices(of("ann"));
  EXPECT_EQ(mine["unread"], 1);
  ASSERT_EQ(mine["items"].size(), 1u);
  const Json& notice = mine["items"][0];
  EXPECT_EQ(notice["jobId"], id);
  EXPECT_EQ(notice["ok"], false);
  EXPECT_EQ(notice["state"], "failed");
  EXPECT_EQ(notice["failedGates"], Json::array({"coverage"}));
  EXPECT_EQ(notice["reason"], outcome.reason);
  EXPECT_EQ(notice["oneStep"], 0.1);
  EXPECT_EQ(notice["rollout"], 0.25);
  EXPECT_EQ(notice["better"], 0.5);
  EXPECT_EQ(notice["read"], false);
  EXPECT_EQ(notices(of("bob")), (Json{{"unread", 0}, {"items", Json::array()}}));
}

TEST_F(NoticesTest, AnEndIsReadOnce) {
  jobs::Outcome made;
  made.succeeded = true;
  made.model_id = "mdl-L2";
  const std::string first = end("L1", State::cancelled, {}), second = end("L2", State::done, made);
  const Json page = notices(of("ann"), false, 1);
  EXPECT_EQ(page["items"][0]["jobId"], second) << "the newest end first";
  EXPECT_EQ(page["items"][0]["modelId"], "mdl-L2");
  const Json rest = run(*find_operation("notices list"), app_,
                        {{"limit", 1}, {"cursor", page["nextCursor"]}}, of("ann"))
                        .body;
  EXPECT_EQ(rest["items"][0]["jobId"], first);
  EXPECT_FALSE(rest.contains("nextCursor"));

  EXPECT_EQ(read(of("bob"), {{"job", {second}}})["unread"], 0);
  EXPECT_EQ(notices(of("ann"))["unread"], 2) << "what bob reads is his own";
  EXPECT_EQ(read(of("ann"), {{"job", {second}}})["unread"], 1);
  EXPECT_EQ(notices(of("ann"), true)["items"].size(), 1u);
  EXPECT_EQ(notices(of("ann"))["items"][0]["read"], true);
  EXPECT_EQ(read(of("ann"), Json::object())["unread"], 0);
  EXPECT_ERROR(run(*find_operation("notices list"), app_, {{"cursor", "n5"}}, of("ann")),
               "CURSOR_INVALID");
}

TEST_F(NoticesTest, ANewAttemptThatEndsIsANewNotice) {
  const std::string id = end("L1", State::failed, {});
  read(of("ann"), Json::object());
  service_.queue().retry(id, clock_.now());
  EXPECT_EQ(notices(of("ann"))["items"].size(), 0u) << "it waits again";
  ASSERT_TRUE(service_.queue().move(
      {id, 2, State::queued, State::cancelled, clock_.now(), jobs::Outcome{}}));
  const Json again = notices(of("ann"));
  EXPECT_EQ(again["unread"], 1);
  EXPECT_EQ(again["items"][0]["attempt"], 2);
}

TEST_F(NoticesTest, LinesThatMayNoLongerBeReadAreLeftOut) {
  end("L1", State::cancelled, {});
  end("L2", State::cancelled, {});
  Call call = of("ann");
  call.principal->lines.erase("L2");
  ASSERT_EQ(notices(call)["items"].size(), 1u);
  EXPECT_EQ(notices(call)["items"][0]["lineId"], "L1");
}

}  // namespace
}  // namespace flyball::app
