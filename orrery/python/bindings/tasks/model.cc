#include "orrery/python/bindings/tasks/model.h"

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/time.h"
#include "orrery/process/tasks/task.h"
#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/drive.h"
#include "orrery/python/bindings/tasks/exceptions.h"
#include "orrery/python/bindings/tasks/random.h"
#include "orrery/python/bindings/tasks/waits.h"
#include "orrery/queueing/preemptive_resource.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

namespace {

using Handle = process::Handle<PyValue>;

// A task that was spawned. Several may wait for it, each with a JoinWait.
class HandleFace final : public Waitable {
 public:
  explicit HandleFace(Handle spawned) : task(std::move(spawned)) {}

  void Suspend(process::internal::Run& /*run*/,
               std::coroutine_handle<> /*frame*/) override {}

  void Resume() override {}

  PyValue Take() override { return {}; }

  Handle task;
};

struct GivesValue {
  PyValue operator()(PyValue value) const { return value; }
};

using JoinWait = WaitOnce<Handle, GivesValue>;
using CallWait = WaitOnce<process::internal::Calling<PyValue>, GivesValue>;

PyTypeObject handle_type = NewWaitableType<HandleFace>("orrery._orrery.Handle");
PyTypeObject join_type = NewWaitableType<JoinWait>("orrery._orrery._Join");
PyTypeObject call_type = NewWaitableType<CallWait>("orrery._orrery.Call");

Handle& TaskOf(PyObject* self) {
  return reinterpret_cast<ObjectWith<HandleFace>*>(self)->body.task;
}

PyObject* CancelTask(PyObject* self, PyObject* /*none*/) {
  return Guarded([&]() -> PyObject* {
    TaskOf(self).Cancel();
    Py_RETURN_NONE;
  });
}

PyObject* InterruptTask(PyObject* self,
                        PyObject* const* given,
                        Py_ssize_t count,
                        PyObject* keywords) {
  return Guarded([&]() -> PyObject* {
    const auto [cause] =
        Arguments<1>("interrupt", {"cause"}, given, count, keywords);
    const process::internal::TaskReference& task = TaskOf(self).reference();
    task.run("interrupt a task")
        .step.Stop(*task.node(),
                   std::make_exception_ptr(InterruptByPython(
                       PyValue::Borrow(cause == nullptr ? Py_None : cause))));
    Py_RETURN_NONE;
  });
}

PyObject* IsTaskOver(PyObject* self, void* /*closure*/) {
  return Guarded([&] { return PyBool_FromLong(TaskOf(self).is_over()); });
}

PyMethodDef handle_functions[] = {{"cancel", &CancelTask, METH_NOARGS, nullptr},
                                  {"interrupt",
                                   AsMethod(&InterruptTask),
                                   METH_FASTCALL | METH_KEYWORDS,
                                   nullptr},
                                  {nullptr, nullptr, 0, nullptr}};

PyGetSetDef handle_properties[] = {
    {"is_over", &IsTaskOver, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// --- orrery.Tasks.

TasksObject* Of(PyObject* self) {
  return reinterpret_cast<TasksObject*>(self);
}

PyObject* NewTasks(PyTypeObject* type,
                   PyObject* /*args*/,
                   PyObject* /*names*/) {
  return Guarded([&]() -> PyObject* {
    PyObject* self = type->tp_alloc(type, 0);
    if (self != nullptr) {
      ::new (&Of(self)->model)
          std::shared_ptr<TaskModel>(std::make_shared<TaskModel>(self));
    }
    return self;
  });
}

void DeleteTasks(PyObject* self) {
  Of(self)->model->Forget();
  Of(self)->model.~shared_ptr();
  Py_TYPE(self)->tp_free(self);
}

PyObject* SpawnTask(PyObject* self, PyObject* generator) {
  return Guarded([&] {
    return NewWaitable<HandleFace>(
        handle_type, Of(self)->model->Spawn(NewTaskOf(generator, "spawn")));
  });
}

PyObject* CallTask(PyObject* /*self*/, PyObject* generator) {
  return Guarded([&] {
    return NewWaitable<CallWait>(
        call_type,
        PyValue(),
        process::Model::Call(NewTaskOf(generator, "call")),
        GivesValue());
  });
}

PyObject* NowOf(PyObject* self, void* /*closure*/) {
  return Guarded([&] {
    return PyFloat_FromDouble(Seconds(Of(self)->model->Now()).value);
  });
}

PyObject* RandomOf(PyObject* self, PyObject* name) {
  return Guarded([&] {
    if (!PyUnicode_Check(name)) {
      PyErr_Format(PyExc_TypeError,
                   "cannot make a stream of random numbers called %R: give a "
                   "text, as in self.random(\"arrivals\")",
                   name);
      throw PythonError::Fetch();
    }
    return NewRandom(Of(self)->model->Random(TextOf(name)));
  });
}

PyObject* AnnotateTask(PyObject* self, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    const char* name = nullptr;
    PyObject* value = nullptr;
    if (PyArg_ParseTuple(args, "sO:annotate", &name, &value) == 0) {
      throw PythonError::Fetch();
    }
    const TaskModel& model = *Of(self)->model;
    if (PyBool_Check(value)) {
      model.Annotate(name, value == Py_True);
    } else if (PyLong_Check(value)) {
      model.Annotate(name, WholeOf(value));
    } else if (PyFloat_Check(value)) {
      model.Annotate(name, NumberOf(value));
    } else {
      model.Annotate(name, TextOf(value));
    }
    Py_RETURN_NONE;
  });
}

PyObject* AdoptPart(PyObject* self, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    const char* name = nullptr;
    PyObject* part = nullptr;
    if (PyArg_ParseTuple(args, "sO:_adopt", &name, &part) == 0) {
      throw PythonError::Fetch();
    }
    TaskModel::Adopt(Of(self)->model, *ModelOf(part), name);
    Py_RETURN_NONE;
  });
}

