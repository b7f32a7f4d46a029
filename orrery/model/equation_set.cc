#include "orrery/model/equation_set.h"

#include <algorithm>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/model/block.h"
#include "orrery/model/internal/names.h"

namespace orrery {
namespace {

/// The element of a quantity, an element of one or the derivative of either.
Expr ElementOf(Expr array, std::span<const Expr> subscripts) {
  ExprGraph& graph = array.graph();
  if (array.op() == Op::kDer) {
    return graph.Der(ElementOf(array.operand(0), subscripts));
  }
  if (array.op() != Op::kIndex) {
    return graph.Index(array, subscripts);
  }
  std::vector<Expr> all;
  for (std::size_t i = 1; i < array.num_operands(); ++i) {
    all.push_back(array.operand(i));
  }
  all.insert(all.end(), subscripts.begin(), subscripts.end());
  return graph.Index(array.operand(0), all);
}

std::string IteratorNameAt(std::size_t depth) {
  constexpr std::string_view kLetters = "ijklmn";
  return depth < kLetters.size() ? std::string(1, kLetters[depth])
                                 : "i" + std::to_string(depth);
}

std::string_view WhyNotSet(QuantityKind kind) noexcept {
  switch (kind) {
    case QuantityKind::kParameter:
      return "it is a parameter; its value is given where it is declared";
    case QuantityKind::kInput:
      return "it is an input; what it is connected to determines it";
    case QuantityKind::kDiscrete:
      return "it is discrete; a handler sets it: eq.On(event).Set(...)";
    case QuantityKind::kClock:
      return "it is a clock; its period is given where it is declared";
    default:
      return "it is a state; give its derivative by Der";
  }
}

}  // namespace

// Target --------------------------------------------------------------------

void EquationSet::Target::operator=(Expr right) {
  equations_->Take(*this, right);
}

void EquationSet::Target::operator=(double right) {
  *this = equations_->graph().Constant(right);
}

// NOLINTNEXTLINE(bugprone-unhandled-self-assignment): states an equation.
void EquationSet::Target::operator=(const Target& right) {
  *this = right.left_;
}

// EquationSet ---------------------------------------------------------------

EquationSet::EquationSet(const Block& block,
                         std::span<const Expr> symbols,
                         SharedText path,
                         const EventTable& events,
                         FlatModel& flat)
    : block_(block),
      symbols_(symbols),
      path_(std::move(path)),
      events_(events),
      flat_(flat),
      progress_(symbols.size()) {}

EquationSet::Target EquationSet::Der(Expr state) {
  const std::size_t quantity = QuantityOf(state);
  const QuantityKind kind = block_.quantities()[quantity].kind;
  if (kind != QuantityKind::kState) {
    Refuse("cannot give a derivative to",
           quantity,
           "it is " + std::string(KindName(kind)) +
               "; declare it as a State to give it a derivative");
  }
  progress_[quantity].is_differentiated = true;
  return {*this, graph().Der(state), quantity};
}

EquationSet::Target EquationSet::Set(Expr output) {
  const std::size_t quantity = QuantityOf(output);
  const QuantityKind kind = block_.quantities()[quantity].kind;
  if (kind != QuantityKind::kOutput && kind != QuantityKind::kLocal &&
      kind != QuantityKind::kEvent) {
    Refuse("cannot set", quantity, std::string(WhyNotSet(kind)));
  }
  return {*this, output, quantity};
}

// Events --------------------------------------------------------------------

EquationSet::Handler EquationSet::On(const Quantity& event) {
  const auto found = events_.find({&event.owner(), event.index()});
  if (found == events_.end()) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot handle " + event.path() + " in " + block_.path() +
                    ": it is no event or clock of this model");
  }
  flat_.handlers.push_back(
      {.condition = found->second.condition, .assignments = {}, .path = path_});
  return {*this, flat_.handlers.size() - 1};
}

EquationSet::Target EquationSet::Handler::Set(Expr quantity) {
  const std::size_t number = equations_->QuantityOf(quantity);
  const QuantityKind kind = equations_->block_.quantities()[number].kind;
  if (kind != QuantityKind::kState && kind != QuantityKind::kDiscrete) {
    equations_->Refuse("cannot set at an event",
                       number,
                       "it is " + std::string(KindName(kind)) +
                           "; a handler sets states and discrete quantities");
  }
  return {*equations_, quantity, number, number_};
}

void EquationSet::Assert(Expr condition, std::string message) {
  RefuseInLoop("assert");
  flat_.assertions.push_back(
      {.condition = condition,
       .message = {.parts = {{.text = std::move(message), .value = {}}}},
       .span = {},
       .path = path_});
}

void EquationSet::Terminate(Expr condition, std::string message) {
  RefuseInLoop("terminate");
  flat_.terminations.push_back(
      {.condition = condition,
       .message = {.parts = {{.text = std::move(message), .value = {}}}},
       .span = {},
       .path = path_});
}

