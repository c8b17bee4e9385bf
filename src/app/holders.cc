// Who uses a model or dataset, and deleting a model that nobody uses.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mutex>
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/records.h"
#include "jobs/sqlite_queue.h"
#include "store/files.h"

namespace flyball::app {

std::vector<std::string> App::users_now(const std::string& id) {
  Records& r = records(true);
  const TimeUs now = clock_.now();
  std::vector<std::string> out;
  for (const registry::Lease& lease : r.leases.holders(id, now)) out.push_back(lease.holder);
  for (std::string& profile : r.ledger.users_of_model(id)) out.push_back(std::move(profile));
  std::recursive_mutex guard;
  jobs::SqliteQueue queue(r.db, guard);
  for (const jobs::State state : {jobs::State::queued, jobs::State::provisioning,
                                  jobs::State::training, jobs::State::evaluating}) {
    for (const jobs::Job& job : queue.list({state, std::nullopt, ""}, 1000, std::nullopt).jobs) {
      const Json& asked = job.asked.request;
      if (asked.value("dataset", "") == id || asked.value("id", "") == id)
        out.push_back(std::string(enum_name(job.asked.kind)) + " " + job.id);
    }
  }
  for (const govern::Approval& approval :
       r.govern.approvals.list({govern::ApprovalStatus::pending, "", id}, now))
    out.push_back("request " + approval.id);
  return out;
}

void App::check_free(const char* code, const std::string& id, std::vector<std::string> more) {
  for (std::string& user : users_now(id)) more.push_back(std::move(user));
  if (!more.empty())
    throw Error(code, {{"id", id}, {"holders", fmt::format("{}", fmt::join(more, ", "))}});
}

DeleteResponse App::delete_model(const DeleteRequest& request, const Call& call) {
  Records& r = records(true);
  const registry::ModelRow model = r.registry.model(request.id);
  std::vector<std::string> stages;
  if (model.stage == registry::Stage::production || model.stage == registry::Stage::shadow)
    stages.push_back(std::string(enum_name(model.stage)) + " of " + model.label);
  for (std::string& plan : r.plans.holding(model.id)) stages.push_back(std::move(plan));
  check_free("MODEL_IN_USE", model.id, stages);
  if (call.change != nullptr)
    *call.change = {model.id, model.line_id, enum_name(model.stage), nullptr};
  r.registry.remove_model(model.id, request.dry_run);
  if (!request.dry_run) store::remove_folder(data_.path / "models" / model.id);
  return {{model.id}, request.dry_run};
}

}  // namespace flyball::app
