#include "orrery/python/bindings/bindings.h"

namespace orrery::python {

void BindTasks(pybind11::module_& m) {
  static_cast<void>(m);
}

}  // namespace orrery::python