void EquationSet::RefuseInLoop(std::string_view what) const {
  if (!iterators_.empty()) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot " + std::string(what) + " within For in " +
                    block_.path() + ": state it for the elements one by one");
  }
}

void EquationSet::Assign(std::size_t handler, Expr left, Expr right) {
  RefuseInLoop("set at an event");
  if (!right.is_scalar() && right.shape() != left.shape()) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot set at an event in " + block_.path() +
                    ": the quantity and its value have the shapes " +
                    internal::ShapeText(left.shape()) + " and " +
                    internal::ShapeText(right.shape()) +
                    "; they must agree, or the value be a scalar");
  }
  flat_.handlers[handler].assignments.push_back(
      {.target = left, .value = right});
}

// Within its tolerance of zero an event function keeps its last sign. Without a
// tolerance both bounds are equal: 0 - 0 has no sign.
void EquationSet::AddCrossings(std::size_t event, Expr function) {
  RefuseInLoop("set an event");
  ExprGraph& g = graph();
  const double tolerance = block_.TraitsOf(event).tolerance;
  const EventFormulas& formulas = events_.at({&block_, event});
  for (const Expr truth : {formulas.has_risen, formulas.has_not_fallen}) {
    if (truth) {
      const Expr above = g.Binary(Op::kLess, g.Constant(tolerance), function);
      const Expr not_below =
          g.Binary(Op::kLessEqual, g.Constant(0 - tolerance), function);
      State(
          truth,
          g.Binary(Op::kOr, above, g.Binary(Op::kAnd, g.Pre(truth), not_below)),
          flat_.equations);
    }
  }
}

// Equations -----------------------------------------------------------------

void EquationSet::Take(const Target& target, Expr right) {
  if (target.handler_ != Target::kNoHandler) {
    Assign(target.handler_, target.left_, right);
    return;
  }
  Count(target.quantity_, target.left_);
  State(target.left_, right, flat_.equations);
  if (block_.quantities()[target.quantity_].kind == QuantityKind::kEvent) {
    AddCrossings(target.quantity_, right);
  }
}

void EquationSet::Add(Expr left, Expr right) {
  const std::int64_t elements =
      std::max(NumElements(left.shape()), NumElements(right.shape()));
  num_implicit_ += Combinations() * elements;
  State(left, right, flat_.equations);
}

void EquationSet::Add(Expr left, double right) {
  Add(left, graph().Constant(right));
}

void EquationSet::Initial(Expr left, Expr right) {
  State(left, right, flat_.initial_equations);
}

void EquationSet::Initial(Expr left, double right) {
  Initial(left, graph().Constant(right));
}

void EquationSet::For(std::int64_t from,
                      std::int64_t to,
                      const std::function<void(Expr)>& body) {
  if (to < from) {
    return;
  }
  const Range range{.start = from, .step = 1, .count = to - from + 1};
  const Expr iterator =
      graph().Iterator(IteratorNameAt(iterators_.size()), range);
  iterators_.push_back(iterator);
  try {
    body(iterator);
  } catch (...) {
    iterators_.pop_back();
    throw;
  }
  iterators_.pop_back();
}

Expr EquationSet::Sum(std::int64_t from,
                      std::int64_t to,
                      const std::function<Expr(Expr)>& body) const {
  if (to < from) {
    return graph().Constant(0);
  }
  const Range range{.start = from, .step = 1, .count = to - from + 1};
  const Expr iterator = graph().Iterator("k", range);
  return graph().Loop(Op::kSum, iterator, body(iterator));
}

Expr EquationSet::Delay(Expr value, double delay) const {
  return Delay(value, graph().Constant(delay), delay);
}

Expr EquationSet::Delay(Expr value, Expr delay, double most) const {
  if (!value.is_scalar() || !delay.is_scalar() || !(most >= 0)) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot delay in " + block_.path() +
                    ": the value and the delay must be scalars, and the delay "
                    "0 or more");
  }
  return graph().Delay(value, delay, graph().Constant(most));
}

void EquationSet::State(Expr left, Expr right, std::vector<Equation>& list) {
  if ((left.type() == ValueType::kBoolean) !=
      (right.type() == ValueType::kBoolean)) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot state an equation of " + block_.path() +
                    ": one side is Boolean, the other a number; compare "
                    "or select to make one of the other");
  }
  if (left.is_scalar() && !right.is_scalar()) {
    std::swap(left, right);
  }
  std::vector<Expr> iterators = iterators_;
  if (right.is_scalar() && !left.is_scalar()) {
    for (const std::int64_t extent : Shape(left.shape())) {
      iterators.push_back(
          graph().Iterator(IteratorNameAt(iterators.size()),
                           {.start = 1, .step = 1, .count = extent}));
    }
    left = ElementOf(left, std::span(iterators).subspan(iterators_.size()));
  }
  if (left.shape() != right.shape()) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot state an equation of " + block_.path() +
                    ": its sides have the shapes " +
                    internal::ShapeText(left.shape()) + " and " +
                    internal::ShapeText(right.shape()) +
                    "; they must agree, or one be a scalar");
  }
  list.push_back({.left = left,
                  .right = right,
                  .iterators = std::move(iterators),
                  .span = {},
                  .path = path_});
}

