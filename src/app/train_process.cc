#include "app/train_process.h"

#include <nlohmann/json.hpp>

#include "core/json.h"

namespace flyball::app {
namespace {

constexpr std::string_view kPrefix = "##AML ";

/// Stages of a study that judge what was trained.
bool judges(std::string_view stage) {
  return stage == "evaluate" || stage == "gates" || stage == "report";
}

/// What the child says, line by line.
class Listener {
 public:
  explicit Listener(jobs::Work& work) : work_(work) {}

  void hear(std::string_view line) {
    if (!line.starts_with(kPrefix)) return;
    const Json said = Json::parse(line.substr(kPrefix.size()), nullptr, false);
    if (!said.is_object()) return;
    const std::string type = said.value("type", "");
    if (type == "error") error_ = {said.value("code", ""), said.value("text", "")};
    if (type != "progress") return;
    const std::string stage = said.value("stage", "");
    work_.enter(judges(stage) || work_.job().attempt.state == jobs::State::evaluating
                    ? jobs::State::evaluating
                    : jobs::State::training);
    work_.say(stage, said.value("progress", 0.0) / 100, said.value("note", ""));
  }
  [[nodiscard]] const std::pair<std::string, std::string>& error() const { return error_; }

 private:
  jobs::Work& work_;
  std::pair<std::string, std::string> error_;  ///< code and text
};

}  // namespace

TrainProcess run_train_process(jobs::Work& work, const std::filesystem::path& folder,
                               const std::filesystem::path& program,
                               const jobs::ChildLimits& limits) {
  Listener listener(work);
  jobs::ChildOptions child;
  child.command = {program.string(), "job-child", folder.string()};
  child.folder = folder;
  child.environment = jobs::safe_environment();
  child.log = folder / "run.log";
  child.limits = limits;
  child.on_line = [&](std::string_view line) { listener.hear(line); };
  TrainProcess out;
  out.end = jobs::run_child(child, work.stop());
  std::tie(out.code, out.text) = listener.error();
  return out;
}

}  // namespace flyball::app
