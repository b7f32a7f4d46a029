#pragma once

#include <Python.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <pybind11/pybind11.h>

#include "orrery/base/time.h"
#include "orrery/process/run/needs.h"
#include "orrery/process/tasks/condition.h"
#include "orrery/process/types/polynomial.h"
#include "orrery/python/bindings/py_value.h"

namespace orrery::python {

/// A term of an expression, of a type known when the model runs.
class AnyTerm {
 public:
  using IsTerm = void;

  template <process::internal::Term T>
  static AnyTerm Of(PyValue keeps, T term) {
    return AnyTerm(
        std::make_shared<const NodeOf<T>>(std::move(keeps), std::move(term)));
  }

  [[nodiscard]] process::Polynomial Dynamics() const {
    return node_->Dynamics();
  }

  [[nodiscard]] std::string Text() const { return node_->Text(); }

 private:
  struct Node {
    Node() = default;
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    virtual ~Node() = default;
    [[nodiscard]] virtual process::Polynomial Dynamics() const = 0;
    [[nodiscard]] virtual std::string Text() const = 0;
  };

  template <typename T>
  struct NodeOf final : Node {
    NodeOf(PyValue its_keeper, T its_term)
        : keeps(std::move(its_keeper)), term(std::move(its_term)) {}

    [[nodiscard]] process::Polynomial Dynamics() const override {
      return term.Dynamics();
    }

    [[nodiscard]] std::string Text() const override { return term.Text(); }

    PyValue keeps;  // The object of what it reads.
    T term;
  };

  explicit AnyTerm(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  std::shared_ptr<const Node> node_;
};

/// A condition of a type known when the model runs.
class AnyCondition {
 public:
  template <process::Condition C>
  static AnyCondition Of(PyValue keeps, C condition) {
    return AnyCondition(std::make_shared<const NodeOf<C>>(
        std::move(keeps), std::move(condition)));
  }

  [[nodiscard]] std::optional<Duration> Next(bool wanted,
                                             Duration from,
                                             Duration until) const {
    return node_->Next(wanted, from, until);
  }

  [[nodiscard]] std::optional<process::internal::Threshold> Needs(
      bool wanted) const {
    return node_->Needs(wanted);
  }

  [[nodiscard]] std::string Text() const { return node_->Text(); }

 private:
  struct Node {
    Node() = default;
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    virtual ~Node() = default;
    [[nodiscard]] virtual std::optional<Duration> Next(
        bool wanted, Duration from, Duration until) const = 0;
    [[nodiscard]] virtual std::optional<process::internal::Threshold> Needs(
        bool wanted) const = 0;
    [[nodiscard]] virtual std::string Text() const = 0;
  };

  template <typename C>
  struct NodeOf final : Node {
    NodeOf(PyValue its_keeper, C its_condition)
        : keeps(std::move(its_keeper)), condition(std::move(its_condition)) {}

    [[nodiscard]] std::optional<Duration> Next(bool wanted,
                                               Duration from,
                                               Duration until) const override {
      return condition.Next(wanted, from, until);
    }

    [[nodiscard]] std::optional<process::internal::Threshold> Needs(
        bool wanted) const override {
      return process::internal::NeedsOf(condition, wanted);
    }

    [[nodiscard]] std::string Text() const override {
      return process::internal::TextOfCondition(condition);
    }

    PyValue keeps;
    C condition;
  };

  explicit AnyCondition(std::shared_ptr<const Node> node)
      : node_(std::move(node)) {}

  std::shared_ptr<const Node> node_;
};

/// Objects of `orrery.Condition` and of sums and products of cells.
[[nodiscard]] PyObject* NewCondition(AnyCondition condition);
[[nodiscard]] PyObject* NewTerm(AnyTerm term);

/// The number or term that an object is; none if it is neither.
[[nodiscard]] std::optional<AnyTerm> TermOf(PyObject* object);

/// A way by which a type of objects gives its term; asked by TermOf.
using TermMaker = AnyTerm (*)(PyObject* object);
void KnowTermsOf(const PyTypeObject& type, TermMaker make);

/// `left` REL `right`, with REL as in Py_LT; NotImplemented for others.
[[nodiscard]] PyObject* CompareTerms(PyObject* left,
                                     PyObject* right,
                                     int relation);

/// The relation of Py_LT and its kin.
[[nodiscard]] process::Relation RelationOf(int relation);

/// `+`, `-` and `*` of terms, for types of cells.
// NOLINTNEXTLINE(*-avoid-non-const-global-variables): as CPython wants it.
extern PyNumberMethods term_numbers;

/// Adds conditions that tasks wait for to the extension.
void BindTaskConditions(pybind11::module_& m);

}  // namespace orrery::python
