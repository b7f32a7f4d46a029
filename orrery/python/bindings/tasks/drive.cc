#include "orrery/python/bindings/tasks/drive.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/waits.h"

namespace orrery::python {

namespace {

// The names of functions, which must outlive all runs. A code object is kept,
// so that its address stays its own.
const char* NameOfCode(PyObject* code, PyObject* name) {
  static PyObject* last = nullptr;
  static const char* last_name = nullptr;
  if (code == last) {
    return last_name;
  }
  static std::unordered_map<PyObject*, std::string> names;
  auto [found, is_new] = names.try_emplace(code);
  if (is_new) {
    Py_INCREF(code);
    found->second = TextOf(name);
  }
  last = code;
  last_name = found->second.c_str();
  return last_name;
}

const char* NameOfGenerator(PyObject* generator) {
  PyCodeObject* code = nullptr;
  if (PyGen_CheckExact(generator)) {
    code = reinterpret_cast<PyGenObject*>(generator)->gi_code;
  } else if (PyCoro_CheckExact(generator)) {
    code = reinterpret_cast<PyCoroObject*>(generator)->cr_code;
  } else {
    return Py_TYPE(generator)->tp_name;
  }
  return NameOfCode(reinterpret_cast<PyObject*>(code), code->co_name);
}

// As ToDuration, for seconds from 0 to 1e9.
Duration DelayOfSome(double seconds) {
  constexpr std::int64_t kTicksInSecond = 1'000'000'000;
  const auto whole = static_cast<std::int64_t>(seconds);
  const double rest = seconds - static_cast<double>(whole);
  const std::int64_t ticks =
      rest == 0 ? 0 : std::llrint(rest * static_cast<double>(kTicksInSecond));
  return Duration(whole * kTicksInSecond + ticks);
}

bool IsGenerator(PyObject* object) {
  return PyGen_CheckExact(object) || PyCoro_CheckExact(object) ||
         (PyIter_Check(object) != 0 &&
          PyObject_HasAttrString(object, "send") != 0 &&
          PyObject_HasAttrString(object, "throw") != 0);
}

}  // namespace

Driver::~Driver() {
  if (wait_ != nullptr) {
    wait_->Leave();
  }
  if (is_over_ || Py_REFCNT(generator_.get()) == 1) {
    return;  // If it is not over, it is closed when it goes.
  }
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  const PyValue closed =
      PyValue::Steal(PyObject_CallMethod(generator_.get(), "close", nullptr));
  if (!closed) {
    PyErr_WriteUnraisable(generator_.get());
  }
  PyErr_Restore(type, value, traceback);
}

PySendResult Driver::Send(PyObject** yielded) {
  if (!thrown_) [[likely]] {
    const PyValue sent = std::move(sent_);
    return PyIter_Send(generator_.get(), sent ? sent.get() : Py_None, yielded);
  }
  const PyValue thrown = std::move(thrown_);
  *yielded = PyObject_CallMethod(generator_.get(), "throw", "O", thrown.get());
  if (*yielded != nullptr) {
    return PYGEN_NEXT;
  }
  if (PyErr_ExceptionMatches(PyExc_StopIteration) == 0) {
    return PYGEN_ERROR;
  }
  const PythonError stop = PythonError::Fetch();
  *yielded = PyObject_GetAttrString(stop.exception().get(), "value");
  return PYGEN_RETURN;
}

bool Driver::GoOn() {
  for (;;) {
    PyObject* yielded = nullptr;
    const PySendResult how = Send(&yielded);
    if (how == PYGEN_NEXT) [[likely]] {
      if (PyFloat_CheckExact(yielded)) {
        const double seconds = PyFloat_AS_DOUBLE(yielded);
        if (seconds >= 0 && seconds < 1e9) [[likely]] {
          Py_DECREF(yielded);
          delay_ = DelayOfSome(seconds);
          return true;
        }
      }
      if (Accept(PyValue::Steal(yielded))) {
        return true;
      }
      continue;
    }
    is_over_ = true;
    if (how == PYGEN_ERROR) {
      throw PythonError::Fetch();
    }
    sent_ = PyValue::Steal(yielded);
    return false;
  }
}

// Errors are raised where the generator has yielded the value.
bool Driver::Accept(PyValue yielded) {
  try {
    if (IsWaitable(yielded.get())) {
      waitable_ = WaitableFor(yielded.get());
      wait_ = reinterpret_cast<WaitableObject*>(waitable_.get())->waitable;
      wait_->Begin();
      return true;
    }
    if (const auto seconds = AsNumber(yielded.get())) {
      delay_ = DelayOf(*seconds);
      return true;
    }
    PyErr_SetString(PyExc_TypeError, WhyNoWait(yielded.get()).c_str());
    throw PythonError::Fetch();
  } catch (...) {
    Forget();
    Throw(std::current_exception());
    return false;
  }
}

void Driver::Throw(const std::exception_ptr& thrown) {
  if (wait_ != nullptr) {
    wait_->Leave();
    Forget();
  }
  thrown_ = ExceptionOf(thrown);
}

process::Task<PyValue> Drive(PyValue generator) {
  Driver driver(std::move(generator));
  while (driver.GoOn()) {
    try {
      co_await driver;
    } catch (...) {
      driver.Throw(std::current_exception());
    }
  }
  co_return driver.TakeResult();
}

namespace {

// "method Bank.customer" for what has such a name, else as Python has it.
std::string DescribeGiven(PyObject* given) {
  const bool is_method = PyMethod_Check(given) != 0;
  if (!is_method && PyFunction_Check(given) == 0) {
    return ReprOf(given);
  }
  return (is_method ? "method " : "function ") +
         TextOf(Checked(PyObject_GetAttrString(given, "__qualname__")).get());
}

// How an author writes the name of `given`, which can be called.
std::string WrittenName(PyObject* given) {
  const bool is_method = PyMethod_Check(given) != 0;
  if (!is_method && PyFunction_Check(given) == 0) {
    return "work";
  }
  return (is_method ? "self." : "") +
         TextOf(Checked(PyObject_GetAttrString(given, "__name__")).get());
}

void CheckIsTask(PyObject* generator, const char* verb) {
  if (!IsGenerator(generator)) {
    std::string why = "cannot " + std::string(verb) + " " +
                      DescribeGiven(generator) + ": it is no task";
    if (PyCallable_Check(generator) != 0) {
      why += "; call it, " + std::string(verb) + "(" + WrittenName(generator) +
             "()); it must be a generator (it has a yield) or an async def";
    } else if (generator == Py_None) {
      why +=
          "; the function must be a generator (with a yield in it) or an "
          "async def";
    } else {
      why += "; give what a generator function or an async def returns";
    }
    PyErr_SetString(PyExc_TypeError, why.c_str());
    throw PythonError::Fetch();
  }
}

PyValue CalledFor(PyObject* function, PyObject* named) {
  const PyValue none = Checked(PyTuple_New(0));
  PyValue task = Checked(PyObject_Call(function, none.get(), named));
  CheckIsTask(task.get(), "begin");
  return task;
}

}  // namespace

process::Task<PyValue> DriveCall(PyValue function, PyValue named) {
  Driver driver(CalledFor(function.get(), named.get()));
  while (driver.GoOn()) {
    try {
      co_await driver;
    } catch (...) {
      driver.Throw(std::current_exception());
    }
  }
  co_return driver.TakeResult();
}

process::Task<PyValue> NewTaskOf(PyObject* generator, const char* verb) {
  CheckIsTask(generator, verb);
  process::Task<PyValue> task = Drive(PyValue::Borrow(generator));
  task.SetName(NameOfGenerator(generator));
  return task;
}

}  // namespace orrery::python
