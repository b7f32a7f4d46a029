#include "orrery/modelica/builtins/builtins.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>
#include <utility>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/expressions/reductions.h"
#include "orrery/modelica/expressions/texts.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/names.h"
#include "orrery/modelica/values/text_values.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"
#include "orrery/syntax/elementary.h"

namespace orrery::modelica::internal {

namespace {

constexpr std::size_t kAny = 1000;

constexpr std::array<std::string_view, 9> kUnsupported = {"spatialDistribution",
                                                          "rooted",
                                                          "branch",
                                                          "root",
                                                          "transition",
                                                          "initialState",
                                                          "activeState",
                                                          "ticksInState",
                                                          "timeInState"};

}  // namespace

const BuiltIns::Entries& BuiltIns::AllEntries() {
  using B = BuiltIns;
  static const Entries entries = {
      {"der", {&B::Der, 1, 1, {}}},
      {"noEvent", {&B::NoEvent, 1, 1, {}}},
      {"pre", {&B::Pre, 1, 1, {}}},
      {"edge", {&B::Edge, 1, 1, {}}},
      {"change", {&B::Change, 1, 1, {}}},
      {"sample", {&B::Sample, 1, 2, {"start", "interval", "u", "clock"}}},
      {"delay", {&B::Delay, 2, 3, {"expr", "delayTime", "delayMax"}}},
      {"terminal", {&B::Terminal, 0, 0, {}}},
      {"Clock",
       {&B::MakeClock,
        0,
        2,
        {"intervalCounter",
         "resolution",
         "interval",
         "resolution",
         "condition",
         "startInterval",
         "c",
         "solverMethod"}}},
      {"previous", {&B::Previous, 1, 1, {}}},
      {"hold", {&B::Hold, 1, 1, {}}},
      {"subSample", {&B::SubSample, 1, 2, {"u", "factor"}}},
      {"superSample", {&B::SuperSample, 1, 2, {"u", "factor"}}},
      {"shiftSample",
       {&B::ShiftSample, 2, 3, {"u", "shiftCounter", "resolution"}}},
      {"backSample",
       {&B::BackSample, 2, 3, {"u", "backCounter", "resolution"}}},
      {"noClock", {&B::NoClock, 1, 1, {}}},
      {"interval", {&B::Interval, 0, 1, {}}},
      {"firstTick", {&B::FirstTick, 0, 1, {}}},
      {"reinit", {&B::Misplaced, 0, kAny, {}}},
      {"assert", {&B::Misplaced, 0, kAny, {}}},
      {"terminate", {&B::Misplaced, 0, kAny, {}}},
      {"smooth", {&B::Smooth, 2, 2, {}}},
      {"homotopy", {&B::First, 1, 2, {"actual", "simplified"}}},
      {"semiLinear", {&B::SemiLinear, 3, 3, {}}},
      {"initial", {&B::Initial, 0, 0, {}}},
      {"cardinality", {&B::Cardinality, 1, 1, {}}},
      {"inStream", {&B::InStream, 1, 1, {}}},
      {"actualStream", {&B::ActualStream, 1, 1, {}}},
      {"getInstanceName", {&B::InstanceName, 0, 0, {}}},
      {"Integer", {&B::ToInteger, 1, 1, {}}},
      {"integer", {&B::Floor, 1, 1, {}}},
      {"size", {&B::SizeOf, 1, 2, {}}},
      {"ndims", {&B::NumDimensions, 1, 1, {}}},
      {"scalar", {&B::MakeScalar, 1, 1, {}}},
      {"vector", {&B::MakeVector, 1, 1, {}}},
      {"matrix", {&B::MakeMatrix, 1, 1, {}}},
      {"promote", {&B::Promote, 2, 2, {}}},
      {"fill", {&B::FillWith, 2, kAny, {}}},
      {"zeros", {&B::Zeros, 1, kAny, {}}},
      {"ones", {&B::Ones, 1, kAny, {}}},
      {"identity", {&B::Identity, 1, 1, {}}},
      {"diagonal", {&B::Diagonal, 1, 1, {}}},
      {"linspace", {&B::Linspace, 3, 3, {}}},
      {"sum", {&B::Sum, 1, 1, {}}},
      {"product", {&B::Product, 1, 1, {}}},
      {"min", {&B::Min, 1, 2, {}}},
      {"max", {&B::Max, 1, 2, {}}},
      {"transpose", {&B::Transpose, 1, 1, {}}},
      {"outerProduct", {&B::OuterProduct, 2, 2, {}}},
      {"symmetric", {&B::Symmetric, 1, 1, {}}},
      {"cross", {&B::Cross, 2, 2, {}}},
      {"skew", {&B::Skew, 1, 1, {}}},
      {"cat", {&B::Cat, 2, kAny, {}}},
      {"array", {&B::MakeArray, 1, kAny, {}}},
  };
  return entries;
}

std::vector<std::string> BuiltIns::Names() {
  std::vector<std::string> names = {"String"};
  for (const auto& [name, entry] : AllEntries()) {
    names.emplace_back(name);
  }
  for (const auto& [name, elementary] : ElementaryFunctions()) {
    names.emplace_back(name);
  }
  std::ranges::sort(names);
  return names;
}

BuiltIns::Arguments BuiltIns::Match(const Entry& entry) {
  Arguments arguments;
  for (const ast::CallArgument& argument : call_.arguments) {
    const std::string_view name = argument.name.text;
    if (name.empty()) {
      arguments.push_back(argument.value);
      continue;
    }
    const auto at = std::ranges::find(entry.names, name);
    if (at == entry.names.end()) {
      lowering_.Fail(argument.name.span,
                     "no argument '" + std::string(name) + "' in '" +
                         ast::ToString(call_.function) + "'");
    }
    const auto number =
        static_cast<std::size_t>(at - entry.names.begin()) % entry.most;
    arguments.resize(std::max(arguments.size(), number + 1), nullptr);
    arguments[number] = argument.value;
  }
  if (arguments.size() < entry.least || arguments.size() > entry.most ||
      std::ranges::find(arguments, nullptr) != arguments.end()) {
    FailCall(
        "'" + ast::ToString(call_.function) + "' takes " +
        std::to_string(entry.least) +
        (entry.most == kAny          ? " or more"
         : entry.most != entry.least ? " to " + std::to_string(entry.most)
                                     : "") +
        (entry.least == 1 && entry.most == 1 ? " argument" : " arguments") +
        ", not " + std::to_string(arguments.size()));
  }
  return arguments;
}

std::optional<Value> BuiltIns::Run(std::string_view name) {
  if (std::ranges::find(kUnsupported, name) != kUnsupported.end()) {
    FailCall("'" + std::string(name) + "' is not supported yet");
  }
  if (!call_.iterators.empty()) {
    return RunReduction(name);
  }
  if (name == "String") {
    return ToText();
  }
  const auto entry = AllEntries().find(name);
  if (entry != AllEntries().end()) {
    return (this->*entry->second.run)(Match(entry->second));
  }
  return RunElementary(name);
}

std::optional<Value> BuiltIns::RunElementary(std::string_view name) {
  const auto found = ElementaryFunctions().find(name);
  if (found == ElementaryFunctions().end()) {
    return std::nullopt;
  }
  const std::size_t count = found->second.is_binary ? 2 : 1;
  const Entry entry{nullptr, count, count, {}};
  const Arguments arguments = Match(entry);
  const Expr a = Array(arguments, 0);
  if (!found->second.is_binary) {
    return NumberValue(graph_.Unary(found->second.op, a));
  }
  const Expr b = Array(arguments, 1);
  if (!a.is_scalar() && !b.is_scalar() && a.shape() != b.shape()) {
    FailCall("'" + std::string(name) + "' takes arrays of one size, not " +
             Describe(NumberValue(a)) + " and " + Describe(NumberValue(b)));
  }
  return NumberValue(graph_.Binary(found->second.op, a, b));
}

Value BuiltIns::RunReduction(std::string_view name) {
  static const std::unordered_map<std::string_view, Op> reductions = {
      {"sum", Op::kSum},
      {"product", Op::kProduct},
      {"min", Op::kMinimum},
      {"max", Op::kMaximum},
      {"array", Op::kBuild}};
  const auto found = reductions.find(name);
  if (found == reductions.end()) {
    FailCall("'" + std::string(name) + "' cannot be used with iterators",
             "sum, product, min, max and array can");
  }
  return LowerReduction(lowering_,
                        *call_.arguments.front().value,
                        call_.iterators,
                        found->second,
                        span_);
}

// Arguments -----------------------------------------------------------------

Value BuiltIns::Get(const Arguments& arguments, std::size_t i) {
  return LowerExpression(lowering_, *arguments[i]);
}

Value BuiltIns::AsInModel(const Arguments& arguments, std::size_t i) {
  const WithoutReplacement as_in_model(lowering_.replace);
  return Get(arguments, i);
}

Expr BuiltIns::Array(const Arguments& arguments, std::size_t i) {
  return Numbers(Get(arguments, i), arguments[i]->span);
}

Value BuiltIns::Simple(const Arguments& arguments, std::size_t i) {
  Value value = Get(arguments, i);
  if (value.is_empty_array) {
    return NumberValue(EmptyArray(graph_, {0}, ValueType::kReal));
  }
  if (!value.is_number()) {
    lowering_.Fail(arguments[i]->span,
                   "'" + ast::ToString(call_.function) +
                       "' takes numbers, not " + Describe(value));
  }
  return value;
}

Expr BuiltIns::Numbers(const Value& value, const ast::Span& span) {
  if (value.is_empty_array) {
    return EmptyArray(graph_, {0}, ValueType::kReal);
  }
  if (!value.is_number() || value.expr.type() == ValueType::kBoolean ||
      value.enumeration != nullptr) {
    lowering_.Fail(span,
                   "'" + ast::ToString(call_.function) +
                       "' takes numbers, not " + Describe(value));
  }
  return value.expr;
}

Expr BuiltIns::Vector(const Arguments& arguments,
                      std::size_t i,
                      std::int64_t size) {
  const Expr expr = Array(arguments, i);
  if (expr.shape().size() != 1 || (size >= 0 && expr.shape()[0] != size)) {
    lowering_.Fail(arguments[i]->span,
                   "'" + ast::ToString(call_.function) + "' takes a vector" +
                       (size >= 0 ? " of " + std::to_string(size) : "") +
                       ", not " + Describe(NumberValue(expr)));
  }
  return expr;
}

Expr BuiltIns::Matrix(const Arguments& arguments, std::size_t i) {
  const Expr expr = Array(arguments, i);
  if (expr.shape().size() != 2) {
    lowering_.Fail(arguments[i]->span,
                   "'" + ast::ToString(call_.function) +
                       "' takes a matrix, not " + Describe(NumberValue(expr)));
  }
  return expr;
}

std::int64_t BuiltIns::Size(const Arguments& arguments, std::size_t i) {
  const std::int64_t size =
      LowerConstantInteger(lowering_, *arguments[i], "the size of an array");
  if (size < 0) {
    lowering_.Fail(arguments[i]->span,
                   "the size of an array is negative: " + std::to_string(size));
  }
  return size;
}

Shape BuiltIns::Sizes(const Arguments& arguments, std::size_t first) {
  Shape shape;
  for (std::size_t i = first; i < arguments.size(); ++i) {
    shape.push_back(Size(arguments, i));
  }
  if (!CountElements(shape, kMaxArraySize)) {
    FailCall("an array of " + Describe(shape) + " is too large: at most " +
             std::to_string(kMaxArraySize) + " elements are possible");
  }
  return shape;
}

Expr BuiltIns::Number(double value, ValueType type) {
  return graph_.Constant(value, type);
}

Expr BuiltIns::Fill(Expr value, const Shape& shape) {
  return BuildArray(
      graph_, shape, [&](std::span<const Expr>) { return value; });
}

Expr BuiltIns::Element(Expr array, std::int64_t i) {
  return graph_.Index(array, std::array{Number(static_cast<double>(i))});
}

Expr BuiltIns::Reduce(Op op, Expr array) {
  const Shape& shape = array.shape();
  std::vector<Expr> iterators;
  iterators.reserve(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    iterators.push_back(graph_.Iterator(IteratorName(i), {.count = shape[i]}));
  }
  Expr result = graph_.Index(array, iterators);
  for (std::size_t i = shape.size(); i-- > 0;) {
    result = graph_.Loop(op, iterators[i], result);
  }
  return result;
}

// Special operators ---------------------------------------------------------

Value BuiltIns::First(const Arguments& arguments) {
  return Get(arguments, 0);
}

Value BuiltIns::SemiLinear(const Arguments& arguments) {
  const Expr x = Array(arguments, 0);
  const Expr positive = Array(arguments, 1);
  const Expr negative = Array(arguments, 2);
  return NumberValue(
      graph_.Select(graph_.Binary(Op::kLessEqual, graph_.Constant(0), x),
                    positive * x,
                    negative * x));
}

Value BuiltIns::ToInteger(const Arguments& arguments) {
  const Value value = Get(arguments, 0);
  if (!value.is_number() || IsClock(value) ||
      (value.enumeration == nullptr &&
       value.expr.type() != ValueType::kInteger)) {
    FailCall("'Integer' takes an enumeration, not " + Describe(value),
             "write 'integer' to round a Real down");
  }
  return NumberValue(value.expr);
}

Value BuiltIns::ToText() {
  const Value text = LowerStringCall(lowering_, call_, span_);
  return lowering_.where.instance->is_function
             ? text
             : KnownText(lowering_, text, span_);
}

// Sizes ---------------------------------------------------------------------

// A declaration may need its own first sizes, as in `Real A[:, size(A, 1)]`.
Shape BuiltIns::DeclaredShape(const ast::ComponentReference& reference,
                              bool is_whole) {
  std::size_t used = 0;
  Component& component = *FindComponent(lowering_, reference, used);
  const bool is_open = component.state == Component::State::kBusy && !is_whole;
  if (!is_open || component.shape.empty()) {
    return FindPlace(lowering_, reference).component->shape;
  }
  Shape shape = component.shape;
  if (std::ranges::find(shape, -1) != shape.end()) {
    const Shape given = BindingOf(lowering_.session, component).shape();
    component.binding_state = Component::State::kNew;  // To be checked again.
    for (std::size_t i = 0; i < std::min(shape.size(), given.size()); ++i) {
      shape[i] = shape[i] < 0 ? given[i] : shape[i];
    }
  }
  return shape;
}

Value BuiltIns::SizeOf(const Arguments& arguments) {
  Shape shape;
  const auto* const reference =
      std::get_if<ast::ComponentReference>(&arguments[0]->node);
  const ClassNode* type = nullptr;
  if (reference != nullptr) {
    type = FindType(lowering_, *reference);
  }
  if (type != nullptr && type->built_in == BuiltIn::kEnumeration) {
    shape = {static_cast<std::int64_t>(type->literals.size())};
  } else if (reference != nullptr &&
             lowering_.FindLocal(reference->parts.front().name.text) ==
                 nullptr &&
             reference->parts.back().subscripts.empty() &&
             reference->parts.size() == 1) {
    shape = DeclaredShape(*reference, arguments.size() == 1);
  } else {
    shape = Get(arguments, 0).shape();
  }
  if (arguments.size() == 1) {
    std::vector<double> sizes(shape.begin(), shape.end());
    return NumberValue(graph_.ArrayConstant(
        sizes, {static_cast<std::int64_t>(sizes.size())}, ValueType::kInteger));
  }
  const std::int64_t dimension =
      LowerConstantInteger(lowering_, *arguments[1], "the dimension in 'size'");
  if (dimension < 1 || dimension > static_cast<std::int64_t>(shape.size()) ||
      shape[static_cast<std::size_t>(dimension) - 1] < 0) {
    FailCall("no dimension " + std::to_string(dimension) +
             ": the argument has " + std::to_string(shape.size()));
  }
  return NumberValue(Number(
      static_cast<double>(shape[static_cast<std::size_t>(dimension) - 1])));
}

Value BuiltIns::NumDimensions(const Arguments& arguments) {
  return NumberValue(
      Number(static_cast<double>(Get(arguments, 0).shape().size())));
}

}  // namespace orrery::modelica::internal
