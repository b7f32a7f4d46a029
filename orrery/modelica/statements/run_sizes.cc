#include "orrery/modelica/statements/run_sizes.h"

#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/formulas.h"

namespace orrery::modelica::internal {
namespace {

// Sizes that one slice may have, at most.
constexpr std::int64_t kMostSizes = 1'000;

}  // namespace

void RunSizes::LowerForEach(const Work& work,
                            const ast::Span& span,
                            Statements& out) {
  const StatementMark before = context_.Mark();
  const std::size_t size = out.size();
  try {
    work(out);
  } catch (const NeedsSize& needed) {
    context_.GoBack(before);
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(size), out.end());
    LowerForSize(needed, work, span, out);
  }
}

// size := ...;
// if size <= 1 then
//   if size <= 0 then (work for 0) else (work for 1)
// else ...
void RunSizes::LowerForSize(const NeedsSize& needed,
                            const Work& work,
                            const ast::Span& span,
                            Statements& out) {
  if (needed.most > kMostSizes) {
    context_.lowering.Fail(span,
                           "a slice whose size only the run knows may have " +
                               std::to_string(needed.most) +
                               " elements here; at most " +
                               std::to_string(kMostSizes) + " are possible",
                           "write a loop over its elements");
  }
  ExprGraph& graph = context_.session.graph;
  const Expr size = context_.Temporary(needed.size, "size");
  out.push_back({.step = Assignment{.target = size, .value = needed.size},
                 .span = context_.Where(span)});
  const Expr most = IntegerOf(graph, needed.most);
  context_.AddCheck(
      {.condition = graph.Binary(Op::kLessEqual, size, most),
       .message = {.parts = {{.text = "a slice of "},
                             {.text = "", .value = size},
                             {.text = " elements is out of bounds: there "
                                      "are " +
                                      std::to_string(needed.most)}}}},
      span,
      out);
  const Diagnostics found = context_.session.diagnostics;
  Diagnostics failed = found;
  bool fits = false;
  const std::function<void(std::int64_t, std::int64_t, Statements&)> divide =
      [&](std::int64_t first, std::int64_t last, Statements& to) {
        if (first == last) {
          context_.lowering.sizes.push_back(
              {.size = needed.size, .value = first});
          if (LowerWith([&](Statements& in) { LowerForEach(work, span, in); },
                        to)) {
            fits = true;
          } else {
            failed = std::exchange(context_.session.diagnostics, found);
          }
          context_.lowering.sizes.pop_back();
          return;
        }
        const std::int64_t middle = (first + last) / 2;
        const Expr middle_size = IntegerOf(graph, middle);
        const TextVariables::Values before = context_.texts.Save();
        std::vector<TextVariables::Values> ends;
        IfStatement choice;
        choice.branches.push_back(
            {.condition = graph.Binary(Op::kLessEqual, size, middle_size),
             .body = {}});
        divide(first, middle, choice.branches.back().body);
        ends.push_back(context_.texts.Save());
        context_.texts.Set(before);
        choice.branches.push_back(
            {.condition = graph.Boolean(true), .body = {}});
        divide(middle + 1, last, choice.branches.back().body);
        ends.push_back(context_.texts.Save());
        context_.texts.Join(ends);
        to.push_back({.step = std::move(choice), .span = context_.Where(span)});
      };
  divide(0, needed.most, out);
  if (!fits) {
    context_.session.diagnostics = failed;
    throw Abandoned{};
  }
}

// Lowers the work for the present sizes. If they do not fit, returns false,
// adds a check that fails in the run, and leaves the errors in the diagnostics.
bool RunSizes::LowerWith(const Work& work, Statements& out) {
  const StatementMark before = context_.Mark();
  const std::size_t size = out.size();
  const auto reported = context_.session.reported;
  std::string why;
  try {
    work(out);
    return true;
  } catch (const Abandoned&) {
    why = context_.session.diagnostics.list().empty()
              ? std::string()
              : context_.session.diagnostics.list().back().message;
  } catch (const Error& error) {
    why = error.what();
  }
  context_.GoBack(before);
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(size), out.end());
  context_.session.reported = reported;
  context_.AddCheck(
      {.condition = context_.session.graph.Boolean(false),
       .message = {.parts = {{.text = "a slice has a size that does not "
                                      "fit here: " +
                                      why}}}},
      {},
      out);
  return false;
}

void RunSizes::LowerIfItSelects(const Work& work,
                                const ast::Span& span,
                                Statements& out) {
  const StatementMark before = context_.Mark();
  const std::size_t size = out.size();
  try {
    work(out);
  } catch (const SelectsOfNothing& fault) {
    context_.GoBack(before);
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(size), out.end());
    context_.AddCheck({.condition = context_.session.graph.Boolean(false),
                       .message = {.parts = {{.text = fault.message}}}},
                      span,
                      out);
  }
}

Expr RunSizes::LowerWhileCondition(const ast::While& loop,
                                   const ast::Span& span,
                                   Statements& out,
                                   Statements& again) {
  try {
    return LowerCondition(context_.lowering, *loop.condition);
  } catch (const NeedsSize&) {
    const Expr holds =
        context_.Temporary(context_.session.graph.Boolean(false), "holds");
    const Work work = [&](Statements& to) {
      const Expr condition = LowerCondition(context_.lowering, *loop.condition);
      to.push_back({.step = Assignment{.target = holds, .value = condition},
                    .span = context_.Where(span)});
    };
    LowerForEach(work, span, out);
    LowerForEach(work, span, again);
    return holds;
  }
}

}  // namespace orrery::modelica::internal
