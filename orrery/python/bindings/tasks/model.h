#pragma once

#include <Python.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "orrery/process/model/member.h"
#include "orrery/process/model/model.h"
#include "orrery/python/bindings/tasks/signals.h"

namespace orrery::python {

/// Keeps what owns a model until that has left it.
struct OwnerOfTasks {
  std::shared_ptr<const void> owner;
};

/// The model of tasks behind an object of `orrery.Tasks`.
class TaskModel final : private OwnerOfTasks, public process::Model {
 public:
  /// @param self the object; not counted, since it owns this model.
  explicit TaskModel(PyObject* self)
      : self_(self), signals_(Add<SignalDesk>("signals of tasks")) {}

  /// Calls `start`, and spawns the task that it may return.
  void Start() override;

  /// Makes a member, which lives as long as the model.
  template <typename M, typename... Arguments>
  M& Add(Arguments&&... arguments) {
    auto member =
        std::make_unique<M>(this, std::forward<Arguments>(arguments)...);
    M& result = *member;
    members_.push_back(std::move(member));
    return result;
  }

  /// Makes `part` a part of `whole`, which then lives as long.
  static void Adopt(const std::shared_ptr<TaskModel>& whole,
                    TaskModel& part,
                    std::string_view name) {
    static_cast<Model&>(*whole).Adopt(part, name);
    part.Keep(whole);
  }

  [[nodiscard]] PyObject* self() const noexcept { return self_; }

  [[nodiscard]] SignalDesk& signals() noexcept { return signals_; }

  void Forget() noexcept { self_ = nullptr; }

  /// Keeps what owns this model now, for as long as this lives.
  void Keep(std::shared_ptr<const void> its) { owner = std::move(its); }

 private:
  PyObject* self_;
  std::vector<std::unique_ptr<process::Member>> members_;
  SignalDesk& signals_;
};

/// An object of `orrery.Tasks`.
struct TasksObject {
  PyObject base;
  std::shared_ptr<TaskModel> model;
};

/// The model of an object.
/// @throws PythonError TypeError for an object of another class.
[[nodiscard]] const std::shared_ptr<TaskModel>& ModelOf(PyObject* tasks);

/// The model and the name that `_bind` of a member is called with.
[[nodiscard]] std::pair<std::shared_ptr<TaskModel>, std::string> PlaceOfMember(
    PyObject* args);

/// @throws Error kInvalidArgument unless the member is in a model.
void CheckIsInModel(bool is_in_model, PyObject* member);

/// Another object that waits for the end of the task of a handle; null unless
/// `object` is a handle.
[[nodiscard]] PyObject* NewJoinOf(PyObject* object);
/// Adds models of tasks to the extension.
void BindTaskModel(pybind11::module_& m);

}  // namespace orrery::python
