#include "orrery/model/equation_set.h"

#include <algorithm>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/model/block.h"
#include "orrery/model/equation_check.h"
#include "orrery/model/names.h"
#include "orrery/symbolic/print/print.h"

namespace orrery {

namespace internal = model::internal;

namespace {

constexpr std::size_t kMaxEventName = 80;

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

std::string WhyNotSet(const Declaration& quantity,
                      const EquationNotation& notation) {
  switch (quantity.kind) {
    case QuantityKind::kParameter:
      return "it is a parameter; its value is given where it is declared";
    case QuantityKind::kInput:
      return "it is an input; what it is connected to determines it";
    case QuantityKind::kDiscrete:
      return "it is discrete; a handler sets it: " +
             EquationNotation::For(notation.assignment, quantity.name);
    case QuantityKind::kClock:
      return "it is a clock; its period is given where it is declared";
    default:
      return "it is a state; give its derivative: " +
             EquationNotation::For(notation.derivative, quantity.name);
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
    Refuse("cannot set",
           quantity,
           WhyNotSet(block_.quantities()[quantity], block_.notation()));
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

EquationSet::Handler EquationSet::When(Expr condition) {
  RefuseInLoop("handle a condition");
  ExprGraph& g = graph();
  Expr active = condition;
  if (condition.is_constant()) {  // It never comes to hold.
    active = g.Boolean(false);
  } else if (condition != flat_.initial && condition.op() != Op::kSample) {
    const std::string prefix = path_.empty() ? "" : path_.str() + ".";
    Variable truth;
    truth.symbol =
        g.Symbol({.name = prefix + "when" + std::to_string(++num_conditions_) +
                          ".condition",
                  .type = ValueType::kBoolean});
    truth.variability = Variability::kDiscrete;
    truth.is_protected = true;
    truth.is_made_up = true;
    flat_.variables.push_back(truth);
    // A plain Boolean would be the same quantity as its truth, and a handler
    // that sets it would leave nothing of what it was before.
    const Expr own =
        condition.op() == Op::kSymbol || condition.op() == Op::kIndex
            ? g.Binary(Op::kNotEqual, condition, g.Boolean(false))
            : condition;
    State(truth.symbol, own, flat_.equations);
    flat_.events.push_back(
        {.name = ToText(condition, kMaxEventName), .truth = truth.symbol});
    const Expr was_false = g.Unary(Op::kNot, g.Pre(truth.symbol));
    active = g.Binary(Op::kAnd,
                      g.Binary(Op::kAnd, truth.symbol, was_false),
                      g.Unary(Op::kNot, flat_.initial));
  }
  flat_.handlers.push_back(
      {.condition = active, .assignments = {}, .path = path_});
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
       .span = place_,
       .path = path_});
}

void EquationSet::Terminate(Expr condition, std::string message) {
  RefuseInLoop("terminate");
  flat_.terminations.push_back(
      {.condition = condition,
       .message = {.parts = {{.text = std::move(message), .value = {}}}},
       .span = place_,
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
  if (!right.is_scalar() && right.shape() != target.left_.shape()) {
    RefuseShapes(target.left_, right);
  }
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
    RefuseShapes(left, right);
  }
  list.push_back({.left = left,
                  .right = right,
                  .iterators = std::move(iterators),
                  .span = place_,
                  .path = path_});
}

void EquationSet::RefuseShapes(Expr left, Expr right) const {
  throw Error(ErrorCode::kInvalidModel,
              "cannot state an equation of " + block_.path() +
                  ": its sides have the shapes " +
                  internal::ShapeText(left.shape()) + " and " +
                  internal::ShapeText(right.shape()) +
                  "; they must agree, or one be a scalar");
}

void EquationSet::Count(std::size_t quantity, Expr left) {
  Progress& progress = progress_[quantity];
  if (progress.set == 0) {
    progress.first = place_;
  }
  progress.last = place_;
  progress.set += Combinations() * NumElements(left.shape());
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

void EquationSet::Report(std::string message, Diagnostics& diagnostics) const {
  internal::AddFinding(diagnostics,
                       place_,
                       {.message = std::move(message), .path = block_.path()});
}

void EquationSet::Check(Diagnostics& diagnostics) const {
  std::vector<internal::StatedEquations> stated;
  stated.reserve(progress_.size());
  for (const Progress& progress : progress_) {
    stated.push_back({.set = progress.set,
                      .first = progress.first,
                      .last = progress.last,
                      .is_differentiated = progress.is_differentiated});
  }
  internal::CheckEquations({.block = block_,
                            .notation = block_.notation(),
                            .stated = stated,
                            .num_implicit = num_implicit_,
                            .place = place_},
                           diagnostics);
}

}  // namespace orrery
