#include "orrery/python/bindings/tasks/random.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/python/bindings/py_types.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

namespace {

struct RandomObject {
  PyObject base;
  RandomStream stream;
};

RandomStream& StreamOf(PyObject* self) {
  return reinterpret_cast<RandomObject*>(self)->stream;
}

void CheckCount(const char* function, Py_ssize_t given, Py_ssize_t wanted) {
  if (given != wanted) {
    PyErr_Format(PyExc_TypeError,
                 "%s() takes %zd numbers, not %zd",
                 function,
                 wanted,
                 given);
    throw PythonError::Fetch();
  }
}

// The distributions with as many parameters that are numbers.
template <double (RandomStream::*kDraw)(double)>
PyObject* DrawByOne(PyObject* self, PyObject* parameter) {
  return Guarded([&] {
    return PyFloat_FromDouble((StreamOf(self).*kDraw)(NumberOf(parameter)));
  });
}

template <double (RandomStream::*kDraw)(double, double)>
PyObject* DrawByTwo(PyObject* self, PyObject* const* given, Py_ssize_t count) {
  return Guarded([&] {
    CheckCount("this distribution", count, 2);
    const double first = NumberOf(given[0]);
    return PyFloat_FromDouble(
        (StreamOf(self).*kDraw)(first, NumberOf(given[1])));
  });
}

PyObject* DrawUniform01(PyObject* self, PyObject* /*none*/) {
  return PyFloat_FromDouble(StreamOf(self).Uniform01());
}

PyObject* DrawTriangular(PyObject* self,
                         PyObject* const* given,
                         Py_ssize_t count) {
  return Guarded([&] {
    CheckCount("triangular", count, 3);
    return PyFloat_FromDouble(StreamOf(self).Triangular(
        NumberOf(given[0]), NumberOf(given[1]), NumberOf(given[2])));
  });
}

PyObject* DrawInteger(PyObject* self,
                      PyObject* const* given,
                      Py_ssize_t count) {
  return Guarded([&] {
    CheckCount("integer", count, 2);
    return PyLong_FromLongLong(
        StreamOf(self).UniformInt(WholeOf(given[0]), WholeOf(given[1])));
  });
}

PyObject* DrawBernoulli(PyObject* self, PyObject* probability) {
  return Guarded([&] {
    return PyBool_FromLong(StreamOf(self).Bernoulli(NumberOf(probability)));
  });
}

PyObject* DrawPoisson(PyObject* self, PyObject* mean) {
  return Guarded([&] {
    return PyLong_FromLongLong(StreamOf(self).Poisson(NumberOf(mean)));
  });
}

PyObject* DrawBinomial(PyObject* self,
                       PyObject* const* given,
                       Py_ssize_t count) {
  return Guarded([&] {
    CheckCount("binomial", count, 2);
    return PyLong_FromLongLong(
        StreamOf(self).Binomial(WholeOf(given[0]), NumberOf(given[1])));
  });
}

// A list or tuple that holds something.
PyValue FilledSequence(PyObject* object, const char* function) {
  PyValue items = Checked(PySequence_Fast(object, "give a sequence"));
  if (PySequence_Fast_GET_SIZE(items.get()) == 0) {
    PyErr_Format(
        PyExc_ValueError, "%s(): there is nothing to choose from", function);
    throw PythonError::Fetch();
  }
  return items;
}

PyObject* DrawDiscrete(PyObject* self, PyObject* weights) {
  return Guarded([&] {
    const PyValue items = FilledSequence(weights, "discrete");
    std::vector<double> numbers;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i) {
      numbers.push_back(NumberOf(PySequence_Fast_GET_ITEM(items.get(), i)));
    }
    return PyLong_FromSize_t(StreamOf(self).Discrete(numbers));
  });
}

PyObject* Choose(PyObject* self, PyObject* sequence) {
  return Guarded([&] {
    const PyValue items = FilledSequence(sequence, "choice");
    const Py_ssize_t place =
        StreamOf(self).UniformInt(0, PySequence_Fast_GET_SIZE(items.get()) - 1);
    return PyValue::Borrow(PySequence_Fast_GET_ITEM(items.get(), place))
        .Release();
  });
}

