#include "orrery/python/bindings/tasks/conditions.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/waits.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

namespace {

using process::Relation;
using process::internal::Arithmetic;
using process::internal::Combined;
using process::internal::Constant;

struct ConditionObject {
  PyObject base{};
  AnyCondition condition;
};

struct TermObject {
  PyObject base{};
  AnyTerm term;
};

// A function of the model that says whether the condition holds.
struct SaysIfItHolds {
  PyValue function;

  bool operator()() const {
    const PyValue answer = Checked(PyObject_CallNoArgs(function.get()));
    return TruthOf(answer.get());
  }
};

PyTypeObject& ConditionType();

std::optional<AnyCondition> ConditionOf(PyObject* object) {
  if (Py_TYPE(object) == &ConditionType()) {
    return reinterpret_cast<ConditionObject*>(object)->condition;
  }
  if (PyCallable_Check(object) != 0) {
    return AnyCondition::Of(
        PyValue(),
        process::Predicate<SaysIfItHolds>{{PyValue::Borrow(object)}});
  }
  return std::nullopt;
}

PyObject* RefuseTruth() {
  PyErr_SetString(
      PyExc_TypeError,
      "a condition is true at some times and not at others: wait for it by "
      "`yield until(...)`, and combine conditions by &, | and ~ instead of "
      "and, or, not");
  return nullptr;
}

int TruthOfCondition(PyObject* /*self*/) {
  RefuseTruth();
  return -1;
}

template <template <typename, typename> typename Join>
PyObject* JoinConditions(PyObject* left, PyObject* right) {
  return Guarded([&]() -> PyObject* {
    const auto first = ConditionOf(left);
    const auto second = ConditionOf(right);
    if (!first || !second) {
      Py_RETURN_NOTIMPLEMENTED;
    }
    return NewCondition(AnyCondition::Of(
        PyValue(), Join<AnyCondition, AnyCondition>{*first, *second}));
  });
}

template <typename L, typename R>
using AndOf = process::And<L, R>;
template <typename L, typename R>
using OrOf = process::Or<L, R>;

PyObject* InvertCondition(PyObject* self) {
  return Guarded([&] {
    return NewCondition(AnyCondition::Of(
        PyValue(), process::Not<AnyCondition>{*ConditionOf(self)}));
  });
}

PyObject* ConditionText(PyObject* self) {
  return PyUnicode_FromString(
      reinterpret_cast<ConditionObject*>(self)->condition.Text().c_str());
}

PyNumberMethods condition_numbers = [] {
  PyNumberMethods methods{};
  methods.nb_and = &JoinConditions<AndOf>;
  methods.nb_or = &JoinConditions<OrOf>;
  methods.nb_invert = &InvertCondition;
  methods.nb_bool = &TruthOfCondition;
  return methods;
}();

PyTypeObject condition_type = [] {
  PyTypeObject type =
      NewType("orrery._orrery.Condition", sizeof(ConditionObject));
  type.tp_doc =
      "A comparison of cells, or several joined by &, | and ~.\n"
      "It is waited for by `until(condition)`.";
  type.tp_dealloc = &FreeList<ConditionObject>::Delete;
  type.tp_repr = &ConditionText;
  type.tp_as_number = &condition_numbers;
  return type;
}();

PyTypeObject& ConditionType() {
  return condition_type;
}

// --- Terms.

std::unordered_map<const PyTypeObject*, TermMaker>& Makers() {
  static std::unordered_map<const PyTypeObject*, TermMaker> makers;
  return makers;
}

AnyTerm TermOfTerm(PyObject* object) {
  return reinterpret_cast<TermObject*>(object)->term;
}

template <Arithmetic kOperator>
PyObject* CombineTerms(PyObject* left, PyObject* right) {
  return Guarded([&]() -> PyObject* {
    const auto first = TermOf(left);
    const auto second = TermOf(right);
    if (!first || !second) {
      Py_RETURN_NOTIMPLEMENTED;
    }
    return NewTerm(AnyTerm::Of(
        PyValue(), Combined<AnyTerm, kOperator, AnyTerm>{*first, *second}));
  });
}

PyTypeObject term_type = [] {
  PyTypeObject type = NewType("orrery._orrery._Term", sizeof(TermObject));
  type.tp_dealloc = &FreeList<TermObject>::Delete;
  type.tp_richcompare = &CompareTerms;
  type.tp_hash = &PyObject_HashNotImplemented;
  return type;
}();

// --- until(condition).

using UntilWait = WaitOnce<process::internal::Waiting<AnyCondition>, GivesNone>;
PyTypeObject until_type = NewWaitableType<UntilWait>("orrery._orrery._Until");

PyObject* NewUntil(PyObject* /*module*/, PyObject* object) {
  return Guarded([&] {
    const auto condition = ConditionOf(object);
    if (!condition) {
      PyErr_Format(PyExc_TypeError,
                   "cannot wait until %R: give a comparison of a cell, as in "
                   "until(self.level > 3), or a function, as in until(lambda: "
                   "self.counter.in_use == 0)",
                   object);
      throw PythonError::Fetch();
    }
    return NewWaitable<UntilWait>(
        until_type,
        PyValue(),
        process::internal::Waiting<AnyCondition>(*condition),
        GivesNone());
  });
}

PyMethodDef condition_functions[] = {
    {"until",
     &NewUntil,
     METH_O,
     "until(condition, /)\n--\n\n"
     "Waits until a comparison of cells, or a function, holds."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyNumberMethods term_numbers = [] {
  PyNumberMethods methods{};
  methods.nb_add = &CombineTerms<Arithmetic::kAdd>;
  methods.nb_subtract = &CombineTerms<Arithmetic::kSubtract>;
  methods.nb_multiply = &CombineTerms<Arithmetic::kMultiply>;
  return methods;
}();

Relation RelationOf(int relation) {
  switch (relation) {
    case Py_LT:
      return Relation::kLess;
    case Py_LE:
      return Relation::kLessEqual;
    case Py_GT:
      return Relation::kGreater;
    case Py_GE:
      return Relation::kGreaterEqual;
    case Py_EQ:
      return Relation::kEqual;
    default:
      return Relation::kNotEqual;
  }
}

PyObject* NewCondition(AnyCondition condition) {
  return reinterpret_cast<PyObject*>(
      FreeList<ConditionObject>::New(condition_type, std::move(condition)));
}

PyObject* NewTerm(AnyTerm term) {
  return reinterpret_cast<PyObject*>(
      FreeList<TermObject>::New(term_type, std::move(term)));
}

std::optional<AnyTerm> TermOf(PyObject* object) {
  const auto found = Makers().find(Py_TYPE(object));
  if (found != Makers().end()) {
    return found->second(object);
  }
  if (const auto number = AsNumber(object)) {
    return AnyTerm::Of(PyValue(), Constant{*number});
  }
  return std::nullopt;
}

void KnowTermsOf(const PyTypeObject& type, TermMaker make) {
  Makers()[&type] = make;
}

PyObject* CompareTerms(PyObject* left, PyObject* right, int relation) {
  return Guarded([&]() -> PyObject* {
    const auto first = TermOf(left);
    const auto second = TermOf(right);
    if (!first || !second) {
      Py_RETURN_NOTIMPLEMENTED;
    }
    if (const auto number = AsNumber(right)) {
      return NewCondition(AnyCondition::Of(
          PyValue(),
          process::Comparison<AnyTerm, Constant>{
              *first, RelationOf(relation), Constant{*number}}));
    }
    return NewCondition(
        AnyCondition::Of(PyValue(),
                         process::Comparison<AnyTerm, AnyTerm>{
                             *first, RelationOf(relation), *second}));
  });
}

void BindTaskConditions(pybind11::module_& m) {
  term_type.tp_as_number = &term_numbers;
  AddType(m, condition_type);
  AddType(m, term_type);
  AddType(m, until_type);
  KnowTermsOf(term_type, &TermOfTerm);
  PyModule_AddFunctions(m.ptr(), condition_functions);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
