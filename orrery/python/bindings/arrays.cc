#include "orrery/python/bindings/arrays.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "orrery/base/error.h"

namespace py = pybind11;

namespace orrery::python {

py::array ViewOf(std::span<const double> values, const py::handle& owner) {
  return ViewOf(values.data(), values.size(), sizeof(double), owner);
}

py::array Frozen(std::vector<double> values) {
  auto kept = std::make_unique<std::vector<double>>(std::move(values));
  const std::span<const double> all = *kept;
  const py::capsule owner(kept.release(), [](void* memory) {
    delete static_cast<std::vector<double>*>(memory);
  });
  return ViewOf(all, owner);
}

py::array Repeated(double value, std::size_t count) {
  const py::array one = Frozen({value});
  return ViewOf(static_cast<const double*>(one.data()), count, 0, one);
}

void Require(bool holds, const std::string& what) {
  if (!holds) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take the pickle of results: it is damaged (" + what +
                    " does not fit); take another copy");
  }
}

}  // namespace orrery::python
