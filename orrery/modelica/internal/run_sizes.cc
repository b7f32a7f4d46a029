#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/internal/statements.h"

/// Slices whose sizes only the run knows, as in `sum(v[1:k])`. Formulas have
/// shapes that are known: a statement with such a slice is lowered once for
/// each size that the slice may have, and the run takes the one that holds.
namespace orrery::modelica::internal {
namespace {

// Sizes that one slice may have, at most.
constexpr std::int64_t kMostSizes = 1'000;

/// A sum of formulas of Integers with whole factors.
struct Sum {
  std::map<std::uint32_t, double> factors;  // By the formula's id.
  double constant = 0;
};

void AddTo(Sum& sum, Expr term, double factor) {
  switch (term.op()) {
    case Op::kConstant:
      sum.constant += factor * term.value();
      return;
    case Op::kNegate:
      return AddTo(sum, term.operand(0), -factor);
    case Op::kAdd:
    case Op::kSubtract:
      AddTo(sum, term.operand(0), factor);
      return AddTo(
          sum, term.operand(1), term.op() == Op::kAdd ? factor : -factor);
    case Op::kMultiply:
      for (std::size_t i = 0; i < 2; ++i) {
        if (term.operand(i).is_constant()) {
          return AddTo(
              sum, term.operand(1 - i), factor * term.operand(i).value());
        }
      }
      break;
    default:
      break;
  }
  sum.factors[term.id()] += factor;
}

// The one formula of all that are the same sum.
Expr Simplified(ExprGraph& graph, Expr formula) {
  Sum sum;
  AddTo(sum, formula, 1);
  Expr result;
  for (const auto& [id, factor] : sum.factors) {
    if (factor != 0) {
      const Expr term =
          graph.Constant(factor, ValueType::kInteger) * graph.At(id);
      result = result ? result + term : term;
    }
  }
  const Expr constant = graph.Constant(sum.constant, ValueType::kInteger);
  return result ? result + constant : constant;
}

}  // namespace

// The subscripts of a slice whose bounds vary in the run; none if they do not.
Expr Lowering::SliceInRun(const ast::Range& range, std::int64_t extent) {
  if (!takes_sizes_) {
    return {};
  }
  ExprGraph& graph = session_.graph;
  const Expr start = Numbers(*range.start);
  const Expr stop = Numbers(*range.stop);
  const Expr step =
      range.step == nullptr ? IntegerOf(graph, 1) : Numbers(*range.step);
  for (const Expr part : {start, stop, step}) {
    if (part.type() != ValueType::kInteger || !part.is_scalar() ||
        part.Contains(Trait::kIterator)) {
      return {};  // Loops over iterators are written out.
    }
  }
  const bool is_open = step.is_constant() && step.value() != 0 &&
                       (Varies(start) || Varies(stop));
  if (!is_open) {
    return {};
  }
  const auto by = static_cast<std::int64_t>(step.value());
  Expr size = Simplified(graph, (stop - start + step) * (by < 0 ? -1.0 : 1.0));
  const std::int64_t distance = std::abs(by);
  if (distance != 1) {
    size = graph.Binary(Op::kQuotient, size, IntegerOf(graph, distance));
  }
  const std::optional<std::int64_t> known = KnownSize(size);
  if (!known) {
    throw NeedsSize{.size = size, .most = (extent + distance - 1) / distance};
  }
  const Expr iterator = graph.Iterator("i", {.start = 0, .count = *known});
  return graph.Loop(Op::kBuild, iterator, start + step * iterator);
}

// A size that differs from a known one by a number is known. Of an empty slice
// only that it is empty is known.
std::optional<std::int64_t> Lowering::KnownSize(Expr size) {
  for (const SizeInRun& known : sizes_) {
    const Expr more = size == known.size
                          ? IntegerOf(session_.graph, 0)
                          : Simplified(session_.graph, size - known.size);
    const bool is_told =
        more.is_constant() && (known.value > 0 || more.value() == 0);
    if (is_told) {
      return std::max<std::int64_t>(
          0, known.value + static_cast<std::int64_t>(more.value()));
    }
  }
  return std::nullopt;
}

StatementLowering::Before StatementLowering::Mark() const {
  Before before{.temporaries = temporaries_.size(),
                .unused = unused_.size(),
                .depth = depth_,
                .texts = SaveTexts(),
                .assigned = {},
                .scope = lowering_.Save()};
  for (const TextVariable& text : texts_) {
    before.assigned.push_back(text.assigned.size());
  }
  return before;
}

void StatementLowering::GoBack(const Before& before) {
  lowering_.Restore(before.scope);
  temporaries_.resize(before.temporaries);
  unused_.resize(before.unused);
  depth_ = before.depth;
  SetTexts(before.texts);
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    texts_[i].assigned.resize(before.assigned[i]);
  }
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
          lowering_.sizes().push_back({.size = needed.size, .value = first});
          if (LowerWithSize(
                  [&](Statements& in) { LowerForSizes(work, span, in); }, to)) {
            fits = true;
          } else {
            failed = std::exchange(session_.diagnostics, found);
          }
          lowering_.sizes().pop_back();
          return;
        }
        const std::int64_t middle = (first + last) / 2;
        const Expr middle_size = IntegerOf(graph, middle);
        const TextValues before = SaveTexts();
        std::vector<TextValues> ends;
        IfStatement choice;
        choice.branches.push_back(
            {.condition = graph.Binary(Op::kLessEqual, size, middle_size),
             .body = {}});
        divide(first, middle, choice.branches.back().body);
        ends.push_back(SaveTexts());
        SetTexts(before);
        choice.branches.push_back(
            {.condition = graph.Boolean(true), .body = {}});
        divide(middle + 1, last, choice.branches.back().body);
        ends.push_back(SaveTexts());
        JoinTexts(ends);
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

// The condition of a loop; where it has slices whose sizes only the run knows,
// a variable that is computed before the loop, and `again` at its end.
Expr StatementLowering::WhileCondition(const ast::While& loop,
                                       const ast::Span& span,
                                       Statements& out,
                                       Statements& again) {
  try {
    return lowering_.Condition(*loop.condition);
  } catch (const NeedsSize&) {
    const Expr holds = Temporary(session_.graph.Boolean(false), "holds");
    const Work work = [&](Statements& to) {
      const Expr condition = lowering_.Condition(*loop.condition);
      to.push_back({.step = Assignment{.target = holds, .value = condition},
                    .span = Where(span)});
    };
    LowerForSizes(work, span, out);
    LowerForSizes(work, span, again);
    return holds;
  }
}

}  // namespace orrery::modelica::internal
