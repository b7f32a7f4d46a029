#pragma once

#include <Python.h>

#include <pybind11/pybind11.h>

#include "orrery/process/model/topic.h"
#include "orrery/python/bindings/py_value.h"

namespace orrery::python {

/// The topic of an object of `orrery.Topic`; null for another object.
[[nodiscard]] process::Topic<PyValue>* TopicIn(PyObject* object);

/// Adds topics to the extension.
void BindTaskTopics(pybind11::module_& m);

}  // namespace orrery::python
