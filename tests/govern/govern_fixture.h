#pragma once
#include <gtest/gtest.h>

#include <array>

#include "govern/govern.h"
#include "govern/schema.h"
#include "plant/plant_store.h"
#include "plant/schema.h"
#include "store/files.h"
#include "store/migrations.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::govern {

inline constexpr TimeUs kNow = 1'800'000'000 * kSecond;
inline constexpr DurationUs kHour = 3600 * kSecond;
inline const std::string kPassword = "seven quiet turbines";

/// A database with the lines L1 and L2, and quick hashes.
class GovernTest : public ::testing::Test {
 protected:
  GovernTest() {
    const std::array migrations{plant::migration(1), migration(2), intent_migration(3),
                                plant::mark_migration(4), plant::spec_migration(5)};
    store::migrate(db_, migrations);
    plant::PlantStore plant(db_);
    plant.put(plant::Line{"L1", ""});
    plant.put(plant::Line{"L2", ""});
  }

  User add(const std::string& id, std::vector<Right> rights,
           std::map<std::string, Grant> lines = {}, Kind kind = Kind::person) {
    User user;
    user.id = id;
    user.kind = kind;
    user.rights = std::move(rights);
    user.lines = std::move(lines);
    return g_.users.add(
        user, kind == Kind::person ? std::optional<std::string>(kPassword) : std::nullopt, kNow);
  }

  Principal signed_in(const std::string& id, bool fresh = true) {
    return principal_of(g_.users.get(id), Credential::session, fresh);
  }

  /// Whether any file of the database holds this text.
  [[nodiscard]] bool stored(const std::string& text) const {
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      if (store::read_file(file.path()).find(text) != std::string::npos) return true;
    }
    return false;
  }

  [[nodiscard]] std::filesystem::path file() const { return folder_ / "flyball.db"; }
  [[nodiscard]] std::filesystem::path head_file() const { return folder_ / "audit-head"; }

  const testing::TempFolder temp_;
  const std::filesystem::path folder_{temp_.path()};
  store::Database db_{file(), {.durability = store::Durability::normal}};
  Governance g_{db_, head_file(), kLeastCost};
};

}  // namespace flyball::govern
