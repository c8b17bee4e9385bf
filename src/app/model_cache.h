#pragma once
// The models that predictions used last, ready to run: reading one costs far more than running it.
#include <memory>
#include <vector>

#include "evaluate/load_model.h"
#include "registry/registry.h"

namespace flyball::app {

struct ReadyModel {
  evaluate::LoadedModel model;
  Json uq;  ///< of uq.json
};

class ModelCache {
 public:
  explicit ModelCache(std::size_t capacity = 4) : capacity_(capacity) {}

  /// Reads the files of a model (checking their hashes) unless it is here. Throws what
  /// Registry::model_file and evaluate::load_model throw.
  std::shared_ptr<const ReadyModel> get(const registry::Registry& registry,
                                        const registry::ModelRow& row);

 private:
  struct Entry {
    std::string id, hash;
    std::shared_ptr<const ReadyModel> ready;
  };
  std::size_t capacity_;
  std::vector<Entry> entries_;  ///< the newest use last
};

}  // namespace flyball::app
