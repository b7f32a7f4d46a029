#include "orrery/model/block.h"

#include <cxxabi.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <typeinfo>

#include "orrery/base/error.h"
#include "orrery/model/block_functions.h"
#include "orrery/model/diagram.h"
#include "orrery/model/flat_model.h"
#include "orrery/model/names.h"

namespace orrery {

namespace internal = model::internal;

namespace {

constexpr int kMaxSubscriptDepth = 64;
constexpr std::size_t kFewQuantities = 4;  // Most blocks have no more.

/// The name of a C++ type without its namespaces.
std::string TypeName(const std::type_info& type) {
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr), &std::free);
  const std::string full = text == nullptr ? type.name() : text.get();
  const std::size_t arguments = std::min(full.find('<'), full.size());
  const std::size_t colons = full.rfind("::", arguments);
  return colons == std::string::npos ? full : full.substr(colons + 2);
}

/// Converts `formula` to Integers if it was written with Real numbers, as in
/// `i - 1`.
Expr AsInteger(Expr formula, int depth) {
  if (formula.type() == ValueType::kInteger || depth == 0) {
    return formula;
  }
  ExprGraph& graph = formula.graph();
  if (formula.is_constant() && std::floor(formula.value()) == formula.value()) {
    return graph.Constant(formula.value(), ValueType::kInteger);
  }
  switch (formula.op()) {
    case Op::kNegate:
      return graph.Unary(Op::kNegate, AsInteger(formula.operand(0), depth - 1));
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kMin:
    case Op::kMax:
    case Op::kMod:
    case Op::kRem:
    case Op::kQuotient:
      return graph.Binary(formula.op(),
                          AsInteger(formula.operand(0), depth - 1),
                          AsInteger(formula.operand(1), depth - 1));
    default:
      return formula;
  }
}

/// The error in a value; empty if there is none.
std::string FaultOf(double value, ValueType type) {
  std::string wanted;
  if (!std::isfinite(value)) {
    wanted = "a finite number";
  } else if (type == ValueType::kBoolean && value != 0 && value != 1) {
    wanted = "0 (false) or 1 (true)";
  } else if (type == ValueType::kInteger && value != std::floor(value)) {
    wanted = "a whole number";
  }
  return wanted.empty()
             ? ""
             : "its value is " + std::to_string(value) + "; give " + wanted;
}

/// The error in the values for a quantity of `shape`; empty if there is none.
std::string FaultOf(const std::vector<double>& values,
                    const Shape& shape,
                    ValueType type) {
  const std::int64_t wanted = NumElements(shape);
  if (values.size() != 1 &&
      static_cast<std::int64_t>(values.size()) != wanted) {
    return "it has " + std::to_string(wanted) + " elements, but " +
           std::to_string(values.size()) +
           " values are given; give one for all or one for each";
  }
  for (const double value : values) {
    if (std::string fault = FaultOf(value, type); !fault.empty()) {
      return fault;
    }
  }
  return {};
}

/// The error in a declaration by itself; empty if there is none.
/// @param least number of elements that every dimension must have.
std::string FaultOf(const Declaration& declaration, std::int64_t least) {
  if (!internal::IsComponentName(declaration.name)) {
    return std::string("it is no name; ") + internal::kNameRule;
  }
  for (const std::int64_t extent : declaration.shape) {
    if (extent < least) {
      return "its shape is " + internal::ShapeText(declaration.shape) +
             "; every dimension must have an element";
    }
  }
  if (declaration.attributes->type != ValueType::kReal &&
      (declaration.kind == QuantityKind::kState ||
       declaration.kind == QuantityKind::kClock)) {
    return std::string(KindName(declaration.kind)) +
           " is Real; make it a discrete quantity if it is to have another "
           "type";
  }
  return declaration.has_formula || !HasValue(declaration.kind)
             ? ""
             : FaultOf(declaration.values,
                       declaration.shape,
                       declaration.attributes->type);
}

}  // namespace

std::string EquationNotation::For(std::string_view form,
                                  std::string_view name) {
  std::string text(form);
  const std::size_t mark = text.find('%');
  return mark == std::string::npos ? text : text.replace(mark, 1, name);
}

std::string_view KindName(QuantityKind kind) noexcept {
  switch (kind) {
    case QuantityKind::kParameter:
      return "a parameter";
    case QuantityKind::kInput:
      return "an input";
    case QuantityKind::kOutput:
      return "an output";
    case QuantityKind::kState:
      return "a state";
    case QuantityKind::kDiscrete:
      return "a discrete quantity";
    case QuantityKind::kEvent:
      return "an event";
    case QuantityKind::kClock:
      return "a clock";
    case QuantityKind::kLocal:
      break;
  }
  return "a local quantity";
}

bool HasValue(QuantityKind kind) noexcept {
  return kind != QuantityKind::kInput && kind != QuantityKind::kOutput &&
         kind != QuantityKind::kEvent;
}

