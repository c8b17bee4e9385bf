#include "app/operations.h"

#include <array>

#include "app/app.h"
#include "app/operation_row.h"
#include "store/files.h"

namespace flyball::app {
namespace {

using S = Scope;

// clang-format off
constexpr std::array kOperations{
    operation<&App::study>("study.run", "study", "POST", "/studies", S::train, true, "from a text file to a judged model and a report"),
    operation<&App::list_datasets>("datasets.list", "datasets list", "GET", "/datasets", S::view, false, "datasets, newest first"),
    operation<&App::show_dataset>("datasets.show", "datasets show", "GET", "/datasets/{id}", S::view, false, "one dataset: summary and spec"),
    operation<&App::verify_dataset>("datasets.verify", "datasets verify", "POST", "/datasets/{id}/verify", S::view, false, "check the hash of every file of a dataset"),
    operation<&App::list_experiments>("experiments.list", "experiments list", "GET", "/experiments", S::view, false, "every attempt, passed or refused, newest first"),
    operation<&App::show_experiment>("experiments.show", "experiments show", "GET", "/experiments/{id}", S::view, false, "one experiment: options, metrics, gates"),
    operation<&App::list_models>("models.list", "models list", "GET", "/models", S::view, false, "registered models, newest first"),
    operation<&App::show_model>("models.show", "models show", "GET", "/models/{id}", S::view, false, "one model"),
    operation<&App::verify_model>("models.verify", "models verify", "POST", "/models/{id}/verify", S::view, false, "check the hash of every file of a model"),
    operation<&App::predict>("models.predict", "models predict", "POST", "/models/{id}/predict", S::view, false, "what the CVs will do, from history and planned MVs"),
    operation<&App::show_config>("config.show", "config show", "GET", "/config", S::view, false, "settings, each with its source"),
    operation<&App::set_config>("config.set", "config set", "PATCH", "/config/{key}", S::admin, true, "change a setting; loosening a gate needs a reason"),
    operation<&App::version>("version", "version", "GET", "/version", S::view, false, "version of the product"),
};
// clang-format on

}  // namespace

std::string_view scope_name(Scope scope) {
  constexpr std::array<std::string_view, 7> kNames{"view",    "train",   "evaluate", "request",
                                                   "approve", "operate", "admin"};
  return kNames[static_cast<std::size_t>(scope)];
}

std::span<const Operation> operations() {
  return kOperations;
}

const Operation* find_operation(std::string_view verb) {
  for (const Operation& o : kOperations) {
    if (o.verb == verb) return &o;
  }
  return nullptr;
}

Reply run(const Operation& operation, App& app, const Json& request, const Call& call) {
  if (!operation.writes) return operation.invoke(app, request, call);
  const store::DataLock lock(app.data().path, operation.verb);
  return operation.invoke(app, request, call);
}

std::string kebab_case(std::string_view camel) {
  std::string out;
  for (const char c : camel) {
    if (c >= 'A' && c <= 'Z') {
      out += '-';
      out += static_cast<char>(c - 'A' + 'a');
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace flyball::app
