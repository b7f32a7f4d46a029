#pragma once

#include <Python.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <vector>

#include <pybind11/pybind11.h>

#include "orrery/process/model/facility.h"
#include "orrery/python/bindings/py_value.h"

namespace orrery::python {

struct TaskSignal;
class TaskModel;

/// Lets tasks go on that wait for signals of a model, which may be made during
/// the run.
class SignalDesk final : public process::Facility {
 public:
  SignalDesk(process::Model* owner, std::string_view name)
      : Facility(owner, name) {}

  [[nodiscard]] std::shared_ptr<TaskSignal> NewSignal();

  /// Sets or clears a signal, at the end of the batch.
  void Set(std::shared_ptr<TaskSignal> signal,
           PyValue value,
           std::exception_ptr failure);
  void Clear(std::shared_ptr<TaskSignal> signal);

  [[nodiscard]] bool IsSet(const TaskSignal& signal) const;

 private:
  struct Change {
    std::shared_ptr<TaskSignal> signal;
    bool is_set;
    PyValue value;
    std::exception_ptr failure;
  };

  void Reset() override;

  // Signals lie outside of the run: there are snapshots only without any.
  [[nodiscard]] std::shared_ptr<const void> Save() const override;
  void OnRequested(process::Request& request) override;
  void OnPosted(std::uint64_t number) override;
  void Settle() override;

  std::vector<Change> changes_;  // Changes of the batch at work.
  std::vector<std::shared_ptr<TaskSignal>> touched_;
  std::vector<std::weak_ptr<TaskSignal>> known_;
};

/// Another signal of a model.
[[nodiscard]] PyObject* NewTaskSignal(const std::shared_ptr<TaskModel>& model);

/// Another object that waits for a signal; null unless `object` is one.
[[nodiscard]] PyObject* NewSignalWait(PyObject* object);

/// Adds signals between tasks to the extension.
void BindTaskSignals(pybind11::module_& m);

}  // namespace orrery::python