void EquationSet::Count(std::size_t quantity, Expr left) {
  progress_[quantity].set += Combinations() * NumElements(left.shape());
}

std::int64_t EquationSet::Combinations() const {
  std::int64_t count = 1;
  for (const Expr& iterator : iterators_) {
    count *= graph().IteratorRange(iterator).count;
  }
  return count;
}

std::size_t EquationSet::QuantityOf(Expr left) const {
  while (left.op() == Op::kIndex) {
    left = left.operand(0);
  }
  if (left.op() == Op::kSymbol && !symbols_.empty()) {
    const std::uint32_t first = graph().SymbolOrdinal(symbols_.front());
    const std::uint32_t ordinal = graph().SymbolOrdinal(left);
    if (ordinal >= first && ordinal - first < symbols_.size()) {
      return ordinal - first;
    }
  }
  throw Error(ErrorCode::kInvalidModel,
              "cannot take a formula as a target in " + block_.path() +
                  ": Der and Set take a quantity of the block or an element of "
                  "one; state an equation between formulas by Add");
}

std::string EquationSet::PathOf(std::size_t quantity) const {
  return block_.path() + "." + block_.quantities()[quantity].name;
}

void EquationSet::Refuse(std::string_view what,
                         std::size_t quantity,
                         const std::string& why) const {
  throw Error(ErrorCode::kInvalidModel,
              std::string(what) + " " + PathOf(quantity) + ": " + why);
}

// Checks --------------------------------------------------------------------

namespace {

bool IsUnknown(QuantityKind kind) noexcept {
  switch (kind) {
    case QuantityKind::kOutput:
    case QuantityKind::kState:
    case QuantityKind::kLocal:
    case QuantityKind::kEvent:
      return true;
    default:
      return false;
  }
}

std::string Counted(std::int64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace

void EquationSet::Check(Diagnostics& diagnostics) const {
  const std::span<const Declaration> quantities = block_.quantities();
  std::int64_t unknowns = 0;
  std::int64_t equations = num_implicit_;
  bool is_counted = num_implicit_ > 0;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    if (!IsUnknown(quantities[i].kind)) {
      continue;
    }
    is_counted = CheckQuantity(i, diagnostics) && is_counted;
    unknowns += NumElements(quantities[i].shape);
    equations += progress_[i].set;
  }
  if (is_counted && equations != unknowns) {
    std::string names;
    for (const Declaration& quantity : quantities) {
      if (IsUnknown(quantity.kind)) {
        names += (names.empty() ? "" : ", ") + quantity.name;
      }
    }
    diagnostics.Add(
        {.message = "the block has " + Counted(equations, "equation") +
                    " for " + Counted(unknowns, "unknown") + " (" + names + ")",
         .hint = equations < unknowns ? "state the missing ones in Equations"
                                      : "remove those that are too many",
         .path = block_.path()});
  }
}

bool EquationSet::CheckQuantity(std::size_t quantity,
                                Diagnostics& diagnostics) const {
  const Declaration& declaration = block_.quantities()[quantity];
  const Progress& progress = progress_[quantity];
  const std::int64_t wanted = NumElements(declaration.shape);
  const bool is_state = declaration.kind == QuantityKind::kState;
  // Equations without fixed causality may determine what Der and Set do not.
  const bool may_be_implicit =
      num_implicit_ > 0 && (!is_state || progress.is_differentiated);
  if (progress.set == wanted || (progress.set < wanted && may_be_implicit)) {
    return true;
  }
  const std::string subject = is_state ? "the derivative" : "the value";
  const std::string form = std::string(is_state ? "eq.Der(" : "eq.Set(") +
                           declaration.name + ") = ...";
  Diagnostic diagnostic{.path = PathOf(quantity)};
  if (progress.set == 0) {
    diagnostic.message = subject + " is never given";
    diagnostic.hint = "state it in Equations: " + form;
  } else if (wanted == 1) {
    diagnostic.message = subject + " is given " + Counted(progress.set, "time");
    diagnostic.hint = "keep one of the equations " + form;
  } else if (progress.set < wanted) {
    diagnostic.message = subject + " is given for " +
                         std::to_string(progress.set) + " of its " +
                         Counted(wanted, "element");
    diagnostic.hint = "state the missing ones in Equations";
  } else {
    diagnostic.message = subject + " is given " +
                         Counted(progress.set, "time") + " for its " +
                         Counted(wanted, "element");
    diagnostic.hint = "give it once for each";
  }
  diagnostics.Add(std::move(diagnostic));
  return false;
}

}  // namespace orrery
