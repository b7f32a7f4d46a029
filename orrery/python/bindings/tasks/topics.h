#pragma once

#include <Python.h>

#include "orrery/process/model/topic.h"
#include "orrery/python/bindings/py_value.h"

namespace orrery::python {

/// The topic of an object of `orrery.Topic`; null for another object.
[[nodiscard]] process::Topic<PyValue>* TopicIn(PyObject* object);

}  // namespace orrery::python