std::shared_ptr<const Attributes> Share(Attributes attributes) {
  static const auto none = std::make_shared<const Attributes>();
  return attributes == Attributes()
             ? none
             : std::make_shared<const Attributes>(std::move(attributes));
}

// Quantity ------------------------------------------------------------------

Quantity::Quantity(Block* owner, Declaration declaration)
    : owner_(owner), index_(owner->Declare(std::move(declaration))) {}

Quantity::Quantity(Block* owner, Declaration declaration, EventTraits traits)
    : Quantity(owner, std::move(declaration)) {
  owner->events_.emplace_back(index_, std::move(traits));
}

Declaration Quantity::Declare(QuantityKind kind,
                              std::string_view name,
                              Shape shape,
                              std::vector<double> values,
                              Attributes attributes) {
  return {.kind = kind,
          .name = std::string(name),
          .shape = std::move(shape),
          .values = std::move(values),
          .attributes = Share(std::move(attributes))};
}

const Declaration& Quantity::declaration() const noexcept {
  return owner_->quantities()[index_];
}

QuantityKind Quantity::kind() const noexcept {
  return declaration().kind;
}

const std::string& Quantity::name() const noexcept {
  return declaration().name;
}

const Shape& Quantity::shape() const noexcept {
  return declaration().shape;
}

std::string Quantity::path() const {
  return owner_->path() + "." + name();
}

Quantity::operator Expr() const {
  return owner_->SymbolOf(index_);
}

Expr Quantity::Subscript(Expr array, std::int64_t number) {
  return array.graph().Constant(static_cast<double>(number),
                                ValueType::kInteger);
}

Expr Quantity::Subscript(Expr /*array*/, Expr formula) {
  return AsInteger(formula, kMaxSubscriptDepth);
}

Element Quantity::operator[](std::int64_t subscript) const {
  return {*this, {subscript}};
}

Expr Quantity::operator[](Expr subscript) const {
  return (*this)(subscript);
}

const Quantity& Quantity::As(const Quantity& quantity, QuantityKind kind) {
  if (quantity.kind() != kind) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take " + quantity.path() + " as " +
                    std::string(KindName(kind)) + ": it is " +
                    std::string(KindName(quantity.kind())));
  }
  return quantity;
}

Element Element::operator[](std::int64_t subscript) const {
  std::vector<std::int64_t> at = at_;
  at.push_back(subscript);
  return {quantity_, std::move(at)};
}

Element::operator Expr() const {
  const Expr array = quantity_;
  ExprGraph& graph = array.graph();
  std::vector<Expr> subscripts;
  for (const std::int64_t number : at_) {
    subscripts.push_back(
        graph.Constant(static_cast<double>(number), ValueType::kInteger));
  }
  return graph.Index(array, subscripts);
}

std::string PortEnd::path() const {
  return port_.owner().path() + "." + ElementName(port_.name(), at_);
}

// Events --------------------------------------------------------------------

Event::Event(Block* owner,
             std::string_view name,
             Direction direction,
             double tolerance)
    : Quantity(owner,
               Declare(QuantityKind::kEvent, name, {}, {}, {}),
               {.direction = direction, .tolerance = tolerance}) {
  if (!(tolerance >= 0 && std::isfinite(tolerance))) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot declare " + path() + ": its tolerance is " +
                    std::to_string(tolerance) + "; give 0 or more");
  }
}

Clock::Clock(Block* owner,
             std::string_view name,
             Seconds period,
             Seconds offset,
             ClockTimes times)
    : Quantity(
          owner,
          Declare(QuantityKind::kClock, name, {}, {period.value}, InUnit("s")),
          {.offset = offset.value, .times = std::move(times)}) {}

// Block ---------------------------------------------------------------------

Block::Block() = default;

Block::Block(std::string name) : name_(std::move(name)) {}

Block::~Block() = default;

void Block::Equations(EquationSet& /*eq*/) {}

std::string Block::name() const {
  return name_.empty() ? TypeName(typeid(*this)) : name_;
}

std::string Block::path() const {
  std::vector<std::string> names;
  for (const Block* block = this; block != nullptr; block = block->parent_) {
    names.push_back(block->name());
  }
  std::string path = names.back();
  for (std::size_t i = names.size() - 1; i-- > 0;) {
    path += "." + names[i];
  }
  return path;
}

Quantity Block::operator[](std::string_view name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    if (quantities_[i].name == name) {
      return {this, i};
    }
    known.push_back(quantities_[i].name);
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot find '" + std::string(name) + "' in " + path() +
                  ": it has no quantity of that name" +
                  Clause(Suggest(name, known)));
}

