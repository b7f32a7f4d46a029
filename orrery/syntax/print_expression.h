#pragma once

#include <string>
#include <string_view>

#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// Calls `print` for each entry of a list, with commas between in `text`.
template <typename T, typename Function>
void Separate(std::string& text,
              const ast::List<T>& list,
              const Function& print) {
  for (const T& entry : list) {
    text +=
        &entry != list.begin() ? std::string_view(", ") : std::string_view();
    print(entry);
  }
}

/// Writes expressions, and what they consist of, as text.
class ExpressionPrinter {
 public:
  /// Appends to `text`, which must outlive it.
  explicit ExpressionPrinter(std::string& text) : text_(text) {}

  /// In parentheses if its outermost operator binds less than `min`.
  void Print(const ast::Expression& expression,
             ast::Precedence min = ast::Precedence::kIf);

  void Print(const ast::Name& name);
  void Print(const ast::ComponentReference& reference);
  void Print(const ast::StringLiteral& string);
  void PrintList(const ast::Expressions& expressions);
  void PrintOutputs(const ast::Expressions& outputs);
  void PrintSubscripts(const ast::Expressions& subscripts);
  void PrintIndices(const ast::List<ast::ForIndex>& indices);

 private:
  template <typename... Parts>
  void Write(const Parts&... parts) {
    ((text_ += parts), ...);
  }

  void WriteIf(bool condition, std::string_view word) {
    text_ += condition ? word : std::string_view();
  }

  void PrintNode(const ast::Invalid& node);
  void PrintNode(const ast::IntegerLiteral& node);
  void PrintNode(const ast::RealLiteral& node);
  void PrintNode(const ast::BooleanLiteral& node);
  void PrintNode(const ast::StringLiteral& node);
  void PrintNode(const ast::End& node);
  void PrintNode(const ast::Colon& node);
  void PrintNode(const ast::ComponentReference& node);
  void PrintNode(const ast::Call& node);
  void PrintNode(const ast::PartialApplication& node);
  void PrintNode(const ast::ArrayConstructor& node);
  void PrintNode(const ast::MatrixConstructor& node);
  void PrintNode(const ast::Tuple& node);
  void PrintNode(const ast::Subscripted& node);
  void PrintNode(const ast::Member& node);
  void PrintNode(const ast::Unary& node);
  void PrintNode(const ast::Operation& node);
  void PrintNode(const ast::Range& node);
  void PrintNode(const ast::IfExpression& node);
  void PrintArguments(const ast::List<ast::CallArgument>& arguments);
  void PrintIterators(const ast::List<ast::ForIndex>& indices);

  std::string& text_;
};

}  // namespace orrery::modelica::internal
