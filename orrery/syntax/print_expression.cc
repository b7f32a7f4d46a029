#include "orrery/syntax/print_expression.h"

#include <string>
#include <variant>

#include "orrery/base/text/number_text.h"

namespace orrery::modelica::internal {

using ast::Precedence;

void ExpressionPrinter::Print(const ast::Expression& expression,
                              Precedence min) {
  const bool needs_parentheses = PrecedenceOf(expression) < min;
  WriteIf(needs_parentheses, "(");
  std::visit([this](const auto& node) { PrintNode(node); }, expression.node);
  WriteIf(needs_parentheses, ")");
}

void ExpressionPrinter::Print(const ast::Name& name) {
  text_ += ToString(name);
}

void ExpressionPrinter::Print(const ast::ComponentReference& reference) {
  bool needs_dot = reference.is_global;
  for (const ast::ReferencePart& part : reference.parts) {
    WriteIf(needs_dot, ".");
    Write(part.name.text);
    PrintSubscripts(part.subscripts);
    needs_dot = true;
  }
}

void ExpressionPrinter::Print(const ast::StringLiteral& string) {
  Write('"', string.raw, '"');
}

void ExpressionPrinter::PrintNode(const ast::Invalid& /*node*/) {
  text_ += "/* invalid */";
}

void ExpressionPrinter::PrintNode(const ast::IntegerLiteral& node) {
  text_ += std::to_string(node.value);
}

void ExpressionPrinter::PrintNode(const ast::RealLiteral& node) {
  const std::string digits = ShortestText(node.value);
  text_ += digits;
  WriteIf(digits.find_first_of(".e") == std::string::npos, ".0");
}

void ExpressionPrinter::PrintNode(const ast::BooleanLiteral& node) {
  text_ += node.value ? "true" : "false";
}

void ExpressionPrinter::PrintNode(const ast::StringLiteral& node) {
  Print(node);
}

void ExpressionPrinter::PrintNode(const ast::End& /*node*/) {
  text_ += "end";
}

void ExpressionPrinter::PrintNode(const ast::Colon& /*node*/) {
  text_ += ":";
}

void ExpressionPrinter::PrintNode(const ast::ComponentReference& node) {
  Print(node);
}

void ExpressionPrinter::PrintNode(const ast::Call& node) {
  Print(node.function);
  text_ += '(';
  PrintArguments(node.arguments);
  PrintIterators(node.iterators);
  text_ += ')';
}

void ExpressionPrinter::PrintNode(const ast::PartialApplication& node) {
  text_ += "function ";
  Print(node.function);
  text_ += '(';
  PrintArguments(node.arguments);
  text_ += ')';
}

void ExpressionPrinter::PrintNode(const ast::ArrayConstructor& node) {
  text_ += '{';
  PrintList(node.elements);
  PrintIterators(node.iterators);
  text_ += '}';
}

void ExpressionPrinter::PrintNode(const ast::MatrixConstructor& node) {
  text_ += '[';
  for (const ast::Expressions& row : node.rows) {
    WriteIf(&row != node.rows.begin(), "; ");
    PrintList(row);
  }
  text_ += ']';
}

void ExpressionPrinter::PrintNode(const ast::Tuple& node) {
  PrintOutputs(node.elements);
}

void ExpressionPrinter::PrintNode(const ast::Subscripted& node) {
  const bool is_tuple = std::holds_alternative<ast::Tuple>(node.base->node);
  WriteIf(!is_tuple, "(");
  Print(*node.base);
  WriteIf(!is_tuple, ")");
  PrintSubscripts(node.subscripts);
}

void ExpressionPrinter::PrintNode(const ast::Member& node) {
  const bool is_tuple = std::holds_alternative<ast::Tuple>(node.base->node);
  WriteIf(!is_tuple, "(");
  Print(*node.base);
  WriteIf(!is_tuple, ")");
  Write('.', node.name.text);
}

void ExpressionPrinter::PrintNode(const ast::Unary& node) {
  Write(Spelling(node.op));
  WriteIf(node.op == ast::UnaryOperator::kNot, " ");
  Print(*node.operand, Above(PrecedenceOf(node.op)));
}

void ExpressionPrinter::PrintNode(const ast::Operation& node) {
  const Precedence precedence = PrecedenceOf(node.steps.front().op);
  // A sum's first term may have a sign.
  const bool is_signed_sum =
      precedence == Precedence::kAdditive &&
      std::holds_alternative<ast::Unary>(node.first->node);
  const Precedence operand = Above(precedence);
  Print(*node.first, is_signed_sum ? precedence : operand);
  const bool is_power = precedence == Precedence::kPower;
  for (const ast::OperationStep& step : node.steps) {
    // A number in front of '.^' would take the dot.
    WriteIf(!is_power || Spelling(step.op).size() > 1, " ");
    Write(Spelling(step.op));
    WriteIf(!is_power || Spelling(step.op).size() > 1, " ");
    Print(*step.operand, operand);
  }
}

void ExpressionPrinter::PrintNode(const ast::Range& node) {
  Print(*node.start, Precedence::kOr);
  if (node.step != nullptr) {
    text_ += ':';
    Print(*node.step, Precedence::kOr);
  }
  text_ += ':';
  Print(*node.stop, Precedence::kOr);
}

void ExpressionPrinter::PrintNode(const ast::IfExpression& node) {
  for (const ast::IfExpressionBranch& branch : node.branches) {
    text_ += &branch == node.branches.begin() ? "if " : " elseif ";
    Print(*branch.condition);
    text_ += " then ";
    Print(*branch.value);
  }
  text_ += " else ";
  Print(*node.otherwise);
}

void ExpressionPrinter::PrintList(const ast::Expressions& expressions) {
  Separate(text_, expressions, [this](const ast::Expression* entry) {
    Print(*entry);
  });
}

void ExpressionPrinter::PrintOutputs(const ast::Expressions& outputs) {
  text_ += '(';
  Separate(text_, outputs, [this](const ast::Expression* entry) {
    if (entry != nullptr) {
      Print(*entry);
    }
  });
  text_ += ')';
}

void ExpressionPrinter::PrintSubscripts(const ast::Expressions& subscripts) {
  if (!subscripts.empty()) {
    text_ += '[';
    PrintList(subscripts);
    text_ += ']';
  }
}

void ExpressionPrinter::PrintArguments(
    const ast::List<ast::CallArgument>& arguments) {
  Separate(text_, arguments, [this](const ast::CallArgument& argument) {
    if (!argument.name.text.empty()) {
      Write(argument.name.text, "=");
    }
    Print(*argument.value);
  });
}

void ExpressionPrinter::PrintIndices(const ast::List<ast::ForIndex>& indices) {
  Separate(text_, indices, [this](const ast::ForIndex& index) {
    Write(index.name.text);
    if (index.range != nullptr) {
      text_ += " in ";
      Print(*index.range);
    }
  });
}

void ExpressionPrinter::PrintIterators(
    const ast::List<ast::ForIndex>& indices) {
  if (!indices.empty()) {
    text_ += " for ";
    PrintIndices(indices);
  }
}

}  // namespace orrery::modelica::internal
