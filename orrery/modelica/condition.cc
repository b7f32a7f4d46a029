#include "orrery/modelica/condition.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
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
    const std::string name =
        flat_.element_names.WithNumbers(NameOf(reference.span));
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
    if (const std::size_t open = name.rfind('[');
        open != std::string::npos && name.ends_with(']')) {
      if (const Expr array = FindVariable(name.substr(0, open))) {
        return Element(array, name.substr(open + 1), reference.span);
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

  // @param subscripts "2,3]"
  Expr Element(Expr array, std::string_view subscripts, const ast::Span& span) {
    std::vector<Expr> at;
    for (const std::int64_t extent : array.shape()) {
      std::int64_t number = 0;
      const char* const begin = subscripts.data();
      const auto [end, error] =
          std::from_chars(begin, begin + subscripts.size(), number);
      subscripts.remove_prefix(static_cast<std::size_t>(end - begin));
      const bool is_last = at.size() + 1 == array.shape().size();
      if (error != std::errc() || number < 1 || number > extent ||
          !subscripts.starts_with(is_last ? ']' : ',')) {
        break;
      }
      subscripts.remove_prefix(1);
      at.push_back(
          graph().Constant(static_cast<double>(number), ValueType::kInteger));
    }
    if (at.empty() || at.size() != array.shape().size()) {
      throw FormulaMistake{span,
                           "there is no such element",
                           "give a subscript for each of the " +
                               std::to_string(array.shape().size()) +
                               " dimensions, from 1"};
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
