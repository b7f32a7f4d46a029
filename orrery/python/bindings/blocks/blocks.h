#pragma once

#include <memory>
#include <utility>

#include <pybind11/pybind11.h>

#include "orrery/model/block.h"

namespace orrery::python {

/// A block in the hands of Python: its own, or a part of a diagram that Python
/// keeps alive.
struct BlockCore {
  std::unique_ptr<Block> owned;
  Block* block = nullptr;

  explicit BlockCore(std::unique_ptr<Block> made)
      : owned(std::move(made)), block(owned.get()) {}
};

/// Adds blocks and diagrams to the extension.
void BindBlocks(pybind11::module_& m);

}  // namespace orrery::python
