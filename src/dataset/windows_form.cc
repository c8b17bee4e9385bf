#include "dataset/windows_form.h"

#include "dataset/split.h"

namespace flyball::dataset {
namespace {

std::vector<std::size_t> columns_of(const Spec& spec, WindowArray array) {
  std::vector<std::size_t> out;
  for (std::size_t c = 0; c < spec.variables.size(); ++c) {
    const Role role = spec.variables[c].role;
    if (array == WindowArray::x || (array == WindowArray::u && role == Role::mv) ||
        (array == WindowArray::y && role == Role::cv)) {
      out.push_back(c);
    }
  }
  return out;
}

/// (value − mean)/std as it is stored.
float normalised(double value, double mean, double std, bool constant) {
  return static_cast<float>(constant ? 0 : (value - mean) / std);
}

/// Rows [first, end) of one window, to the pieces.
class WindowRows {
 public:
  WindowRows(WindowArray array, const Spec& spec, const Norm& norm, Pieces& out)
      : array_(array), norm_(norm), columns_(columns_of(spec, array)), out_(out) {
    for (std::size_t c = 0; c < norm.min.size(); ++c)
      constant_.push_back(is_constant(norm.min[c], norm.max[c]));
  }

  void add(const Series& run, Index first, Index end) {
    for (Index row = first; row < end; ++row) {
      if (array_ == WindowArray::timestamps) {
        out_.add(static_cast<double>(run.t[static_cast<std::size_t>(row)]) / 1000);
      } else if (array_ == WindowArray::mask) {
        out_.add((run.mask.row(row).array() == 2).any() ? 2.0F : 1.0F);
      } else {
        for (const std::size_t c : columns_) {
          out_.add(normalised(run.values(row, static_cast<Index>(c)), norm_.mean[c], norm_.std[c],
                              constant_[c]));
        }
      }
    }
  }

 private:
  WindowArray array_;
  const Norm& norm_;
  std::vector<std::size_t> columns_;
  std::vector<bool> constant_;
  Pieces& out_;
};

}  // namespace

void emit_windows(WindowArray array, const Spec& spec, const std::vector<Block>& blocks,
                  const Norm& norm, const RunSource& runs, const Sink& sink) {
  Pieces pieces(sink);
  WindowRows rows(array, spec, norm, pieces);
  const Index history = spec.window.history_steps, horizon = spec.window.horizon_steps;
  const bool with_history = array != WindowArray::u && array != WindowArray::y;
  const bool with_horizon = array != WindowArray::x;
  for (const Block& block : blocks) {
    const Series& run = runs.of(block.run_id);
    for_each_window(run, spec, block.first_step, block.steps, [&](Index t) {
      rows.add(run, with_history ? t - history : t, with_horizon ? t + horizon : t);
    });
  }
  pieces.flush();
}

}  // namespace flyball::dataset
