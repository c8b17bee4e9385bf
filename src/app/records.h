#pragma once
// flyball.db, opened once a process, and what stands on it.
#include "app/app.h"

namespace flyball::app {

struct App::Records {
  explicit Records(const std::filesystem::path& data);

  store::Database db;
  registry::Registry registry;
  registry::SettingsStore settings;
};

}  // namespace flyball::app
