#include "orrery/modelica/statements/statement_context.h"

#include <utility>

#include "orrery/modelica/session/run_texts.h"

namespace orrery::modelica::internal {

Expr StatementContext::Temporary(Expr like, const std::string& name) {
  const Expr symbol = session.graph.Symbol(
      {.name = name, .type = like.type(), .shape = like.shape()});
  temporaries.push_back({.symbol = symbol});
  return symbol;
}

void StatementContext::AddCheck(Check check,
                                const ast::Span& span,
                                Statements& out) {
  if (check.holds.value_or(false)) {
    return;
  }
  if (events != nullptr) {
    events->Assert(std::move(check), span, out);
    return;
  }
  if (check.is_warning) {
    session.diagnostics.Warning(Where(span),
                                "assertions of level 'warning' in functions "
                                "are not checked");
    return;
  }
  AssertStatement step{.condition = check.condition, .message = {}};
  if (HasValues(check.message)) {
    step.writer = ThrowerOf(session.graph, check.message);
  } else {
    step.message = check.message.parts.empty()
                       ? std::string()
                       : check.message.parts.front().text;
  }
  out.push_back({.step = std::move(step), .span = Where(span)});
}

StatementMark StatementContext::Mark() const {
  return {.temporaries = temporaries.size(),
          .unused = unused.size(),
          .depth = depth,
          .texts = texts.Save(),
          .assigned = texts.CountAssigned(),
          .scope = lowering.Save()};
}

void StatementContext::GoBack(const StatementMark& before) {
  lowering.Restore(before.scope);
  temporaries.resize(before.temporaries);
  unused.resize(before.unused);
  depth = before.depth;
  texts.Set(before.texts);
  texts.TakeBack(before.assigned);
}

}  // namespace orrery::modelica::internal