PyObject* NewSignalOf(PyObject* self, PyObject* /*none*/) {
  return Guarded([&] { return NewTaskSignal(Of(self)->model); });
}

PyMethodDef tasks_functions[] = {
    {"signal",
     &NewSignalOf,
     METH_NOARGS,
     "signal($self)\n--\n\nMakes a signal for which tasks can wait."},
    {"spawn", &SpawnTask, METH_O, nullptr},
    {"call", &CallTask, METH_O, nullptr},
    {"random", &RandomOf, METH_O, nullptr},
    {"annotate", &AnnotateTask, METH_VARARGS, nullptr},
    {"_adopt", &AdoptPart, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef tasks_properties[] = {
    {"now", &NowOf, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject tasks_type = [] {
  PyTypeObject type = NewType("orrery._orrery.Tasks", sizeof(TasksObject));
  type.tp_flags |= Py_TPFLAGS_BASETYPE;
  type.tp_new = &NewTasks;
  type.tp_dealloc = &DeleteTasks;
  type.tp_methods = tasks_functions;
  type.tp_getset = tasks_properties;
  return type;
}();

}  // namespace

void TaskModel::Start() {
  if (self_ == nullptr || PyObject_HasAttrString(self_, "start") == 0) {
    return;
  }
  const PyValue started = Checked(PyObject_CallMethod(self_, "start", nullptr));
  if (started.get() != Py_None) {
    Spawn(NewTaskOf(started.get(), "start"));
  }
}

const std::shared_ptr<TaskModel>& ModelOf(PyObject* tasks) {
  if (PyObject_TypeCheck(tasks, &tasks_type) == 0) {
    PyErr_Format(PyExc_TypeError,
                 "%R is no model of tasks: derive its class from orrery.Tasks",
                 tasks);
    throw PythonError::Fetch();
  }
  return Of(tasks)->model;
}

std::pair<std::shared_ptr<TaskModel>, std::string> PlaceOfMember(
    PyObject* args) {
  PyObject* owner = nullptr;
  const char* name = nullptr;
  if (PyArg_ParseTuple(args, "Os:_bind", &owner, &name) == 0) {
    throw PythonError::Fetch();
  }
  return {ModelOf(owner), name};
}

void CheckIsInModel(bool is_in_model, PyObject* member) {
  if (!is_in_model) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot use " + ReprOf(member) +
                    ": it is a declaration, in no model; write it in the body "
                    "of a class of Tasks, and use it as self.name");
  }
}

PyObject* NewJoinOf(PyObject* object) {
  if (Py_TYPE(object) != &handle_type) {
    return nullptr;
  }
  return NewWaitable<JoinWait>(
      join_type, PyValue(), TaskOf(object), GivesValue());
}

PyValue WaitableFor(PyObject* yielded) {
  PyObject* wait = NewJoinOf(yielded);
  if (wait == nullptr) {
    wait = NewSignalWait(yielded);
  }
  return wait != nullptr ? PyValue::Steal(wait) : PyValue::Borrow(yielded);
}

PyValue InterruptOf(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const queueing::Preempted& preempted) {
    const PyValue make = ImportedFrom("orrery.errors", "Preempted");
    return Checked(PyObject_CallFunction(make.get(),
                                         "ssdd",
                                         preempted.what(),
                                         preempted.by().c_str(),
                                         Seconds(preempted.since()).value,
                                         Seconds(preempted.usage()).value));
  } catch (const InterruptByPython& interrupt) {
    const PyValue make = ImportedFrom("orrery.errors", "Interrupt");
    return Checked(PyObject_CallOneArg(make.get(), interrupt.cause().get()));
  } catch (const process::Interrupted& interrupted) {
    const PyValue make = ImportedFrom("orrery.errors", "Interrupt");
    return Checked(PyObject_CallFunction(make.get(), "s", interrupted.what()));
  } catch (const process::Cancelled&) {
    const PyValue make = ImportedFrom("orrery.errors", "Cancelled");
    return Checked(PyObject_CallNoArgs(make.get()));
  } catch (...) {
    return PyValue::Borrow(Py_None);
  }
}

void BindTaskModel(pybind11::module_& m) {
  handle_type.tp_methods = handle_functions;
  handle_type.tp_getset = handle_properties;
  AddType(m, handle_type);
  AddType(m, join_type);
  AddType(m, call_type);
  AddType(m, tasks_type);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
