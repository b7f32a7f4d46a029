#pragma once

#include <Python.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "orrery/python/bindings/py_value.h"

namespace orrery::python {

/// A type of Python made in C, for objects that a run makes by the million.
[[nodiscard]] inline PyTypeObject NewType(const char* name, std::size_t size) {
  PyTypeObject type{};
  Py_SET_REFCNT(reinterpret_cast<PyObject*>(&type), 1);
  type.tp_name = name;
  type.tp_basicsize = static_cast<Py_ssize_t>(size);
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  return type;
}

/// Finishes a type and adds it to the module, under its name. Names with an
/// underscore are nobody else's.
inline void AddType(pybind11::module_& m, PyTypeObject& type) {
  if (PyType_Ready(&type) < 0) {
    throw pybind11::error_already_set();
  }
  if (std::string_view(type.tp_name).starts_with("orrery._orrery._")) {
    return;
  }
  const std::string name = type.tp_name;
  m.add_object(name.substr(name.find_last_of('.') + 1).c_str(),
               pybind11::handle(reinterpret_cast<PyObject*>(&type)));
}

/// Memory of objects of one C type, kept for the next ones.
template <typename Object>
class FreeList {
 public:
  /// Makes an object of `type`, whose body is made of `arguments`.
  template <typename... Arguments>
  [[nodiscard]] static Object* New(PyTypeObject& type,
                                   Arguments&&... arguments) {
    void* memory = nullptr;
    std::vector<void*>& free = list();
    if (free.empty()) {
      memory = PyObject_Malloc(sizeof(Object));
      if (memory == nullptr) {
        throw std::bad_alloc();
      }
    } else {
      memory = free.back();
      free.pop_back();
    }
    Object* object = nullptr;
    try {
      object = ::new (memory) Object{{}, std::forward<Arguments>(arguments)...};
    } catch (...) {
      PyObject_Free(memory);
      throw;
    }
    PyObject_Init(reinterpret_cast<PyObject*>(object), &type);
    return object;
  }

  /// For tp_dealloc.
  static void Delete(PyObject* object) noexcept {
    reinterpret_cast<Object*>(object)->~Object();
    std::vector<void*>& free = list();
    if (free.size() < kMost) {
      free.push_back(object);
    } else {
      PyObject_Free(object);
    }
  }

 private:
  static constexpr std::size_t kMost = 4096;

  static std::vector<void*>& list() {
    static std::vector<void*> free = [] {
      std::vector<void*> room;
      room.reserve(kMost);
      return room;
    }();
    return free;
  }
};

/// The arguments of a call by METH_FASTCALL, by position or name; null where
/// none was given.
template <std::size_t kSize>
[[nodiscard]] std::array<PyObject*, kSize> Arguments(
    const char* function,
    const std::array<const char*, kSize>& names,
    PyObject* const* given,
    Py_ssize_t count,
    PyObject* keywords) {
  std::array<PyObject*, kSize> values{};
  if (count > static_cast<Py_ssize_t>(kSize)) {
    PyErr_Format(PyExc_TypeError,
                 "%s() takes at most %zu arguments, not %zd",
                 function,
                 kSize,
                 count);
    throw PythonError::Fetch();
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    values[static_cast<std::size_t>(i)] = given[i];
  }
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* const name = PyTuple_GET_ITEM(keywords, k);
    std::size_t i = 0;
    while (i < kSize && PyUnicode_CompareWithASCIIString(name, names[i]) != 0) {
      ++i;
    }
    if (i == kSize || values[i] != nullptr) {
      PyErr_Format(PyExc_TypeError,
                   i == kSize ? "%s() has no parameter '%U'"
                              : "%s() was given '%U' twice",
                   function,
                   name);
      throw PythonError::Fetch();
    }
    values[i] = given[count + k];
  }
  return values;
}

/// Reads the arguments of a call with a tuple and a dictionary, by position or
/// name, as PyArg_ParseTupleAndKeywords does.
/// @throws PythonError TypeError for others than `format` asks for.
template <typename... Values>
void ReadArguments(PyObject* given,
                   PyObject* keywords,
                   const char* format,
                   std::array<const char*, sizeof...(Values) + 1> names,
                   Values*... values) {
  // NOLINTNEXTLINE(*-pro-type-const-cast): so it asks for what it only reads.
  auto** const list = const_cast<char**>(names.data());
  if (PyArg_ParseTupleAndKeywords(given, keywords, format, list, values...) ==
      0) {
    throw PythonError::Fetch();
  }
}

/// A number of Python.
/// @throws PythonError for what is none.
[[nodiscard]] inline double NumberOf(PyObject* object) {
  const double number = PyFloat_AsDouble(object);
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    throw PythonError::Fetch();
  }
  return number;
}

/// The number that an object is; none for truths and other objects.
[[nodiscard]] inline std::optional<double> AsNumber(PyObject* object) {
  if (PyFloat_Check(object)) {
    return PyFloat_AS_DOUBLE(object);
  }
  if (PyLong_Check(object) && !PyBool_Check(object)) {
    return NumberOf(object);
  }
  const PyNumberMethods* numbers = Py_TYPE(object)->tp_as_number;
  if (!PyBool_Check(object) && numbers != nullptr &&
      numbers->nb_float != nullptr) {  // Such as one of numpy.
    return NumberOf(object);
  }
  return std::nullopt;
}

[[nodiscard]] inline std::int64_t WholeOf(PyObject* object) {
  const PyValue index = Checked(PyNumber_Index(object));
  const std::int64_t number = PyLong_AsLongLong(index.get());
  if (number == -1 && PyErr_Occurred() != nullptr) {
    throw PythonError::Fetch();
  }
  return number;
}

[[nodiscard]] inline bool TruthOf(PyObject* object) {
  const int truth = PyObject_IsTrue(object);
  if (truth < 0) {
    throw PythonError::Fetch();
  }
  return truth == 1;
}

template <typename Function>
[[nodiscard]] PyCFunction AsMethod(Function* function) noexcept {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}

}  // namespace orrery::python
