#include "orrery/modelica/statements/statements.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/expressions/calls.h"
#include "orrery/modelica/expressions/iterators.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/statements/assignments.h"
#include "orrery/modelica/statements/checks.h"
#include "orrery/modelica/statements/run_sizes.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/symbolic/transform.h"
#include "orrery/syntax/overload.h"

namespace orrery::modelica::internal {
namespace {

bool LeavesLoop(const ast::List<ast::Statement>& statements) {
  return std::ranges::any_of(statements, [](const ast::Statement& statement) {
    if (std::holds_alternative<ast::Break>(statement.node)) {
      return true;
    }
    if (const auto* choice =
            std::get_if<ast::If<ast::Statement>>(&statement.node)) {
      return std::ranges::any_of(choice->branches, [](const auto& branch) {
        return LeavesLoop(branch.body);
      });
    }
    return false;
  });
}

// True if the statements contain a when-statement, directly or in loops.
bool HasWhen(const ast::List<ast::Statement>& statements) {
  return std::ranges::any_of(statements, [](const ast::Statement& statement) {
    const auto* const loop =
        std::get_if<ast::For<ast::Statement>>(&statement.node);
    return std::holds_alternative<ast::When<ast::Statement>>(statement.node) ||
           (loop != nullptr && HasWhen(loop->body));
  });
}

void AddTarget(const ast::ComponentReference& target,
               std::set<std::string_view>& names) {
  names.insert(target.parts.front().name.text);
}

void AddTarget(const ast::Expression* target,
               std::set<std::string_view>& names) {
  const auto* const reference =
      target == nullptr ? nullptr
                        : std::get_if<ast::ComponentReference>(&target->node);
  if (reference != nullptr) {
    AddTarget(*reference, names);
  }
}

}  // namespace

void AddAssigned(const ast::List<ast::Statement>& statements,
                 std::set<std::string_view>& names) {
  const auto add_branches = [&](const auto& choice) {
    for (const ast::Branch<ast::Statement>& branch : choice.branches) {
      AddAssigned(branch.body, names);
    }
  };
  const Overload add{
      [&](const ast::Assignment& one) { AddTarget(one.target, names); },
      [&](const ast::MultiAssignment& all) {
        for (const ast::Expression* const target : all.targets) {
          AddTarget(target, names);
        }
      },
      [&](const ast::If<ast::Statement>& choice) { add_branches(choice); },
      [&](const ast::When<ast::Statement>& choice) { add_branches(choice); },
      [&](const ast::For<ast::Statement>& loop) {
        AddAssigned(loop.body, names);
      },
      [&](const ast::While& loop) { AddAssigned(loop.body, names); },
      [](const auto&) {},
  };
  for (const ast::Statement& statement : statements) {
    std::visit(add, statement.node);
  }
}

namespace {

// True if `part` is one of the names in a dotted path.
bool HasPart(std::string_view path, std::string_view part) {
  const auto ends_name = [&](std::size_t at) {
    return at >= path.size() || path[at] == '.' || path[at] == '[';
  };
  for (std::size_t at = path.find(part); at != std::string_view::npos;
       at = path.find(part, at + 1)) {
    if ((at == 0 || path[at - 1] == '.') && ends_name(at + part.size())) {
      return true;
    }
  }
  return false;
}

// True if statements may change a variable in a formula.
bool MayChange(const ast::List<ast::Statement>& statements, Expr formula) {
  std::set<std::string_view> names;
  AddAssigned(statements, names);
  const std::array roots = {formula};
  return std::ranges::any_of(Reachable(roots), [&](std::uint32_t id) {
    const Expr node = formula.graph().At(id);
    return node.op() == Op::kSymbol &&
           std::ranges::any_of(names, [&](std::string_view name) {
             return HasPart(node.graph().NameOf(node), name);
           });
  });
}

}  // namespace

void StatementLowering::Run(const ast::List<ast::Statement>& statements,
                            Statements& out) {
  // An earlier statement may change the variables in the sizes of a later one.
  auto around = std::exchange(context_.lowering.sizes, {});
  RunSizes sizes(context_);
  for (const ast::Statement& statement : statements) {
    const RunSizes::Work lower = [&](Statements& to) {
      Lower(statement, to);
    };
    sizes.LowerForEach(
        [&](Statements& to) {
          sizes.LowerIfItSelects(lower, statement.span, to);
        },
        statement.span,
        out);
  }
  context_.lowering.sizes = std::move(around);
}

void StatementLowering::RunInside(const ast::List<ast::Statement>& statements,
                                  Statements& out) {
  ++context_.depth;
  Run(statements, out);
  --context_.depth;
}

void StatementLowering::Lower(const ast::Statement& statement,
                              Statements& out) {
  const ast::Span& span = statement.span;
  std::visit(
      Overload{
          [&](const ast::Assignment& assignment) {
            AssignmentLowering(context_).Lower(assignment, span, out);
          },
          [&](const ast::MultiAssignment& assignment) {
            AssignmentLowering(context_).LowerMulti(assignment, span, out);
          },
          [&](const ast::CallItem& call) { LowerCall(call, span, out); },
          [&](const ast::If<ast::Statement>& choice) {
            LowerIf(choice, span, out);
          },
          [&](const ast::For<ast::Statement>& loop) {
            LowerFor(loop, 0, span, out);
          },
          [&](const ast::When<ast::Statement>& clause) {
            LowerWhen(clause, span, out);
          },
          [&](const ast::While& loop) { LowerWhile(loop, span, out); },
          [&](const ast::Break&) {
            out.push_back(
                {.step = BreakStatement{}, .span = context_.Where(span)});
          },
          [&](const ast::Return&) {
            if (context_.events != nullptr) {
              context_.lowering.Fail(span,
                                     "'return' leaves a function: this is an "
                                     "algorithm of a model",
                                     "put what follows it under a condition");
            }
            returns_ = true;
            out.push_back(
                {.step = ReturnStatement{}, .span = context_.Where(span)});
          },
      },
      statement.node);
}

// Control -------------------------------------------------------------------

void StatementLowering::LowerIf(const ast::If<ast::Statement>& choice,
                                const ast::Span& span,
                                Statements& out) {
  IfStatement statement;
  const TextVariables::Values before = context_.texts.Save();
  std::vector<TextVariables::Values> ends;
  bool is_complete = false;
  for (const ast::Branch<ast::Statement>& branch : choice.branches) {
    context_.texts.Set(before);
    const Expr condition =
        branch.condition != nullptr
            ? LowerCondition(context_.lowering, *branch.condition)
            : context_.session.graph.Boolean(true);
    const std::optional<bool> holds =
        DecideByArguments(context_.lowering, condition);
    if (holds == false) {
      continue;
    }
    IfStatement::Branch lowered{
        .condition = holds ? context_.session.graph.Boolean(true) : condition};
    RunInside(branch.body, lowered.body);
    statement.branches.push_back(std::move(lowered));
    ends.push_back(context_.texts.Save());
    if (holds) {
      is_complete = true;
      break;
    }
  }
  if (!is_complete) {
    ends.push_back(before);
  }
  context_.texts.Join(ends);
  if (!statement.branches.empty()) {
    out.push_back({.step = std::move(statement), .span = context_.Where(span)});
  }
}

void StatementLowering::LowerFor(const ast::For<ast::Statement>& loop,
                                 std::size_t index,
                                 const ast::Span& span,
                                 Statements& out) {
  // A loop with when-statements is unrolled: each pass has its own event.
  const bool has_when =
      context_.events != nullptr && context_.depth == 0 && HasWhen(loop.body);
  if (index == loop.indices.size()) {
    if (has_when) {
      Run(loop.body, out);
    } else {
      RunInside(loop.body, out);
    }
    return;
  }
  const ast::ForIndex& range = loop.indices[index];
  if (range.range != nullptr) {
    if (const auto* bounds = std::get_if<ast::Range>(&range.range->node)) {
      const auto is_known = [&](const ast::Expression* bound) {
        return bound == nullptr ||
               KnownByArguments(context_.lowering,
                                LowerNumbers(context_.lowering, *bound));
      };
      if (!is_known(bounds->start) || !is_known(bounds->step) ||
          !is_known(bounds->stop)) {
        LowerForAsWhile(loop, index, span, out);
        return;
      }
    }
  }
  const Iteration iteration = BindOnce(loop, index, out);
  if (context_.session.graph.IteratorRange(iteration.iterator).count == 0) {
    Unbind(context_.lowering);  // A loop that never runs need not be correct.
    return;
  }
  if (!has_when && LowerAsLoop(loop, index, iteration, span, out)) {
    return;
  }
  if (LeavesLoop(loop.body)) {
    context_.lowering.Fail(
        span,
        has_when ? "this loop holds a when-statement and is left by "
                   "'break', which is not supported yet"
                 : "this loop uses its iterator as a size and is left by "
                   "'break', which is not supported yet");
  }
  Unbind(context_.lowering);
  for (const Value& value : Unrolled(context_.lowering, range, iteration)) {
    Bind(context_.lowering, range.name.text, value);
    LowerFor(loop, index + 1, span, out);
    Unbind(context_.lowering);
  }
}

// Returns false, without effect, if the body needs known values of the
// iterator.
bool StatementLowering::LowerAsLoop(const ast::For<ast::Statement>& loop,
                                    std::size_t index,
                                    const Iteration& iteration,
                                    const ast::Span& span,
                                    Statements& out) {
  const StatementMark before = context_.Mark();
  try {
    ForStatement statement{.iterator = iteration.iterator};
    context_.texts.EnterLoop(loop.body);
    LowerFor(loop, index + 1, span, statement.body);
    context_.texts.LeaveLoop(loop.body);
    Unbind(context_.lowering);
    out.push_back({.step = std::move(statement), .span = context_.Where(span)});
    return true;
  } catch (const NeedsUnrolling&) {
    context_.GoBack(before);
    return false;
  }
}

// Computes the range of a loop once, before its first pass (specification 3.6,
// section 11.2.2), since the body may assign variables in it.
Iteration StatementLowering::BindOnce(const ast::For<ast::Statement>& loop,
                                      std::size_t index,
                                      Statements& out) {
  const ast::ForIndex& range = loop.indices[index];
  if (range.range == nullptr ||
      std::holds_alternative<ast::Range>(range.range->node)) {
    return Bind(context_.lowering, range);
  }
  Value values = ValuesOf(context_.lowering, range);
  if (NumElements(values.shape()) > 0 && MayChange(loop.body, values.expr)) {
    const Expr kept = context_.Temporary(values.expr, "values");
    out.push_back({.step = Assignment{.target = kept, .value = values.expr},
                   .span = context_.Where(range.range->span)});
    values.expr = kept;
  }
  return Bind(context_.lowering, range, values);
}

// for i in a:s:b, with bounds that only the run knows:
//     i := a; until := b; while i <= until loop ...; i := i + s; end while
// Real values are not summed up: passes are counted (specification 3.6, section
// 10.4.3), as for known ranges.
void StatementLowering::LowerForAsWhile(const ast::For<ast::Statement>& loop,
                                        std::size_t index,
                                        const ast::Span& span,
                                        Statements& out) {
  ExprGraph& graph = context_.session.graph;
  const ast::ForIndex& range = loop.indices[index];
  const auto& bounds = std::get<ast::Range>(range.range->node);
  const auto is_of_reals = [this](const ast::Expression* bound) {
    return bound != nullptr &&
           LowerNumbers(context_.lowering, *bound).type() == ValueType::kReal;
  };
  const bool is_real = is_of_reals(bounds.start) || is_of_reals(bounds.step) ||
                       is_of_reals(bounds.stop);
  const ValueType type = is_real ? ValueType::kReal : ValueType::kInteger;
  const Expr start = LowerScalar(context_.lowering, *bounds.start, type);
  const Expr stop = LowerScalar(context_.lowering, *bounds.stop, type);
  const Expr step = bounds.step != nullptr
                        ? LowerScalar(context_.lowering, *bounds.step, type)
                        : graph.Constant(1, type);
  if (!step.is_constant() || step.value() == 0) {
    context_.lowering.Fail(
        span, "the step of this loop must be a constant that is not zero");
  }
  const SourceSpan where = context_.Where(span);
  const auto set = [&where](Expr target, Expr value, Statements& to) {
    to.push_back(
        {.step = Assignment{.target = target, .value = value}, .span = where});
  };
  // The bounds are computed once. The iterator is stepped before the body, so
  // that no statement in the body can skip the step.
  const Expr next = context_.Temporary(start, "next");
  const Expr last = context_.Temporary(stop, "last");
  const Expr iterator = context_.Temporary(start, std::string(range.name.text));
  Expr value = next;
  Expr by = step;
  if (is_real) {
    const Expr first = context_.Temporary(start, "first");
    set(first, start, out);
    set(next, graph.Constant(0), out);
    set(last,
        graph.Unary(Op::kFloor, (stop - start) / step * kUpToRounding),
        out);
    value = first + next * step;
    by = graph.Constant(1);
  } else {
    set(next, start, out);
    set(last, stop, out);
  }
  WhileStatement statement{
      .condition = by.value() > 0 ? graph.Binary(Op::kLessEqual, next, last)
                                  : graph.Binary(Op::kLessEqual, last, next)};
  set(iterator, value, statement.body);
  set(next, next + by, statement.body);
  Bind(context_.lowering,
       range.name.text,
       NumberValue(
           iterator,
           LowerExpression(context_.lowering, *bounds.start).enumeration));
  ++context_.depth;
  context_.texts.EnterLoop(loop.body);
  LowerFor(loop, index + 1, span, statement.body);
  context_.texts.LeaveLoop(loop.body);
  --context_.depth;
  Unbind(context_.lowering);
  out.push_back({.step = std::move(statement), .span = where});
}

void StatementLowering::LowerWhile(const ast::While& loop,
                                   const ast::Span& span,
                                   Statements& out) {
  context_.texts.EnterLoop(loop.body);
  Statements again;
  WhileStatement statement{.condition = RunSizes(context_).LowerWhileCondition(
                               loop, span, out, again)};
  RunInside(loop.body, statement.body);
  statement.body.insert(statement.body.end(), again.begin(), again.end());
  context_.texts.LeaveLoop(loop.body);
  out.push_back({.step = std::move(statement), .span = context_.Where(span)});
}

// Computes all conditions before the taken branch changes variables in them.
void StatementLowering::LowerWhen(const ast::When<ast::Statement>& clause,
                                  const ast::Span& span,
                                  Statements& out) {
  if (context_.events == nullptr) {
    context_.lowering.Fail(
        span,
        "'when' cannot be used in a function: a function knows of "
        "no events and remembers nothing",
        "use it in an algorithm section of a model or block");
  }
  if (context_.depth > 0) {
    context_.lowering.Fail(
        span,
        "a when-statement cannot stand in an if-, while- or another "
        "when-statement, nor in a loop over a range that only the "
        "run knows",
        "write the other statement inside of 'when'");
  }
  IfStatement statement;
  for (std::size_t i = 0; i < clause.branches.size(); ++i) {
    statement.branches.push_back({.condition = context_.events->Activation(
                                      *clause.branches[i].condition, i, out),
                                  .body = {}});
  }
  context_.events->Enter(span);
  context_.lowering.is_in_when = true;
  for (std::size_t i = 0; i < clause.branches.size(); ++i) {
    RunInside(clause.branches[i].body, statement.branches[i].body);
  }
  context_.lowering.is_in_when = false;
  context_.events->Leave(out);
  out.push_back({.step = std::move(statement), .span = context_.Where(span)});
}

void StatementLowering::LowerCall(const ast::CallItem& item,
                                  const ast::Span& span,
                                  Statements& out) {
  const auto& call = std::get<ast::Call>(item.call->node);
  const std::string name = ast::ToString(call.function);
  const auto checks = name == "assert"
                          ? LowerAssertion(context_.lowering, call, span)
                          : LowerErrorCall(context_.lowering, call, span);
  if (!checks.empty()) {
    for (const Check& check : checks) {
      context_.AddCheck(check, span, out);
    }
    return;
  }
  if (name == "terminate" && context_.events != nullptr) {
    context_.events->Terminate(
        LowerTermination(context_.lowering, call, span), span, out);
    return;
  }
  if (name == "terminate" || name == "reinit") {
    context_.lowering.Fail(
        span,
        "'" + name + "' cannot be used in " +
            (context_.events == nullptr ? "a function" : "an algorithm"),
        "use it in a when-clause of an equation section");
  }
  const Expr result = CallForEffect(context_.lowering, call, span);
  const Expr unused = context_.Temporary(result, "unused");
  context_.unused.emplace_back(unused, span);
  out.push_back({.step = Assignment{.target = unused, .value = result},
                 .span = context_.Where(span)});
}

}  // namespace orrery::modelica::internal
