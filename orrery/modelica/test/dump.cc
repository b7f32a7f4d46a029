#include "orrery/modelica/test/dump.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/modelica/load.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::modelica {
namespace {

std::string Sizes(const Shape& shape) {
  std::string text;
  for (const std::int64_t extent : shape) {
    text += (text.empty() ? "[" : ",") + std::to_string(extent);
  }
  return text.empty() ? text : text + "]";
}

std::string TypeOf(const Variable& variable) {
  switch (variable.symbol.type()) {
    case ValueType::kInteger:
      return "Integer";
    case ValueType::kBoolean:
      return "Boolean";
    default:
      return "Real";
  }
}

std::string Line(const Variable& variable) {
  std::string text;
  if (variable.is_protected) {
    text += "protected ";
  }
  if (variable.is_flow) {
    text += "flow ";
  }
  switch (variable.variability) {
    case Variability::kConstant:
      text += "constant ";
      break;
    case Variability::kParameter:
      text += variable.is_structural ? "structural parameter " : "parameter ";
      break;
    case Variability::kDiscrete:
      text += "discrete ";
      break;
    case Variability::kContinuous:
      break;
  }
  if (variable.causality != Causality::kLocal) {
    text += variable.causality == Causality::kInput ? "input " : "output ";
  }
  text += TypeOf(variable) + " " + ToText(variable.symbol) +
          Sizes(variable.symbol.shape());
  const auto add = [&text](const std::string& name, Expr value) {
    if (value) {
      text += name + ToText(value);
    }
  };
  add(" = ", variable.binding);
  add(", start ", variable.start);
  if (variable.fixed) {
    text += *variable.fixed ? ", fixed" : ", not fixed";
  }
  add(", min ", variable.min);
  add(", max ", variable.max);
  add(", nominal ", variable.nominal);
  if (!variable.notes->unit.empty()) {
    text += ", unit " + variable.notes->unit.str();
  }
  if (!variable.notes->display_unit.empty()) {
    text += ", shown in " + variable.notes->display_unit.str();
  }
  if (!variable.notes->description.empty()) {
    text += " \"" + variable.notes->description.str() + "\"";
  }
  return text + "\n";
}

std::string Loops(const std::vector<Expr>& iterators) {
  std::string text;
  for (const Expr iterator : iterators) {
    text += (text.empty() ? " for " : ", ") + IterationToText(iterator);
  }
  return text;
}

std::string Quoted(const Message& message) {
  std::string text;
  for (const Message::Part& part : message.parts) {
    if (!part.text.empty() || message.parts.size() == 1) {
      text += (text.empty() ? "\"" : " \"") + part.text + "\"";
    }
    if (part.value) {
      text += (text.empty() ? "" : " ") + ToText(part.value);
      text += part.format.digits == 6
                  ? ""
                  : ":" + std::to_string(part.format.digits);
    }
  }
  return text + "\n";
}

std::string Events(const FlatModel& model) {
  std::string text;
  for (const Reinit& reinit : model.reinits) {
    text += "when " + ToText(reinit.condition) + ": reinit " +
            ToText(reinit.state) + " = " + ToText(reinit.value) + "\n";
  }
  for (const Assertion& assertion : model.assertions) {
    text += (assertion.is_warning ? "warn " : "assert ") +
            ToText(assertion.condition) + ": " + Quoted(assertion.message);
  }
  for (const Termination& termination : model.terminations) {
    text += "terminate " + ToText(termination.condition) + ": " +
            Quoted(termination.message);
  }
  return text;
}

}  // namespace

std::string Dump(const FlatModel& model) {
  std::string text;
  for (const Variable& variable : model.variables) {
    text += Line(variable);
  }
  for (const Equation& equation : model.equations) {
    text += ToText(equation.left) + " = " + ToText(equation.right) +
            Loops(equation.iterators) + "\n";
  }
  for (const Equation& equation : model.initial_equations) {
    text += "initial " + ToText(equation.left) + " = " +
            ToText(equation.right) + Loops(equation.iterators) + "\n";
  }
  for (const Connection& connection : model.connections) {
    const auto end = [&](const Connection::End& at) {
      return (connection.is_flow && at.is_outside ? "-" : "") +
             ToText(at.variable);
    };
    text += "connect " + end(connection.a) + ", " + end(connection.b) +
            (connection.is_flow ? " flow\n" : "\n");
  }
  return text + Events(model);
}

std::string DumpOf(const std::string& text, const std::string& class_name) {
  Diagnostics diagnostics;
  const auto flat = Flatten(std::make_shared<const SourceFile>("a.mo", text),
                            class_name,
                            diagnostics);
  EXPECT_EQ(Render(diagnostics.list()), "");
  return flat ? Dump(*flat) : "";
}

std::string ErrorsOf(const std::string& text, const std::string& class_name) {
  Diagnostics diagnostics;
  const auto flat = Flatten(std::make_shared<const SourceFile>("a.mo", text),
                            class_name,
                            diagnostics);
  EXPECT_EQ(flat.has_value(), !diagnostics.has_errors());
  return Render(diagnostics.list());
}

}  // namespace orrery::modelica
