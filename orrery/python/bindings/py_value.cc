#include "orrery/python/bindings/py_value.h"

#include <frameobject.h>

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <pybind11/pybind11.h>

#include "orrery/base/error.h"
#include "orrery/base/system/stop_scope.h"
#include "orrery/process/tasks/task.h"
#include "orrery/python/bindings/errors.h"
#include "orrery/python/bindings/tasks/exceptions.h"

namespace orrery::python {

namespace {

// A dictionary, or that of the attributes of an object that is there to hold
// some; empty for others.
PyValue ItemsOf(PyObject* object) {
  if (PyUnicode_Check(object)) {
    return {};
  }
  PyValue items;
  if (PyDict_Check(object)) {
    items = PyValue::Borrow(object);
  } else if (PyTuple_Check(object)) {  // A named tuple has _asdict.
    items = PyValue::Steal(PyObject_CallMethod(object, "_asdict", nullptr));
  } else {
    items = PyValue::Steal(PyObject_GetAttrString(object, "__dict__"));
  }
  PyErr_Clear();
  return items && PyDict_Check(items.get()) ? items : PyValue();
}

void DescribeItems(PyObject* items, Record& record) {
  PyObject* name = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t place = 0;
  while (PyDict_Next(items, &place, &name, &value) != 0) {
    record.Add(TextOf(name), PyValue::Borrow(value));
  }
}

// The place of the innermost frame of a traceback, as " (line 7 of depot.py)".
std::string PlaceOf(PyObject* exception) {
  const PyValue traceback = PyValue::Steal(PyException_GetTraceback(exception));
  if (!traceback) {
    return "";
  }
  auto* at = reinterpret_cast<PyTracebackObject*>(traceback.get());
  while (at->tb_next != nullptr) {
    at = at->tb_next;
  }
  const PyValue line = PyValue::Steal(
      PyObject_GetAttrString(reinterpret_cast<PyObject*>(at), "tb_lineno"));
  const PyValue code = PyValue::Steal(
      reinterpret_cast<PyObject*>(PyFrame_GetCode(at->tb_frame)));
  const std::string path =
      TextOf(reinterpret_cast<PyCodeObject*>(code.get())->co_filename);
  return " (line " + (line ? TextOf(line.get()) : "?") + " of " +
         path.substr(path.find_last_of('/') + 1) + ")";
}

std::string DescribeException(PyObject* exception) {
  std::string text = Py_TYPE(exception)->tp_name;
  text = text.substr(text.find_last_of('.') + 1);
  const std::string message = TextOf(exception);
  if (!message.empty()) {
    text += ": " + message;
  }
  return text + PlaceOf(exception);
}

// An error that tells of an exception of Python has it as its cause.
void SetCause(PyObject* exception, const Error& error) {
  try {
    std::rethrow_if_nested(error);
  } catch (...) {
    PyValue cause = ExceptionOf(std::current_exception());
    PyException_SetCause(exception, cause.Release());
  }
}

}  // namespace

bool operator==(const PyValue& a, const PyValue& b) {
  if (a.object_ == b.object_ || !a || !b) {
    return a.object_ == b.object_;
  }
  const int result = PyObject_RichCompareBool(a.object_, b.object_, Py_EQ);
  if (result < 0) {
    throw PythonError::Fetch();
  }
  return result == 1;
}

void PyValue::Describe(Record& record) const {
  if (object_ == nullptr || object_ == Py_None) {
    record.Add("", std::optional<bool>());
  } else if (PyBool_Check(object_)) {
    record.Add("", object_ == Py_True);
  } else if (PyLong_Check(object_)) {
    int overflow = 0;
    record.Add("", PyLong_AsLongLongAndOverflow(object_, &overflow));
  } else if (PyFloat_Check(object_)) {
    record.Add("", PyFloat_AS_DOUBLE(object_));
  } else if (const PyValue items = ItemsOf(object_)) {
    DescribeItems(items.get(), record);
  } else {
    record.Add("", TextOf(object_));
  }
}

PythonError::PythonError(PyValue exception)
    : exception_(std::move(exception)),
      text_(DescribeException(exception_.get())) {}

PythonError PythonError::Fetch() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr) {
    PyException_SetTraceback(value, traceback);
  }
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return PythonError(PyValue::Steal(value));
}

PyValue ImportedFrom(const char* module, const char* name) {
  const PyValue found = Checked(PyImport_ImportModule(module));
  return Checked(PyObject_GetAttrString(found.get(), name));
}

std::string TextOf(PyObject* object) {
  const PyValue text = PyValue::Steal(PyObject_Str(object));
  const char* const bytes = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  if (bytes == nullptr) {
    PyErr_Clear();
    return "?";
  }
  return bytes;
}

std::string ReprOf(PyObject* object) {
  const PyValue text = PyValue::Steal(PyObject_Repr(object));
  const char* const bytes = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  if (bytes == nullptr) {
    PyErr_Clear();
    return "?";
  }
  return bytes;
}

PyValue ExceptionOf(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const PythonError& error) {
    return error.exception();
  } catch (pybind11::error_already_set& error) {
    error.restore();
    return PythonError::Fetch().exception();
  } catch (const Error& error) {
    PyValue exception = PyValue::Steal(ToPython(error).release().ptr());
    SetCause(exception.get(), error);
    return exception;
  } catch (const process::Interrupted&) {
    return InterruptOf(thrown);
  } catch (const process::Cancelled&) {
    return InterruptOf(thrown);
  } catch (const Stopped&) {
    return PyValue::Steal(PyObject_CallNoArgs(PyExc_KeyboardInterrupt));
  } catch (const std::exception& exception) {
    const std::string_view what = exception.what();
    const PyValue text = Checked(PyUnicode_DecodeUTF8(
        what.data(), static_cast<Py_ssize_t>(what.size()), "replace"));
    return PyValue::Steal(PyObject_CallOneArg(PyExc_RuntimeError, text.get()));
  } catch (...) {
    return PyValue::Steal(PyObject_CallNoArgs(PyExc_RuntimeError));
  }
}

void SetRaised() noexcept {
  try {
    const PyValue exception = ExceptionOf(std::current_exception());
    if (exception) {
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.get())),
                      exception.get());
    }
  } catch (pybind11::error_already_set& error) {  // As Ctrl-C, just now.
    error.restore();
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "an exception could not be told");
  }
}

}  // namespace orrery::python
