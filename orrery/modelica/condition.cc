#include "orrery/modelica/condition.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/syntax/ast.h"
#include "orrery/syntax/formula.h"
#include "orrery/syntax/parser.h"

namespace orrery::modelica {
namespace {

class ConditionReader : public FormulaReader {
 public:
  ConditionReader(const FlatModel& flat, std::string_view text)
      : FormulaReader(*flat.graph, text, "condition"), flat_(flat) {}

 private:
  Expr Find(const ast::ComponentReference& reference) override {
    const std::string name = NameOf(reference.span);
    if (name == "time") {
      return flat_.time;
    }
    if (const Expr whole = FindVariable(name)) {
      if (!whole.is_scalar()) {
        throw FormulaMistake{reference.span,
                             "'" + name + "' is an array",
                             "name one of its elements, as in " + name + "[1]"};
      }
      return whole;
    }
    if (const auto& subscripts = reference.parts.back().subscripts;
        !subscripts.empty()) {
      if (const Expr array = FindVariable(name.substr(0, name.rfind('[')))) {
        return Element(array, subscripts, reference.span);
      }
    }
    std::vector<std::string> known = {"time"};
    for (const Variable& variable : flat_.variables) {
      if (!variable.is_protected) {
        known.push_back(flat_.graph->NameOf(variable.symbol));
      }
    }
    throw FormulaMistake{reference.span,
                         "no quantity '" + name + "' in model " + flat_.name,
                         Suggest(name, known)};
  }

  [[nodiscard]] Expr FindVariable(std::string_view name) const {
    for (const Variable& variable : flat_.variables) {
      if (flat_.graph->NameOf(variable.symbol) == name) {
        return variable.symbol;
      }
    }
    return {};
  }

  Expr Element(Expr array,
               const ast::Expressions& subscripts,
               const ast::Span& span) {
    std::vector<Expr> at;
    const Shape& shape = array.shape();
    for (std::size_t i = 0; i < subscripts.size(); ++i) {
      const auto* number =
          std::get_if<ast::IntegerLiteral>(&subscripts[i]->node);
      if (number == nullptr || subscripts.size() != shape.size() ||
          number->value < 1 || number->value > shape[i]) {
        throw FormulaMistake{span,
                             "there is no such element",
                             "give a subscript for each of the " +
                                 std::to_string(shape.size()) +
                                 " dimensions, from 1"};
      }
      at.push_back(graph().Constant(static_cast<double>(number->value),
                                    ValueType::kInteger));
    }
    return graph().Index(array, at);
  }

  const FlatModel& flat_;
};

}  // namespace

Expr ParseCondition(const FlatModel& flat,
                    const std::shared_ptr<const SourceFile>& text,
                    Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  const ParsedExpression parsed = ParseExpression(text, diagnostics);
  if (diagnostics.error_count() > errors) {
    return {};
  }
  try {
    return ConditionReader(flat, text->text()).Condition(*parsed.expression);
  } catch (const FormulaMistake& mistake) {
    diagnostics.Add(MakeDiagnostic(
        Severity::kError,
        {.file = text, .begin = mistake.span.begin, .end = mistake.span.end},
        mistake.message,
        mistake.hint));
    return {};
  }
}

}  // namespace orrery::modelica
