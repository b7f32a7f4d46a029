#include <variant>
#include <vector>

#include "orrery/modelica/builtins/builtins.h"
#include "orrery/modelica/session/streams.h"
#include "orrery/symbolic/transform.h"

/// The operators of stream connectors (specification 3.6, sections 15.2 and
/// 15.3).
namespace orrery::modelica::internal {

Value BuiltIns::InStream(const Arguments& arguments) {
  return AskStreams(arguments, StreamConnections::Question::kInStream);
}

Value BuiltIns::ActualStream(const Arguments& arguments) {
  return AskStreams(arguments, StreamConnections::Question::kActualStream);
}

// The argument, which may be an array or some elements of one, with the answer
// in the place of each stream variable.
Value BuiltIns::AskStreams(const Arguments& arguments,
                           StreamConnections::Question question) {
  const ast::Expression& argument = *arguments[0];
  const std::string name = "'" + ast::ToString(call_.function) + "'";
  if (!std::holds_alternative<ast::ComponentReference>(argument.node)) {
    lowering_.Fail(argument.span,
                   name + " takes a stream variable, not a formula");
  }
  const Value value = AsInModel(arguments, 0);
  if (!value.is_number()) {
    lowering_.Fail(argument.span,
                   name + " takes a stream variable, not " + Describe(value));
  }
  if (NumElements(value.shape()) == 0) {
    return value;
  }
  const std::vector<Expr> symbols = SymbolsOf(value.expr);
  if (symbols.empty()) {
    lowering_.Fail(argument.span,
                   name + " takes a stream variable, not " + Describe(value));
  }
  Session& session = lowering_.session;
  Substitution answers(graph_);
  for (const Expr symbol : symbols) {
    const auto found = session.component_of.find(symbol.id());
    if (found == session.component_of.end() || !found->second->is_stream) {
      lowering_.Fail(argument.span,
                     name + " takes a stream variable, and '" +
                         session.graph.NameOf(symbol) + "' is none",
                     "declare it with the prefix 'stream' in a connector");
    }
    const Expr answer = session.streams.Ask(
        question, *found->second, At(lowering_.where.scope, argument.span));
    answers.Add(symbol, AsRead(answer));
  }
  return NumberValue(answers.Apply(value.expr));
}

}  // namespace orrery::modelica::internal
