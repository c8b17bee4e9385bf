#pragma once
// The only room that opens files. Writes are durable (fsync of file and folder) before they return;
// what must appear whole is written to a staging folder and renamed.
//
// Every writer throws DISK_FULL (no space or quota), FOLDER_NOT_WRITABLE (read-only or not allowed)
// or FILE_NOT_WRITTEN (anything else the system says), naming the path.
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace flyball::store {

namespace fs = std::filesystem;

/// A file mapped read-only (what cannot be mapped, such as a pipe, is read into memory); the view
/// lives as long as the object. An empty file gives "".
class MappedFile {
 public:
  /// Throws FILE_NOT_FOUND or FILE_UNREADABLE.
  explicit MappedFile(const fs::path& path);
  ~MappedFile();
  MappedFile(MappedFile&&) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  [[nodiscard]] std::string_view text() const { return {data_, size_}; }

  /// Copies what `source` (standard input) gives into a nameless file in `folder`, which is made
  /// when it is missing, and maps that: memory stays small however much comes. `look` sees each
  /// block before it is kept and may throw. Throws FILE_UNREADABLE, DISK_FULL, CANCELLED.
  static MappedFile spool(int source, const fs::path& folder,
                          const std::function<void(std::string_view)>& look,
                          const std::stop_token& stop);

 private:
  friend class Spool;
  MappedFile() = default;
  void map(int fd, const fs::path& path);

  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::unique_ptr<std::string> owned_;
};

/// A nameless file that grows piece by piece and is gone with its last user, also after a crash.
class Spool {
 public:
  /// Makes the folder when it is missing.
  explicit Spool(fs::path folder);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  void append(std::string_view bytes);
  /// What was appended so far; lives on without the Spool.
  [[nodiscard]] MappedFile map() const;

 private:
  fs::path folder_;
  int fd_ = -1;
};

/// Throws FILE_NOT_FOUND or FILE_UNREADABLE.
std::string read_file(const fs::path& path);

/// Creates the folder with its parents where they are missing.
void make_folder(const fs::path& path);

/// Writes `name.tmp`, syncs, renames over `path`, syncs the folder, which is made when it is
/// missing. After an error the old file stands and nothing is left behind.
void write_file(const fs::path& path, std::string_view bytes);

/// A folder that appears whole or not at all: files are written to `<final>.staging-<pid>-<n>`
/// beside it, synced, then renamed to `final` by commit(). Destroyed without commit(): removed.
class StagedFolder {
 public:
  explicit StagedFolder(fs::path final_path);
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  /// `name` is relative and may hold sub-folders ("arrays/r1.f64").
  void write(const fs::path& name, std::string_view bytes);
  /// False when `final` already existed (it is kept, the staged copy is removed).
  bool commit();
  /// As commit(), to another place on the same disk: for a name that is known last.
  bool commit_as(fs::path final_path);

  /// Where the files are until commit().
  [[nodiscard]] const fs::path& path() const { return staging_; }

 private:
  fs::path final_, staging_;
  int fd_ = -1;  ///< flock on the staging folder: tells a living writer from a dead one
  bool done_ = false;
};

/// Removes `*.staging-*` folders that a killed process left under `parent`; how many. Those of
/// living writers stay. A missing parent gives 0.
int sweep_staging(const fs::path& parent);

/// Removes a folder with all it holds: it is gone under its name at once, whatever happens then
/// (what a killed process left is swept by sweep_staging). A missing folder is no error.
void remove_folder(const fs::path& path);

/// flock on `<data>/runtime/lock`: one process owns a data folder. Waits up to `wait`, then throws
/// DATA_IN_USE naming the holder's pid and command; CANCELLED when a stop is asked for meanwhile.
/// The file holds the pid and, on a second line, the command. A process that dies lets go.
class DataLock {
 public:
  DataLock(const fs::path& data_folder, std::string_view command,
           std::chrono::milliseconds wait = std::chrono::seconds(5), std::stop_token stop = {});
  ~DataLock();
  DataLock(const DataLock&) = delete;
  DataLock& operator=(const DataLock&) = delete;

 private:
  int fd_ = -1;
};

}  // namespace flyball::store
