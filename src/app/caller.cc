#include "app/caller.h"

#include "app/plant_use.h"
#include "core/error.h"

namespace flyball::app {

govern::Principal caller(const Call& call) {
  if (call.principal) return *call.principal;
  return call.remote ? govern::Principal{} : govern::local_principal(system_user());
}

std::string author_of(const Call& call, const std::optional<std::string>& by) {
  const govern::Principal who = caller(call);
  if (!by || *by == who.id) return who.id;
  if (!who.is_local()) throw Error("AUTHOR_OTHER", {{"by", *by}, {"user", who.id}}, "/by");
  return *by;
}

void require_right(const Call& call, std::string_view operation, Scope right,
                   const std::optional<std::string>& line) {
  govern::require(govern::authorise(caller(call), {std::string(operation), right, line, {}}));
}

}  // namespace flyball::app
