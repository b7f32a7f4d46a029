#include "orrery/modelica/functions/specializations.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/functions/functions.h"
#include "orrery/modelica/functions/recursion.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {
namespace {

/// Marks a function as being lowered during its lifetime.
class Opened {
 public:
  Opened(Session& session, const Session::OpenFunction& function)
      : session_(session) {
    session_.open_functions.push_back(function);
  }

  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  ~Opened() { session_.open_functions.pop_back(); }

 private:
  Session& session_;
};

// The function lowered earlier for such arguments; null if there is none.
const Session::Lowered* FindLowered(LoweringContext& context,
                                    ClassNode* function,
                                    const FlatArguments& leaves,
                                    const std::vector<double>& shapes) {
  const std::vector<Session::Lowered>& all =
      context.session.functions[function];
  const std::vector<std::string> forms = FormsOf(leaves.texts);
  const auto found = std::ranges::find_if(all, [&](const auto& known) {
    return known.key == shapes && known.texts == forms &&
           known.functions == leaves.functions &&
           std::ranges::all_of(known.needed, [&](const auto& needed) {
             const auto value = TryEvaluate(context.session,
                                            leaves.numbers[needed.first].expr);
             return value && *value == needed.second;
           });
  });
  return found == all.end() ? nullptr : &*found;
}

// Drops what was lowered from number `begin` on: it may call a function that is
// lowered anew.
void Forget(Session& session, std::size_t begin) {
  for (auto& [function, all] : session.functions) {
    std::erase_if(
        all, [begin](const auto& lowered) { return lowered.order >= begin; });
  }
}

// A call, for messages.
struct CallPlace {
  const ClassNode& function;
  const ast::Span& span;
};

// Learns the value of an argument that a body needs or, if the body can do
// without, that it varies.
void RecordNeededArgument(LoweringContext& context,
                          const NeedsArgument& argument,
                          std::size_t number,
                          const Value& leaf,
                          const CallPlace& place,
                          CompileTimeArguments& known) {
  if (!argument.may_vary || !Varies(context, leaf.expr)) {
    const std::string name = context.session.graph.NameOf(argument.symbol);
    known.needed.emplace_back(
        number,
        EvaluateOrUnroll(context,
                         leaf.expr,
                         place.span,
                         "argument '" + name + "' of " + place.function.name +
                             ", on which sizes depend,"));
    return;
  }
  if (argument.ends_recursion && !context.iterators.empty() &&
      leaf.expr.Contains(Trait::kIterator)) {
    throw NeedsUnrolling{};
  }
  known.varying.push_back(number);
}

}  // namespace

Session::Lowered Specialize(LoweringContext& context,
                            ClassNode* function,
                            const std::vector<Value>& arguments,
                            const FlatArguments& leaves,
                            const std::vector<double>& shapes,
                            const ast::Span& span) {
  if (const Session::Lowered* const made =
          FindLowered(context, function, leaves, shapes)) {
    return *made;
  }
  if (const Session::Lowered* const open =
          FindOpen(context, function, leaves, shapes, span)) {
    return *open;
  }
  const std::vector<std::string> texts = FormsOf(leaves.texts);
  CompileTimeArguments known =
      KnownInRecursion(context, function, leaves, shapes);
  const std::size_t begin = context.session.num_lowered;
  while (true) {
    if (context.session.recursive_in_run.contains(function)) {
      Forget(context.session, begin);
    }
    FunctionLowering lowering(
        context.session, function, arguments, leaves.texts);
    try {
      const Opened opened(context.session,
                          {.node = function,
                           .shapes = &shapes,
                           .functions = &leaves.functions,
                           .texts = &texts,
                           .inputs = &lowering.leaves(),
                           .itself = &lowering.itself()});
      Session::Lowered lowered = lowering.Run(known.needed, known.varying);
      lowered.key = shapes;
      lowered.texts = texts;
      lowered.functions = leaves.functions;
      lowered.needed = known.needed;
      lowered.order = context.session.num_lowered++;
      context.session.functions[function].push_back(lowered);
      return lowered;
    } catch (const NeedsArgument& argument) {
      const auto found = std::ranges::find(lowering.inputs(), argument.symbol);
      if (found == lowering.inputs().end()) {
        throw;
      }
      const auto number =
          static_cast<std::size_t>(found - lowering.inputs().begin());
      RecordNeededArgument(context,
                           argument,
                           number,
                           leaves.numbers[number],
                           {.function = *function, .span = span},
                           known);
    } catch (const NeedsRecursionInRun& needed) {
      if (needed.outermost != context.session.open_functions.size()) {
        throw;
      }
      known = {};
    } catch (const WrongSize& wrong) {
      context.Fail(span,
                   "dimension " + std::to_string(wrong.dimension) +
                       " of input '" + wrong.input + "' of " + function->name +
                       " has " + std::to_string(wrong.wanted) +
                       " elements, the argument " +
                       std::to_string(wrong.found));
    }
  }
}

}  // namespace orrery::modelica::internal
