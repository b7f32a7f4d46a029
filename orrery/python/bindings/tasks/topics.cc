#include "orrery/python/bindings/tasks/topics.h"

#include <memory>
#include <utility>

#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/model.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

namespace {

using Topic = process::Topic<PyValue>;

struct TopicObject {
  PyObject base;
  std::shared_ptr<TaskModel> model;  // Null for a declaration.
  Topic* topic;
};

Topic& TopicOf(PyObject* self) {
  auto& object = *reinterpret_cast<TopicObject*>(self);
  CheckIsInModel(object.model != nullptr, self);
  return *object.topic;
}

PyObject* EmitMessage(PyObject* self, PyObject* message) {
  return Guarded([&]() -> PyObject* {
    TopicOf(self).Emit(PyValue::Borrow(message));
    Py_RETURN_NONE;
  });
}

PyObject* ListenToTopic(PyObject* self, PyObject* hear) {
  return Guarded([&]() -> PyObject* {
    TopicOf(self).Listen(
        [function = PyValue::Borrow(hear)](const PyValue& said) {
          static_cast<void>(
              Checked(PyObject_CallOneArg(function.get(), said.get())));
        });
    Py_RETURN_NONE;
  });
}

PyObject* NewTopic(PyTypeObject* type, PyObject* /*args*/, PyObject* /*kw*/) {
  return Guarded([&] {
    return reinterpret_cast<PyObject*>(
        FreeList<TopicObject>::New(*type, nullptr, nullptr));
  });
}

PyObject* BindTopic(PyObject* self, PyObject* args) {
  return Guarded([&] {
    const auto [model, name] = PlaceOfMember(args);
    Topic* topic = &model->Add<Topic>(name);
    return reinterpret_cast<PyObject*>(
        FreeList<TopicObject>::New(*Py_TYPE(self), model, topic));
  });
}

PyMethodDef topic_functions[] = {
    {"emit",
     &EmitMessage,
     METH_O,
     "emit($self, message, /)\n--\n\nSays it to all who listen, now."},
    {"listen",
     &ListenToTopic,
     METH_O,
     "listen($self, hear, /)\n--\n\nCalls hear(message) for each message."},
    {"_bind", &BindTopic, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyTypeObject topic_type = [] {
  PyTypeObject type = NewType("orrery._orrery.Topic", sizeof(TopicObject));
  type.tp_doc =
      "Topic()\n--\n\n"
      "A channel for messages of tasks: `self.topic.emit(message)`.\n"
      "A simulation connects it with equations and DEVS models.";
  type.tp_dealloc = &FreeList<TopicObject>::Delete;
  type.tp_methods = topic_functions;
  type.tp_new = &NewTopic;
  return type;
}();

}  // namespace

process::Topic<PyValue>* TopicIn(PyObject* object) {
  return Py_TYPE(object) == &topic_type ? &TopicOf(object) : nullptr;
}

void BindTaskTopics(pybind11::module_& m) {
  AddType(m, topic_type);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
