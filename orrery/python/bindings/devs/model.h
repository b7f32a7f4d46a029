#pragma once

#include <Python.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "orrery/devs/library/measures.h"
#include "orrery/devs/library/message.h"
#include "orrery/devs/modeling/model.h"
#include "orrery/devs/modeling/port.h"
#include "orrery/python/bindings/py_value.h"

namespace orrery::python {

/// A message of a DEVS model of Python.
class Message : public PyValue {
 public:
  Message() = default;

  // NOLINTNEXTLINE(google-explicit-constructor): a message is any value.
  Message(PyValue value) noexcept : PyValue(std::move(value)) {}

  /// `orrery.devs.Report`.
  explicit Message(const devs::Report& report);

  /// True: something has happened.
  explicit Message(const devs::Signal& signal);

  /// The number by which it is known: itself, or its attribute `id`.
  /// @throws PythonError if it has none.
  [[nodiscard]] std::int64_t Id() const;

  /// An `orrery.devs.Job`.
  [[nodiscard]] static Message WithId(std::int64_t number);
};

struct ModelObject;
struct PortObject;

/// Joins a model of C++ with its object of Python. The object owns the model
/// until that becomes a part of another; from then on the model, while it
/// lives, keeps the object.
class ModelLink {
 public:
  explicit ModelLink(ModelObject& object) noexcept : object_(&object) {}

  ModelLink(const ModelLink&) = delete;
  ModelLink& operator=(const ModelLink&) = delete;
  ~ModelLink();

  void KeepObject() noexcept;

  /// Makes a port of the model.
  template <typename P>
  const devs::Port& Make(devs::Model& model, std::string_view name) {
    auto port = std::make_shared<P>(&model, name);
    made_.push_back(port);
    return *port;
  }

  void Add(PortObject& port) { ports_.push_back(&port); }

  void Remove(const PortObject& port) noexcept;

  /// Null once the object is gone.
  [[nodiscard]] PyObject* object() const noexcept {
    return reinterpret_cast<PyObject*>(object_);
  }

 private:
  ModelObject* object_;
  bool keeps_object_ = false;
  std::vector<PortObject*> ports_;
  std::vector<std::shared_ptr<devs::Port>> made_;
};

/// An object of `orrery.devs.Model`.
struct ModelObject {
  PyObject base;
  devs::Model* model;  // Null if it is gone.
  ModelLink* link;
  std::unique_ptr<devs::Model> owned;  // Null in a part.
};

/// An object of `orrery.devs.In` or `Out`: a declaration, or one of a model.
struct PortObject {
  PyObject base;
  bool is_input;
  const devs::Port* port;
  ModelLink* link;
};

/// A model of C++ with an object of Python.
template <std::derived_from<devs::Model> M>
class Linked final : public M {
 public:
  template <typename... Arguments>
  explicit Linked(ModelObject& object, Arguments&&... arguments)
      : M(std::forward<Arguments>(arguments)...), link_(object) {}

  [[nodiscard]] ModelLink& link() noexcept { return link_; }

 private:
  ModelLink link_;
};

/// Gives an object its model.
template <typename M, typename... Arguments>
void MakeModel(PyObject* self, Arguments&&... arguments) {
  auto& object = *reinterpret_cast<ModelObject*>(self);
  auto model = std::make_unique<Linked<M>>(
      object, std::forward<Arguments>(arguments)...);
  object.link = &model->link();
  object.model = model.get();
  object.owned = std::move(model);
}

/// The model of an object.
/// @throws PythonError TypeError for another object, Error kInvalidArgument if
///     it is gone.
[[nodiscard]] devs::Model& DevsModelOf(PyObject* object);

/// The state of an atomic model of Python.
[[nodiscard]] PyValue StateOfPython(const void* state);

[[nodiscard]] bool IsPythonModel(const devs::Model& model);

/// Lets the models of Python check that `output` changes no state.
void SetDebugging(bool is_on) noexcept;

/// Adds DEVS models to the extension.
void BindDevsModel(pybind11::module_& m);

}  // namespace orrery::python
