#pragma once

#include <Python.h>

#include <exception>
#include <string>
#include <utility>

#include "orrery/base/values/record.h"

namespace orrery::python {

/// A counted reference to an object of Python; may be empty. All functions need
/// the GIL.
// NOLINTNEXTLINE(*-special-member-functions): one assignment copies and moves.
class PyValue {
 public:
  PyValue() = default;

  /// Takes over a reference.
  [[nodiscard]] static PyValue Steal(PyObject* object) noexcept {
    PyValue value;
    value.object_ = object;
    return value;
  }

  /// Makes a reference of its own.
  [[nodiscard]] static PyValue Borrow(PyObject* object) noexcept {
    Py_XINCREF(object);
    return Steal(object);
  }

  PyValue(const PyValue& other) noexcept : object_(other.object_) {
    Py_XINCREF(object_);
  }

  PyValue(PyValue&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)) {}

  PyValue& operator=(PyValue other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  ~PyValue() { Py_XDECREF(object_); }

  [[nodiscard]] PyObject* get() const noexcept { return object_; }

  /// Gives the reference away.
  [[nodiscard]] PyObject* Release() noexcept {
    return std::exchange(object_, nullptr);
  }

  [[nodiscard]] explicit operator bool() const noexcept {
    return object_ != nullptr;
  }

  /// As `==` of Python.
  /// @throws PythonError that it raises.
  friend bool operator==(const PyValue& a, const PyValue& b);

  /// A number, truth or text; or the items of a dictionary or the attributes of
  /// an object. Others are recorded as texts.
  void Describe(Record& record) const;

 private:
  PyObject* object_ = nullptr;
};

/// An exception of Python on its way through C++. `what()` is as Python shows
/// it: "ValueError: no such part (line 7 of depot.py)".
class PythonError : public std::exception {
 public:
  /// @param exception an instance, with its traceback.
  explicit PythonError(PyValue exception);

  /// Takes the exception that is set, and clears it.
  [[nodiscard]] static PythonError Fetch();

  [[nodiscard]] const char* what() const noexcept override {
    return text_.c_str();
  }

  [[nodiscard]] const PyValue& exception() const noexcept { return exception_; }

 private:
  PyValue exception_;
  std::string text_;
};

/// @returns the object of a call that gave a new reference.
/// @throws PythonError if it gave none.
[[nodiscard]] inline PyValue Checked(PyObject* object) {
  if (object == nullptr) [[unlikely]] {
    throw PythonError::Fetch();
  }
  return PyValue::Steal(object);
}

/// An attribute of a module that has been imported or can be.
[[nodiscard]] PyValue ImportedFrom(const char* module, const char* name);

/// Text for people, as of `str(object)` and `repr(object)`.
[[nodiscard]] std::string TextOf(PyObject* object);
[[nodiscard]] std::string ReprOf(PyObject* object);

/// The exception object of Python for an exception of C++.
[[nodiscard]] PyValue ExceptionOf(const std::exception_ptr& thrown);

/// Sets the exception that is being handled as that of Python.
void SetRaised() noexcept;

/// Calls a function for Python: what it throws is raised there.
template <typename F>
PyObject* Guarded(const F& function) noexcept {
  try {
    return function();
  } catch (...) {
    SetRaised();
    return nullptr;
  }
}

}  // namespace orrery::python
