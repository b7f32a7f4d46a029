#include "orrery/python/bindings/devs/ports.h"

#include <algorithm>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/devs/modeling/bag.h"
#include "orrery/python/bindings/devs/model.h"
#include "orrery/python/bindings/py_types.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

namespace {

using In = devs::In<Message>;
using Out = devs::Out<Message>;

// The messages of one call of a model's function.
struct BagObject {
  PyObject base;
  const devs::Bag* received;
  devs::Bag* sent;  // One of the two; none once the call is over.
};

BagObject& BagOf(PyObject* self) {
  auto& bag = *reinterpret_cast<BagObject*>(self);
  if (bag.received == nullptr && bag.sent == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot use a bag of messages after the call that it was given "
                "to; keep the messages instead");
  }
  return bag;
}

PyObject* MessagesAt(PyObject* self, PyObject* key) {
  return Guarded([&]() -> PyObject* {
    const BagObject& bag = BagOf(self);
    const devs::Port& port = PortOf(key);
    if (bag.received == nullptr ||
        port.direction() != devs::PortDirection::kIn) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot read messages at '" + port.Path() +
                      "': that is no input; x[self.port] has those that came, "
                      "y[self.port] = message sends one");
    }
    const auto messages = (*bag.received)[static_cast<const In&>(port)];
    PyValue tuple =
        Checked(PyTuple_New(static_cast<Py_ssize_t>(messages.size())));
    Py_ssize_t place = 0;
    for (const Message& message : messages) {
      PyTuple_SET_ITEM(
          tuple.get(), place++, PyValue::Borrow(message.get()).Release());
    }
    return tuple.Release();
  });
}

void SendBy(PyObject* self, PyObject* key, PyObject* value) {
  const BagObject& bag = BagOf(self);
  const devs::Port& port = PortOf(key);
  if (value == nullptr || bag.sent == nullptr ||
      port.direction() != devs::PortDirection::kOut) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot send a message by '" + port.Path() +
                    "': only output(self, s, y) sends, by outputs of its own "
                    "model");
  }
  bag.sent->Send(static_cast<const Out&>(port),
                 Message(PyValue::Borrow(value)));
}

int SendMessage(PyObject* self, PyObject* key, PyObject* value) {
  try {
    SendBy(self, key, value);
    return 0;
  } catch (...) {
    SetRaised();
    return -1;
  }
}

int HasMessages(PyObject* self, PyObject* key) {
  const PyValue messages = PyValue::Steal(MessagesAt(self, key));
  return messages ? static_cast<int>(PyTuple_GET_SIZE(messages.get()) > 0) : -1;
}

PyObject* CallSend(PyObject* self, PyObject* const* given, Py_ssize_t count) {
  return Guarded([&]() -> PyObject* {
    if (count != 2) {
      PyErr_SetString(PyExc_TypeError, "send() takes a port and a message");
      throw PythonError::Fetch();
    }
    SendBy(self, given[0], given[1]);
    Py_RETURN_NONE;
  });
}

PyMappingMethods bag_mapping = {
    .mp_length = nullptr,
    .mp_subscript = &MessagesAt,
    .mp_ass_subscript = &SendMessage,
};

PySequenceMethods bag_sequence = [] {
  PySequenceMethods methods{};
  methods.sq_contains = &HasMessages;
  return methods;
}();

PyMethodDef bag_functions[] = {
    {"send",
     AsMethod(&CallSend),
     METH_FASTCALL,
     "send($self, port, message, /)\n--\n\nSends one more message."},
    {nullptr, nullptr, 0, nullptr}};

PyTypeObject bag_type = [] {
  PyTypeObject type = NewType("orrery._orrery.Bag", sizeof(BagObject));
  type.tp_doc = "The messages of one call, by ports.";
  type.tp_dealloc = &FreeList<BagObject>::Delete;
  type.tp_as_mapping = &bag_mapping;
  type.tp_as_sequence = &bag_sequence;
  type.tp_methods = bag_functions;
  return type;
}();

// --- Ports.

void DeletePort(PyObject* self) {
  auto& port = *reinterpret_cast<PortObject*>(self);
  if (port.link != nullptr) {
    port.link->Remove(port);
  }
  FreeList<PortObject>::Delete(self);
}

PyObject* PortText(PyObject* self) {
  const auto& port = *reinterpret_cast<PortObject*>(self);
  return PyUnicode_FromFormat(
      "<%s port %s>",
      port.is_input ? "input" : "output",
      port.port == nullptr ? "of no model" : port.port->Path().c_str());
}

