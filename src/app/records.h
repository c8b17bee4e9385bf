#pragma once
// flyball.db, opened once a process, and what stands on it.
#include "advise/ledger.h"
#include "app/app.h"
#include "govern/govern.h"
#include "plant/plant_store.h"
#include "plant/process_spec.h"
#include "registry/evaluations.h"
#include "registry/leases.h"
#include "registry/registry.h"
#include "registry/settings_store.h"
#include "registry/shadow_log.h"
#include "registry/stages.h"
#include "registry/training_plans.h"
#include "store/sqlite.h"

namespace flyball::app {

struct App::Records {
  Records(const std::filesystem::path& data, bool writes);

  bool writable;

  store::Database db;
  registry::Registry registry;
  registry::SettingsStore settings;
  registry::Stages stages;
  registry::ShadowLog shadow;
  registry::Leases leases;
  registry::Evaluations evaluations;
  registry::TrainingPlans plans;
  plant::PlantStore plant;
  plant::ProcessSpecs process_specs;
  advise::Ledger ledger;
  govern::Governance govern;
};

}  // namespace flyball::app