PyObject* ShuffleList(PyObject* self, PyObject* list) {
  return Guarded([&]() -> PyObject* {
    if (!PyList_Check(list)) {
      PyErr_Format(PyExc_TypeError, "shuffle() wants a list, not %R", list);
      throw PythonError::Fetch();
    }
    std::vector<PyValue> items;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
      items.push_back(PyValue::Borrow(PyList_GET_ITEM(list, i)));
    }
    StreamOf(self).Shuffle(std::span<PyValue>(items));
    for (std::size_t i = 0; i < items.size(); ++i) {
      PyList_SetItem(list, static_cast<Py_ssize_t>(i), items[i].Release());
    }
    Py_RETURN_NONE;
  });
}

PyObject* CopyRandom(PyObject* self,
                     PyObject* const* /*given*/,
                     Py_ssize_t /*count*/) {
  return Guarded([&] { return NewRandom(StreamOf(self)); });
}

PyMethodDef random_functions[] = {
    {"__copy__", AsMethod(&CopyRandom), METH_FASTCALL, nullptr},
    {"__deepcopy__", AsMethod(&CopyRandom), METH_FASTCALL, nullptr},
    {"random", &DrawUniform01, METH_NOARGS, nullptr},
    {"uniform",
     AsMethod(&DrawByTwo<&RandomStream::Uniform>),
     METH_FASTCALL,
     nullptr},
    {"normal",
     AsMethod(&DrawByTwo<&RandomStream::Normal>),
     METH_FASTCALL,
     nullptr},
    {"lognormal",
     AsMethod(&DrawByTwo<&RandomStream::LogNormal>),
     METH_FASTCALL,
     nullptr},
    {"exponential", &DrawByOne<&RandomStream::Exponential>, METH_O, nullptr},
    {"gamma",
     AsMethod(&DrawByTwo<&RandomStream::Gamma>),
     METH_FASTCALL,
     nullptr},
    {"beta", AsMethod(&DrawByTwo<&RandomStream::Beta>), METH_FASTCALL, nullptr},
    {"weibull",
     AsMethod(&DrawByTwo<&RandomStream::Weibull>),
     METH_FASTCALL,
     nullptr},
    {"triangular", AsMethod(&DrawTriangular), METH_FASTCALL, nullptr},
    {"integer", AsMethod(&DrawInteger), METH_FASTCALL, nullptr},
    {"bernoulli", &DrawBernoulli, METH_O, nullptr},
    {"poisson", &DrawPoisson, METH_O, nullptr},
    {"binomial", AsMethod(&DrawBinomial), METH_FASTCALL, nullptr},
    {"discrete", &DrawDiscrete, METH_O, nullptr},
    {"choice", &Choose, METH_O, nullptr},
    {"shuffle", &ShuffleList, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyObject* NewRandomOf(PyTypeObject* /*type*/, PyObject* args, PyObject* names) {
  return Guarded([&] {
    unsigned long long seed = 0;
    const char* name = "";
    ReadArguments(args, names, "K|s:Random", {"seed", "name"}, &seed, &name);
    return NewRandom(RandomStream(seed, std::string(name)));
  });
}

PyTypeObject random_type = [] {
  PyTypeObject type = NewType("orrery._orrery.Random", sizeof(RandomObject));
  type.tp_dealloc = &FreeList<RandomObject>::Delete;
  type.tp_methods = random_functions;
  type.tp_new = &NewRandomOf;
  return type;
}();

}  // namespace

PyObject* NewRandom(const RandomStream& stream) {
  return reinterpret_cast<PyObject*>(
      FreeList<RandomObject>::New(random_type, stream));
}

RandomStream& StreamIn(PyObject* random) {
  return StreamOf(random);
}

void BindTaskRandom(pybind11::module_& m) {
  AddType(m, random_type);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
