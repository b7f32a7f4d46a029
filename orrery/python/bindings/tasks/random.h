#pragma once

#include <Python.h>

#include "orrery/base/numbers/random.h"

namespace orrery::python {

/// An object of `orrery.Random`.
[[nodiscard]] PyObject* NewRandom(const RandomStream& stream);

/// The stream of such an object.
[[nodiscard]] RandomStream& StreamIn(PyObject* random);

}  // namespace orrery::python
