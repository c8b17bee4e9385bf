#include "historian/embedded_historian.h"

#include "core/error.h"
#include "historian/embedded_reader.h"
#include "historian/embedded_store.h"
#include "historian/embedded_writer.h"

namespace flyball::historian {
namespace {

std::filesystem::path file_in(const std::filesystem::path& data_folder) {
  return data_folder / "historian.db";
}

}  // namespace

/// A reader for one call; one that failed is not used again.
class EmbeddedHistorian::Lease {
 public:
  explicit Lease(const EmbeddedHistorian& historian) : historian_(historian) {
    const std::lock_guard lock(historian_.mutex_);
    if (historian_.idle_.empty()) return;
    reader_ = std::move(historian_.idle_.back());
    historian_.idle_.pop_back();
  }
  ~Lease() {
    if (std::uncaught_exceptions() > exceptions_) return;
    const std::lock_guard lock(historian_.mutex_);
    historian_.idle_.push_back(std::move(reader_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  EmbeddedReader* operator->() {
    if (!reader_) reader_ = std::make_unique<EmbeddedReader>(historian_.file_);
    return reader_.get();
  }

 private:
  const EmbeddedHistorian& historian_;
  std::unique_ptr<EmbeddedReader> reader_;
  int exceptions_ = std::uncaught_exceptions();
};

EmbeddedHistorian::EmbeddedHistorian(const std::filesystem::path& data_folder,
                                     const Options& options)
    : file_(file_in(data_folder)), options_(options) {
  if (options.read_only) {
    idle_.push_back(std::make_unique<EmbeddedReader>(file_));
  } else {
    store_ = std::make_unique<EmbeddedStore>(file_, options);
  }
}

EmbeddedHistorian::~EmbeddedHistorian() = default;

bool EmbeddedHistorian::exists(const std::filesystem::path& data_folder) {
  std::error_code ignored;
  return std::filesystem::exists(file_in(data_folder), ignored);
}

std::unique_ptr<Writer> EmbeddedHistorian::begin() {
  if (!store_) {
    throw Error("FOLDER_NOT_WRITABLE",
                {{"path", file_.string()}, {"reason", "it was opened for reading"}});
  }
  return begin_writer(*store_);
}

Page EmbeddedHistorian::page(const PageRequest& request) const {
  return Lease(*this)->page(request);
}

std::optional<Sample> EmbeddedHistorian::latest(const std::string& node_id, const Filter& filter,
                                                TimeUs before) const {
  return Lease(*this)->latest(node_id, filter, before);
}

std::vector<plant::Run> EmbeddedHistorian::runs(const Filter& filter, bool with_samples) const {
  return Lease(*this)->runs(filter, with_samples);
}

std::vector<plant::Tag> EmbeddedHistorian::tags(const std::string& line_id) const {
  return Lease(*this)->tags(line_id);
}

std::vector<ImportRecord> EmbeddedHistorian::imports(const std::string& line_id,
                                                     std::int64_t limit) const {
  return Lease(*this)->imports(line_id, limit);
}

std::vector<DamagedChunk> EmbeddedHistorian::verify() const {
  return Lease(*this)->verify();
}

}  // namespace flyball::historian
