#pragma once
// A file written piece by piece; for files inside a StagedFolder, which appears whole.
#include <filesystem>
#include <string_view>

#include "store/descriptor.h"

namespace flyball::store {

/// Throws what the writers of store/files.h throw. Without finish() what was written may be lost.
class FileWriter {
 public:
  /// Creates the file, or empties it, and its folder where that is missing.
  explicit FileWriter(std::filesystem::path path);
  void append(std::string_view bytes);
  /// Durable when it returns. Once only.
  void finish();

 private:
  std::filesystem::path path_;
  Descriptor fd_;
};

}  // namespace flyball::store