template <bool kIsInput>
PyObject* DeclarePort(PyTypeObject* type, PyObject* args, PyObject* names) {
  return Guarded([&] {
    if (PyTuple_GET_SIZE(args) > 0 ||
        (names != nullptr && PyDict_Size(names) > 0)) {
      PyErr_SetString(PyExc_TypeError, "a port takes no arguments");
      throw PythonError::Fetch();
    }
    return reinterpret_cast<PyObject*>(
        FreeList<PortObject>::New(*type, kIsInput, nullptr, nullptr));
  });
}

// Makes the port that is declared, in a model.
PyObject* BindPort(PyObject* self, PyObject* args) {
  return Guarded([&] {
    PyObject* owner = nullptr;
    const char* name = nullptr;
    if (PyArg_ParseTuple(args, "Os:_bind", &owner, &name) == 0) {
      throw PythonError::Fetch();
    }
    devs::Model& model = DevsModelOf(owner);
    const auto& declared = *reinterpret_cast<PortObject*>(self);
    ModelLink& link = *reinterpret_cast<ModelObject*>(owner)->link;
    if (declared.is_input) {
      return NewPort(link.Make<In>(model, name), link).Release();
    }
    return NewPort(link.Make<Out>(model, name), link).Release();
  });
}

PyObject* PathOfPort(PyObject* self, void* /*closure*/) {
  return Guarded(
      [&] { return PyUnicode_FromString(PortOf(self).Path().c_str()); });
}

PyMethodDef port_functions[] = {{"_bind", &BindPort, METH_VARARGS, nullptr},
                                {nullptr, nullptr, 0, nullptr}};

PyGetSetDef port_properties[] = {
    {"path", &PathOfPort, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject NewPortType(const char* name, const char* doc, newfunc make) {
  PyTypeObject type = NewType(name, sizeof(PortObject));
  type.tp_doc = doc;
  type.tp_dealloc = &DeletePort;
  type.tp_repr = &PortText;
  type.tp_methods = port_functions;
  type.tp_getset = port_properties;
  type.tp_new = make;
  return type;
}

PyTypeObject in_type = NewPortType("orrery._orrery.In",
                                   "In()\n--\n\nAn input of a DEVS model.",
                                   &DeclarePort<true>);
PyTypeObject out_type = NewPortType("orrery._orrery.Out",
                                    "Out()\n--\n\nAn output of a DEVS model.",
                                    &DeclarePort<false>);

}  // namespace

const devs::Port& PortOf(PyObject* object) {
  if (Py_TYPE(object) != &in_type && Py_TYPE(object) != &out_type) {
    PyErr_Format(PyExc_TypeError,
                 "%R is no port: give one of a model, as in self.done",
                 object);
    throw PythonError::Fetch();
  }
  const devs::Port* port = reinterpret_cast<PortObject*>(object)->port;
  if (port == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot use a port of no model: it is a declaration, or its "
                "model is gone; use self.name of an object");
  }
  return *port;
}

PyValue NewPort(const devs::Port& port, ModelLink& link) {
  const bool is_input = port.direction() == devs::PortDirection::kIn;
  PortObject* const object = FreeList<PortObject>::New(
      is_input ? in_type : out_type, is_input, &port, &link);
  link.Add(*object);
  return PyValue::Steal(reinterpret_cast<PyObject*>(object));
}

PyValue NewBag(const devs::Bag& received) {
  return PyValue::Steal(reinterpret_cast<PyObject*>(
      FreeList<BagObject>::New(bag_type, &received, nullptr)));
}

PyValue NewBag(devs::Bag& sent) {
  return PyValue::Steal(reinterpret_cast<PyObject*>(
      FreeList<BagObject>::New(bag_type, nullptr, &sent)));
}

void ForgetBag(const PyValue& bag) noexcept {
  auto& object = *reinterpret_cast<BagObject*>(bag.get());
  object.received = nullptr;
  object.sent = nullptr;
}

ModelLink::~ModelLink() {
  for (PortObject* port : ports_) {
    port->port = nullptr;
    port->link = nullptr;
  }
  object_->model = nullptr;
  object_->link = nullptr;
  if (keeps_object_) {
    Py_DECREF(object());
  }
}

void ModelLink::KeepObject() noexcept {
  keeps_object_ = true;
  Py_INCREF(object());
}

void ModelLink::Remove(const PortObject& port) noexcept {
  ports_.erase(std::ranges::find(ports_, &port));
}

void BindDevsPorts(pybind11::module_& m) {
  AddType(m, bag_type);
  AddType(m, in_type);
  AddType(m, out_type);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
