#include "orrery/python/bindings/tasks/activities.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "orrery/base/error.h"
#include "orrery/base/values/parameters.h"
#include "orrery/process/plan/activity.h"
#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/drive.h"
#include "orrery/python/bindings/tasks/model.h"
#include "orrery/python/bindings/tasks/waits.h"

namespace py = pybind11;

namespace orrery::python {

namespace {

struct Argument {
  std::string name;
  PyValue default_value;
};

// The value of an argument of a plan, of the type of its default.
PyValue ValueOf(Parameters& plan, const Argument& argument) {
  PyObject* const value = argument.default_value.get();
  const std::string& name = argument.name;
  if (PyBool_Check(value)) {
    return Checked(PyBool_FromLong(plan.Get(name, value == Py_True, name)));
  }
  if (PyLong_Check(value)) {
    return Checked(PyLong_FromLongLong(
        plan.Get(name, std::int64_t{WholeOf(value)}, name)));
  }
  if (PyFloat_Check(value)) {
    return Checked(PyFloat_FromDouble(plan.Get(name, NumberOf(value), name)));
  }
  if (PyUnicode_Check(value)) {
    const std::string text = plan.Get(name, TextOf(value), name);
    return Checked(PyUnicode_FromString(text.c_str()));
  }
  // A timedelta: the task is given seconds.
  const Duration time = plan.Get(name, DurationOf(value), name);
  return Checked(PyFloat_FromDouble(Seconds(time).value));
}

// Makes the task of an activity by the function of the model's object.
class MakesActivity {
 public:
  MakesActivity(const TaskModel& model,
                std::string function,
                std::vector<Argument> arguments)
      : model_(&model),
        function_(std::move(function)),
        arguments_(std::move(arguments)) {}

  process::Task<PyValue> operator()(Parameters& plan) const {
    const PyValue named = Checked(PyDict_New());
    for (const Argument& argument : arguments_) {
      const PyValue value = ValueOf(plan, argument);
      PyDict_SetItemString(named.get(), argument.name.c_str(), value.get());
    }
    const PyValue function =
        Checked(PyObject_GetAttrString(model_->self(), function_.c_str()));
    return DriveCall(function, named);
  }

 private:
  const TaskModel* model_;
  std::string function_;
  std::vector<Argument> arguments_;
};

void AddActivity(const py::object& owner,
                 const std::string& name,
                 const std::string& function,
                 const std::string& meaning,
                 const py::list& arguments) {
  std::vector<Argument> its;
  for (const py::handle& argument : arguments) {
    const auto [its_name, value] =
        argument.cast<std::pair<std::string, py::object>>();
    its.push_back(
        {.name = its_name, .default_value = PyValue::Borrow(value.ptr())});
  }
  const std::shared_ptr<TaskModel>& model = ModelOf(owner.ptr());
  model->Add<process::Activity>(
      name, meaning, MakesActivity(*model, function, std::move(its)));
}

}  // namespace

void BindTaskActivities(py::module_& m) {
  m.def("add_activity", &AddActivity);
}

}  // namespace orrery::python
