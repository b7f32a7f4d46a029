#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include "orrery/syntax/ast.h"
#include "orrery/syntax/grammar/implied_ranges.h"
#include "orrery/syntax/grammar/tree_builder.h"

namespace orrery::modelica::internal {

/// Parses expressions (specification 3.6, appendix A.2.7).
class ExpressionParser : public TreeBuilder {
 public:
  ExpressionParser(const std::shared_ptr<const SourceFile>& file,
                   Diagnostics& diagnostics,
                   std::pmr::memory_resource& memory)
      : TreeBuilder(file, diagnostics, memory), ranges_(this->memory()) {}

  ExpressionParser(const ExpressionParser&) = delete;
  ExpressionParser& operator=(const ExpressionParser&) = delete;

  /// An expression that is the whole text.
  const ast::Expression* ParseWholeExpression();

 protected:
  ~ExpressionParser() = default;

  const ast::Expression* ParseExpression();
  const ast::Expression* ParseCondition();
  const ast::Expression* ParseSimpleExpression();
  ast::Call ParseCallArguments(ast::ComponentReference function);
  ast::ComponentReference ParseComponentReference();
  ast::Expressions ParseExpressionList();
  ast::Expressions ParseOutputs();
  ast::Expressions ParseSubscripts();
  std::vector<ast::ForIndex> ParseForIndices();

  [[nodiscard]] ImpliedRanges& ranges() noexcept { return ranges_; }

 private:
  // Operators.
  const ast::Expression* ParseIfExpression();
  const ast::Expression* ParseOperation(ast::Precedence min);
  const ast::Expression* ParseSteps(const ast::Expression* first,
                                    std::uint32_t begin,
                                    ast::Precedence precedence);
  const ast::Expression* ParseOperand(ast::Precedence min);

  // Operands.
  const ast::Expression* ParsePrimary();
  const ast::Expression* ParseReferenceOrCall();
  const ast::Expression* ParseKeywordCall();
  const ast::Expression* ParseParenthesized();
  const ast::Expression* ParseMatrix();
  const ast::Expression* ParseArray();
  ast::CallArgument ParseCallArgument();
  ast::CallArgument ParseNamedArgument();
  const ast::Expression* ParsePartialApplication();
  const ast::Expression* ParseSubscript();
  const ast::Expression* MakeInvalid();

  ImpliedRanges ranges_;
  std::size_t open_subscripts_ = 0;  // In which `end` is a number.
};

}  // namespace orrery::modelica::internal
