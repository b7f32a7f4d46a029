#pragma once

#include <Python.h>

#include <pybind11/pybind11.h>

#include "orrery/devs/modeling/bag.h"
#include "orrery/devs/modeling/port.h"
#include "orrery/python/bindings/devs/model.h"
#include "orrery/python/bindings/py_value.h"

namespace orrery::python {

/// The port of an object.
/// @throws as DevsModelOf.
[[nodiscard]] const devs::Port& PortOf(PyObject* object);

/// The object of a port.
[[nodiscard]] PyValue NewPort(const devs::Port& port, ModelLink& link);

/// Adds ports and bags to the extension.
void BindDevsPorts(pybind11::module_& m);

/// The bag of a call, for Python; Forget ends its use.
[[nodiscard]] PyValue NewBag(const devs::Bag& received);
[[nodiscard]] PyValue NewBag(devs::Bag& sent);
void ForgetBag(const PyValue& bag) noexcept;

}  // namespace orrery::python
