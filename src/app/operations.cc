#include "app/operations.h"

#include <array>

#include "app/app.h"
#include "app/audited.h"
#include "app/operation_tables.h"
#include "store/files.h"

namespace flyball::app {

std::string_view scope_name(Scope scope) {
  return enum_name(scope);
}

std::span<const Operation> operations() {
  static const std::vector<Operation> kAll = [] {
    std::vector<Operation> all;
    for (const auto part :
         {data_operations(), models_operations(), advice_operations(), plant_operations(), service_operations()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return kAll;
}

const Operation* find_operation(std::string_view verb) {
  for (const Operation& o : operations()) {
    if (o.verb == verb) return &o;
  }
  return nullptr;
}

Reply run(const Operation& operation, App& app, const Json& request, const Call& call) {
  if (!operation.writes || call.owns_data) return run_audited(operation, app, request, call);
  const store::DataLock lock(app.data().path, operation.verb);
  return run_audited(operation, app, request, call);
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
