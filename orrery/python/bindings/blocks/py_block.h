#pragma once

#include <memory>
#include <string>
#include <utility>

#include <pybind11/pybind11.h>

#include "orrery/model/block.h"
#include "orrery/model/equation_set.h"
#include "orrery/python/bindings/blocks/formulas.h"

namespace orrery::python {

/// A block whose equations are a generator in Python.
class PyBlock : public Block {
 public:
  /// @param self the block in Python, which owns this one or its diagram.
  PyBlock(std::string name, pybind11::handle self)
      : Block(std::move(name)), self_(self) {}

  void Equations(EquationSet& eq) override;

  /// The present call of `Equations`; null if there is none.
  [[nodiscard]] const std::shared_ptr<python::Trace>& trace() const noexcept {
    return trace_;
  }

 protected:
  [[nodiscard]] const EquationNotation& notation() const noexcept override;

 private:
  pybind11::handle self_;  // Not counted: it outlives this one.
  std::shared_ptr<python::Trace> trace_;
};

}  // namespace orrery::python
