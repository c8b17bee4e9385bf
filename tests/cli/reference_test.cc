#include <gtest/gtest.h>

#include <set>

#include "app/operations.h"
#include "cli/completions.h"
#include "core/error.h"
#include "store/files.h"

namespace flyball::cli {
namespace {

TEST(Reference, PagesInDocsAreThoseOfTheProgram) {
  for (const auto& [name, text] : reference_pages()) {
    const std::string page = store::read_file(std::filesystem::path(FLYBALL_SOURCE_DIR) / "docs" / "reference" / name);
    EXPECT_TRUE(page == text) << name << " is stale: run make docs";
  }
}

TEST(Completions, KnowEveryVerbAndFlag) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = completions(shell);
    for (const app::Operation& o : app::operations()) {
      const std::string verb(o.verb);
      EXPECT_NE(script.find(verb.substr(verb.rfind(' ') + 1)), std::string::npos) << shell << " " << verb;
      for (const app::Flag& f : o.flags()) {
        EXPECT_TRUE(f.positional || script.find(f.flag) != std::string::npos) << shell << " " << f.flag;
      }
    }
  }
  EXPECT_THROW(completions("powershell"), Error);
}

TEST(Operations, NamesVerbsAndRoutesAreUniqueAndEveryFlagIsDocumented) {
  std::set<std::string_view> names, verbs;
  std::set<std::string> routes;
  for (const app::Operation& o : app::operations()) {
    EXPECT_TRUE(names.insert(o.name).second) << o.name;
    EXPECT_TRUE(verbs.insert(o.verb).second) << o.verb;
    EXPECT_TRUE(routes.insert(std::string(o.method) + " " + std::string(o.path)).second) << o.path;
    EXPECT_FALSE(o.summary.empty());
    for (const app::Flag& f : o.flags()) EXPECT_FALSE(f.doc.empty()) << o.verb << " " << f.flag;
    EXPECT_EQ(o.request_schema()["type"], "object");
    EXPECT_EQ(o.response_schema()["type"], "object");
  }
}

}  // namespace
}  // namespace flyball::cli