void Block::SetValue(const Quantity& quantity, const Values& values) {
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot set the value of " + quantity.path() + ": " + why);
  };
  if (&quantity.owner() != this) {
    fail("it is not a quantity of " + path());
  }
  Declaration& declaration = quantities_[quantity.index()];
  if (!HasValue(declaration.kind)) {
    fail("it is " + std::string(KindName(declaration.kind)) +
         "; give one to a parameter, a state, a local or a clock");
  }
  std::string fault = WhyFixed(quantity.index());
  if (fault.empty()) {
    fault = FaultOf(
        values.numbers(), declaration.shape, declaration.attributes->type);
  }
  if (!fault.empty()) {
    fail(fault);
  }
  declaration.values = values.numbers();
  declaration.has_formula = false;
  Touch();
}

const EventTraits& Block::TraitsOf(std::size_t quantity) const {
  const auto found = std::ranges::find(
      events_, quantity, &std::pair<std::size_t, EventTraits>::first);
  ORRERY_CHECK(found != events_.end());
  return found->second;
}

const Diagram* Block::AsDiagram() const noexcept {
  return nullptr;
}

const FlatModel* Block::AsFlatModel() const noexcept {
  return nullptr;
}

namespace {

std::size_t CountElements(std::span<const Declaration> quantities,
                          QuantityKind kind) noexcept {
  std::int64_t count = 0;
  for (const Declaration& quantity : quantities) {
    count += quantity.kind == kind ? NumElements(quantity.shape) : 0;
  }
  return static_cast<std::size_t>(count);
}

}  // namespace

std::size_t Block::num_inputs() const noexcept {
  return CountElements(quantities_, QuantityKind::kInput);
}

std::size_t Block::num_outputs() const noexcept {
  return CountElements(quantities_, QuantityKind::kOutput);
}

std::size_t Block::num_states() const {
  return CountElements(quantities_, QuantityKind::kState);
}

std::size_t Block::num_events() const {
  return CountElements(quantities_, QuantityKind::kEvent);
}

const BlockFunctions& Block::functions() {
  if (functions_ == nullptr) {
    functions_ = std::make_unique<const BlockFunctions>(*this);
  }
  return *functions_;
}

const std::vector<std::size_t>& Block::feedthrough_inputs() {
  return functions().feedthrough_inputs();
}

const std::vector<std::size_t>& Block::feedthrough_inputs(std::size_t output) {
  return functions().feedthrough_inputs(output);
}

std::vector<double> Block::output_function(double t,
                                           std::span<const double> x,
                                           std::span<const double> u) {
  return functions().Outputs(t, x, u);
}

std::vector<double> Block::state_update_function(double t,
                                                 std::span<const double> x,
                                                 std::span<const double> u) {
  return functions().Derivatives(t, x, u);
}

std::vector<double> Block::event_function(double t,
                                          std::span<const double> x,
                                          std::span<const double> u) {
  return functions().Events(t, x, u);
}

void Block::Trace(std::span<const Expr> symbols, EquationSet& equations) {
  ORRERY_CHECK(symbols.size() == quantities_.size());
  ORRERY_CHECK(symbols_.data() == nullptr);
  symbols_ = symbols;
  try {
    Equations(equations);
  } catch (...) {
    symbols_ = {};
    throw;
  }
  symbols_ = {};
}

void Block::Touch() noexcept {
  for (Block* block = this; block != nullptr; block = block->parent_) {
    block->functions_.reset();
  }
}

void Block::Adopt(Block& part,
                  Diagram& parent,
                  std::string name,
                  std::size_t position) {
  part.name_ = std::move(name);
  part.parent_ = &parent;
  part.position_ = position;
}

const EquationNotation& Block::notation() const noexcept {
  static constexpr EquationNotation kCpp;
  return kCpp;
}

std::string Block::FaultHere(const Declaration& /*declaration*/) const {
  return {};
}

std::string Block::WhyFixed(std::size_t /*quantity*/) const {
  return {};
}

std::size_t Block::Declare(Declaration declaration) {
  // Arrays of a flat model may be empty, since nobody will index them.
  std::string fault = FaultOf(declaration, AsFlatModel() == nullptr ? 1 : 0);
  // A block has few quantities: looking through them is quicker than hashing.
  for (const Declaration& other : quantities_) {
    if (other.name == declaration.name) {
      fault = "the block has " + std::string(KindName(other.kind)) +
              " of that name; rename one";
    }
  }
  if (fault.empty()) {
    fault = FaultHere(declaration);
  }
  if (!fault.empty()) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot declare '" + declaration.name + "' in " + path() +
                    ": " + fault);
  }
  if (quantities_.empty()) {
    quantities_.reserve(kFewQuantities);
  }
  quantities_.push_back(std::move(declaration));
  Touch();
  return quantities_.size() - 1;
}

Expr Block::SymbolOf(std::size_t quantity) const {
  if (symbols_.data() == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot use " + path() + "." + quantities_[quantity].name +
                    " in a formula: its block is not being traced; write "
                    "formulas in the block's " +
                    std::string(notation().place));
  }
  return symbols_[quantity];
}

}  // namespace orrery
