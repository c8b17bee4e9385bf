#include "jobs/worker_frames.h"

#include "core/catalogue.h"

namespace flyball::jobs {

void throw_worker_error(const Words& error) {
  const CatalogueEntry* entry = find_entry(error.code);
  if (entry == nullptr || !entry->errc)
    throw Error("SOLVER_ERROR", {{"code", error.code}, {"detail", error.text}});
  std::vector<Param> params;
  for (const auto& [name, p] : error.params.items()) {
    const Json value = p.is_object() ? p.value("value", Json()) : Json();
    if (value.is_number_integer()) {
      params.emplace_back(name, value.get<std::int64_t>());
    } else if (value.is_number()) {
      params.emplace_back(name, value.get<double>());
    } else {
      params.emplace_back(name, value.is_string() ? value.get<std::string>() : std::string());
    }
    if (const Json unit = p.is_object() ? p.value("unit", Json()) : Json(); unit.is_string())
      params.back().unit = unit.get<std::string>();
  }
  throw Error(error.code, std::move(params));
}

}  // namespace flyball::jobs
