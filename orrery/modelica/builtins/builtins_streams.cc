#include "orrery/modelica/builtins/builtins_streams.h"

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "orrery/modelica/builtins/built_in_call.h"
#include "orrery/modelica/session/streams.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// The argument, which may be an array or some elements of one, with the answer
// in the place of each stream variable.
Value AskStreams(const BuiltInCall& call,
                 const BuiltInArguments& arguments,
                 StreamConnections::Question question) {
  const ast::Expression& argument = *arguments[0];
  const std::string name = "'" + ast::ToString(call.written.function) + "'";
  if (!std::holds_alternative<ast::ComponentReference>(argument.node)) {
    call.context.Fail(argument.span,
                      name + " takes a stream variable, not a formula");
  }
  Value value = ModelValue(call, arguments, 0);
  if (!value.is_number()) {
    call.context.Fail(
        argument.span,
        name + " takes a stream variable, not " + Describe(value));
  }
  if (NumElements(value.shape()) == 0) {
    return value;
  }
  const std::vector<Expr> symbols = SymbolsOf(value.expr);
  if (symbols.empty()) {
    call.context.Fail(
        argument.span,
        name + " takes a stream variable, not " + Describe(value));
  }
  Session& session = call.context.session;
  Substitution answers(call.graph);
  for (const Expr symbol : symbols) {
    const auto found = session.component_of.find(symbol.id());
    if (found == session.component_of.end() || !found->second->is_stream) {
      call.context.Fail(argument.span,
                        name + " takes a stream variable, and '" +
                            session.graph.NameOf(symbol) + "' is none",
                        "declare it with the prefix 'stream' in a connector");
    }
    const Expr answer = session.streams.Ask(
        question, *found->second, At(call.context.where.scope, argument.span));
    answers.Add(symbol, call.context.AsRead(answer));
  }
  return NumberValue(answers.Apply(value.expr));
}

Value LowerInStream(const BuiltInCall& call,
                    const BuiltInArguments& arguments) {
  return AskStreams(call, arguments, StreamConnections::Question::kInStream);
}

Value LowerActualStream(const BuiltInCall& call,
                        const BuiltInArguments& arguments) {
  return AskStreams(
      call, arguments, StreamConnections::Question::kActualStream);
}

}  // namespace

std::span<const BuiltInEntry> StreamBuiltIns() {
  static const std::vector<BuiltInEntry> entries = {
      {"inStream", LowerInStream, 1, 1, {}},
      {"actualStream", LowerActualStream, 1, 1, {}},
  };
  return entries;
}

}  // namespace orrery::modelica::internal
