#include "orrery/python/bindings/bindings.h"

namespace orrery::python {

void BindModel(pybind11::module_& m) {
  static_cast<void>(m);
}

}  // namespace orrery::python
