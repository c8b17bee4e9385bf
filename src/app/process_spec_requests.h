#pragma once
// Requests and answers of the operations on process-model specs.
#include "app/requests.h"
#include "plant/process_spec.h"

namespace flyball::app {

struct ProcessSpecCreateRequest {
  std::string name;
  std::string file;
  std::string line = "default";
  std::optional<plant::SpecContent> spec;
  static constexpr std::string_view kInputFile = "file";
  static constexpr auto fields() {
    using R = ProcessSpecCreateRequest;
    return FieldList{
        field("name", &R::name, "unique on the line").required().positional(),
        field("file", &R::file, "what is stated, as JSON (docs/process-specs.md)").positional(),
        field("line", &R::line, "line"),
        field("spec", &R::spec, "what is stated, instead of a file")};
  }
};

struct ProcessSpecRequest {
  std::string name, line = "default";
  std::optional<std::int64_t> version;
  static constexpr auto fields() {
    using R = ProcessSpecRequest;
    return FieldList{field("name", &R::name, "its name").required().positional(),
                     field("line", &R::line, "line"),
                     field("version", &R::version, "default: the newest").range(1, 1e9)};
  }
};

/// One version, and which others there are.
struct ProcessSpecResponse : plant::ProcessSpec {
  using Extends = plant::ProcessSpec;
  std::vector<plant::ProcessSpec> versions;
  static constexpr auto fields() {
    return join(plant::ProcessSpec::fields(),
                FieldList{field("versions", &ProcessSpecResponse::versions,
                                "every version of this name, newest first")});
  }
};

}  // namespace flyball::app
