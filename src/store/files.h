#pragma once
// The only room that opens files. Writes are durable (fsync of file and folder) before they return;
// what must appear whole is written to a staging folder and renamed.
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flyball::store {

namespace fs = std::filesystem;

/// A file mapped read-only; the view lives as long as the object. An empty file gives "".
class MappedFile {
 public:
  /// Throws FILE_NOT_FOUND or FILE_UNREADABLE.
  explicit MappedFile(const fs::path& path);
  ~MappedFile();
  MappedFile(MappedFile&&) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  [[nodiscard]] std::string_view text() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Throws FILE_NOT_FOUND or FILE_UNREADABLE.
std::string read_file(const fs::path& path);

/// Writes `name.tmp`, syncs, renames over `path`, syncs the folder. Throws DISK_FULL,
/// FOLDER_NOT_WRITABLE; nothing is left behind.
void write_file(const fs::path& path, std::string_view bytes);

/// A folder that appears whole or not at all: files are written to `<final>.staging-<pid>` beside
/// it, synced by commit(), then renamed to `final`. Destroyed without commit(): removed.
class StagedFolder {
 public:
  explicit StagedFolder(fs::path final_path);
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  /// `name` may hold sub-folders ("arrays/r1.f64"). Throws DISK_FULL, FOLDER_NOT_WRITABLE.
  void write(const fs::path& name, std::string_view bytes);
  /// False when `final` already existed (it is kept, the staged copy is removed).
  bool commit();

 private:
  fs::path final_, staging_;
  bool done_ = false;
};

/// Removes `*.staging-*` folders that a killed process left under `parent`; how many.
int sweep_staging(const fs::path& parent);

/// flock on `<data>/runtime/lock`: one process owns a data folder. Waits up to 5 s, then throws
/// DATA_IN_USE naming the holder's pid and command.
class DataLock {
 public:
  DataLock(const fs::path& data_folder, std::string_view command);
  ~DataLock();
  DataLock(const DataLock&) = delete;
  DataLock& operator=(const DataLock&) = delete;

 private:
  int fd_ = -1;
};

}  // namespace flyball::store
