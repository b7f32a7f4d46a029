#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/statements/statements.h"

/// Slices whose sizes only the run knows, as in `sum(v[1:k])`. Formulas have
/// shapes that are known: a statement with such a slice is lowered once for
/// each size that the slice may have, and the run takes the one that holds.
namespace orrery::modelica::internal {
namespace {

// Sizes that one slice may have, at most.
constexpr std::int64_t kMostSizes = 1'000;

}  // namespace

StatementLowering::Before StatementLowering::Mark() const {
  return {.temporaries = temporaries_.size(),
          .unused = unused_.size(),
          .depth = depth_,
          .texts = texts_.Save(),
          .assigned = texts_.CountAssigned(),
          .scope = lowering_.Save()};
}

void StatementLowering::GoBack(const Before& before) {
  lowering_.Restore(before.scope);
  temporaries_.resize(before.temporaries);
  unused_.resize(before.unused);
  depth_ = before.depth;
  texts_.Set(before.texts);
  texts_.TakeBack(before.assigned);
}

void StatementLowering::LowerForSizes(const Work& work,
                                      const ast::Span& span,
                                      Statements& out) {
  const Before before = Mark();
  const std::size_t size = out.size();
  try {
    work(out);
  } catch (const NeedsSize& needed) {
    GoBack(before);
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(size), out.end());
    LowerForSize(needed, work, span, out);
  }
}

// size := ...;
// if size <= 1 then
//   if size <= 0 then (work for 0) else (work for 1)
// else ...
void StatementLowering::LowerForSize(const NeedsSize& needed,
                                     const Work& work,
                                     const ast::Span& span,
                                     Statements& out) {
  if (needed.most > kMostSizes) {
    lowering_.Fail(span,
                   "a slice whose size only the run knows may have " +
                       std::to_string(needed.most) +
                       " elements here; at most " + std::to_string(kMostSizes) +
                       " are possible",
                   "write a loop over its elements");
  }
  ExprGraph& graph = session_.graph;
  const Expr size = Temporary(needed.size, "size");
  out.push_back({.step = Assignment{.target = size, .value = needed.size},
                 .span = Where(span)});
  const Expr most = IntegerOf(graph, needed.most);
  AddCheck({.condition = graph.Binary(Op::kLessEqual, size, most),
            .message = {.parts = {{.text = "a slice of "},
                                  {.text = "", .value = size},
                                  {.text = " elements is out of bounds: there "
                                           "are " +
                                           std::to_string(needed.most)}}}},
           span,
           out);
  const Diagnostics found = session_.diagnostics;
  Diagnostics failed = found;
  bool fits = false;
  const std::function<void(std::int64_t, std::int64_t, Statements&)> divide =
      [&](std::int64_t first, std::int64_t last, Statements& to) {
        if (first == last) {
          lowering_.sizes.push_back({.size = needed.size, .value = first});
          if (LowerWithSize(
                  [&](Statements& in) { LowerForSizes(work, span, in); }, to)) {
            fits = true;
          } else {
            failed = std::exchange(session_.diagnostics, found);
          }
          lowering_.sizes.pop_back();
          return;
        }
        const std::int64_t middle = (first + last) / 2;
        const Expr middle_size = IntegerOf(graph, middle);
        const TextVariables::Values before = texts_.Save();
        std::vector<TextVariables::Values> ends;
        IfStatement choice;
        choice.branches.push_back(
            {.condition = graph.Binary(Op::kLessEqual, size, middle_size),
             .body = {}});
        divide(first, middle, choice.branches.back().body);
        ends.push_back(texts_.Save());
        texts_.Set(before);
        choice.branches.push_back(
            {.condition = graph.Boolean(true), .body = {}});
        divide(middle + 1, last, choice.branches.back().body);
        ends.push_back(texts_.Save());
        texts_.Join(ends);
        to.push_back({.step = std::move(choice), .span = Where(span)});
      };
  divide(0, needed.most, out);
  if (!fits) {
    session_.diagnostics = failed;
    throw Abandoned{};
  }
}

// Lowers the work for the present sizes. If they do not fit, returns false,
// adds a check that fails in the run, and leaves the errors in the diagnostics.
bool StatementLowering::LowerWithSize(const Work& work, Statements& out) {
  const Before before = Mark();
  const std::size_t size = out.size();
  const auto reported = session_.reported;
  std::string why;
  try {
    work(out);
    return true;
  } catch (const Abandoned&) {
    why = session_.diagnostics.list().empty()
              ? std::string()
              : session_.diagnostics.list().back().message;
  } catch (const Error& error) {
    why = error.what();
  }
  GoBack(before);
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(size), out.end());
  session_.reported = reported;
  AddCheck({.condition = session_.graph.Boolean(false),
            .message = {.parts = {{.text = "a slice has a size that does not "
                                           "fit here: " +
                                           why}}}},
           {},
           out);
  return false;
}

// A statement of a function that selects an element of an array without
// elements becomes a check that fails where it is reached.
void StatementLowering::LowerIfItSelects(const ast::Statement& statement,
                                         Statements& out) {
  const Before before = Mark();
  const std::size_t size = out.size();
  try {
    Lower(statement, out);
  } catch (const SelectsOfNothing& fault) {
    GoBack(before);
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(size), out.end());
    AddCheck({.condition = session_.graph.Boolean(false),
              .message = {.parts = {{.text = fault.message}}}},
             statement.span,
             out);
  }
}

// The condition of a loop; where it has slices whose sizes only the run knows,
// a variable that is computed before the loop, and `again` at its end.
Expr StatementLowering::WhileCondition(const ast::While& loop,
                                       const ast::Span& span,
                                       Statements& out,
                                       Statements& again) {
  try {
    return LowerCondition(lowering_, *loop.condition);
  } catch (const NeedsSize&) {
    const Expr holds = Temporary(session_.graph.Boolean(false), "holds");
    const Work work = [&](Statements& to) {
      const Expr condition = LowerCondition(lowering_, *loop.condition);
      to.push_back({.step = Assignment{.target = holds, .value = condition},
                    .span = Where(span)});
    };
    LowerForSizes(work, span, out);
    LowerForSizes(work, span, again);
    return holds;
  }
}

}  // namespace orrery::modelica::internal
