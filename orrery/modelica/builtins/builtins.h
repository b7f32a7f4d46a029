#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/modelica/session/clocks.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// Disables the replacement of symbols during its lifetime.
class WithoutReplacement {
 public:
  explicit WithoutReplacement(std::function<Expr(Expr)>& replace)
      : replace_(replace), kept_(std::exchange(replace, nullptr)) {}

  WithoutReplacement(const WithoutReplacement&) = delete;
  WithoutReplacement& operator=(const WithoutReplacement&) = delete;

  ~WithoutReplacement() { replace_ = std::move(kept_); }

 private:
  std::function<Expr(Expr)>& replace_;
  std::function<Expr(Expr)> kept_;
};

/// The predefined functions and operators with function syntax (specification,
/// sections 3.7, 10.3 and 10.6).
class BuiltIns {
 public:
  BuiltIns(LoweringContext& lowering,
           const ast::Call& call,
           const ast::Span& span)
      : lowering_(lowering),
        graph_(lowering.session.graph),
        call_(call),
        span_(span) {}

  /// The call's value; none if `name` is not predefined.
  std::optional<Value> Run(std::string_view name);

  /// The names of all predefined functions, for suggestions.
  [[nodiscard]] static std::vector<std::string> Names();

 private:
  using Arguments = std::vector<const ast::Expression*>;

  struct Entry {
    Value (BuiltIns::*run)(const Arguments&);
    std::size_t least;
    std::size_t most;
    /// Names for arguments given by name: one or several lists of `most` names.
    std::vector<std::string_view> names;
  };

  using Entries = std::unordered_map<std::string_view, Entry>;

  static const Entries& AllEntries();
  Arguments Match(const Entry& entry);
  std::optional<Value> RunElementary(std::string_view name);
  Value RunReduction(std::string_view name);

  [[noreturn]] void FailCall(std::string message, std::string hint = {}) {
    lowering_.Fail(span_, std::move(message), std::move(hint));
  }

  // Argument number `i`.
  Value Get(const Arguments& arguments, std::size_t i);
  /// The argument over the model's variables, not over their assigned values.
  Value AsInModel(const Arguments& arguments, std::size_t i);
  Expr Array(const Arguments& arguments, std::size_t i);
  /// An argument of numbers, Booleans or literals of an enumeration.
  Value Simple(const Arguments& arguments, std::size_t i);
  Expr Numbers(const Value& value, const ast::Span& span);
  Expr Vector(const Arguments& arguments,
              std::size_t i,
              std::int64_t size = -1);
  Expr Matrix(const Arguments& arguments, std::size_t i);
  std::int64_t Size(const Arguments& arguments, std::size_t i);
  Shape Sizes(const Arguments& arguments, std::size_t first);
  Expr Number(double value, ValueType type = ValueType::kInteger);
  Expr Fill(Expr value, const Shape& shape);
  Expr Reduce(Op op, Expr array);
  Expr Element(Expr array, std::int64_t i);

  // Derivatives: in builtins_derivatives.cc.
  Expr Derivative(Expr x);
  void NoteDerivative(Expr x);
  Expr WithRates(Expr x);
  Expr RateOf(Expr symbol);
  Value Der(const Arguments& arguments);

  Value First(const Arguments& arguments);
  Value NoEvent(const Arguments& arguments);
  Value Smooth(const Arguments& arguments);
  Value SemiLinear(const Arguments& arguments);
  Value Initial(const Arguments& arguments);

  // Events: in builtins_events.cc.
  [[nodiscard]] bool IsInFunction() const;
  void CheckNotInFunction();
  Expr AsRead(Expr outer);
  Value Before(const Arguments& arguments);
  Value Pre(const Arguments& arguments);
  Value Edge(const Arguments& arguments);
  Value Change(const Arguments& arguments);
  Value Sample(const Arguments& arguments);
  Value Delay(const Arguments& arguments);
  Value Terminal(const Arguments& arguments);
  Expr ParameterArgument(const Arguments& arguments, std::size_t i);
  void CheckInterval(Expr interval, const ast::Span& span);
  Value Misplaced(const Arguments& arguments);
  Value ToInteger(const Arguments& arguments);
  Value Floor(const Arguments& arguments);
  // Clocks: in builtins_clocks.cc.
  [[nodiscard]] bool IsClock(const Value& value) const;
  ClockUse NewUse(ClockUse::Kind kind);
  const ClassNode* SetArgument(const Arguments& arguments, ClockUse& use);
  Value LikeArgument(ClockUse use, const ClassNode* enumeration);
  Value Noted(ClockUse use,
              ValueType type,
              const Shape& shape,
              const ClassNode* enumeration);
  std::int64_t Count(const Arguments& arguments,
                     std::size_t i,
                     std::int64_t least);
  Value MakeClock(const Arguments& arguments);
  void SetSource(const Arguments& arguments, ClockUse& use);
  [[nodiscard]] bool IsVarying(const Value& value) const;
  void SetVarying(const Arguments& arguments, ClockUse& use);
  void SetMethod(const Arguments& arguments, ClockUse& use);
  void SetCondition(const Arguments& arguments, Expr condition, ClockUse& use);
  Value SubSample(const Arguments& arguments);
  Value SuperSample(const Arguments& arguments);
  Value BySampling(ClockUse::Kind kind, const Arguments& arguments);
  Value ShiftSample(const Arguments& arguments);
  Value BackSample(const Arguments& arguments);
  Value ByShifting(ClockUse::Kind kind, const Arguments& arguments);
  Value NoClock(const Arguments& arguments);
  Value Previous(const Arguments& arguments);
  Value Hold(const Arguments& arguments);
  Expr PreviousOf(Expr variable);
  Value SampleClocked(const Arguments& arguments, Expr clock);
  Value Interval(const Arguments& arguments);
  Value FirstTick(const Arguments& arguments);
  Value OfClock(ClockUse::Kind kind,
                const Arguments& arguments,
                ValueType type);

  // Stream connectors: in builtins_streams.cc.
  Value InStream(const Arguments& arguments);
  Value ActualStream(const Arguments& arguments);
  Value AskStreams(const Arguments& arguments,
                   StreamConnections::Question question);
  // Connections and instances: in connection_counts.cc.
  Value Cardinality(const Arguments& arguments);
  Value InstanceName(const Arguments& arguments);
  Value ToText();
  Shape DeclaredShape(const ast::ComponentReference& reference, bool is_whole);
  Value SizeOf(const Arguments& arguments);
  Value NumDimensions(const Arguments& arguments);
  Value MakeScalar(const Arguments& arguments);
  Value MakeVector(const Arguments& arguments);
  Value MakeMatrix(const Arguments& arguments);
  Value Promote(const Arguments& arguments);
  Value FillWith(const Arguments& arguments);
  Value Filled(const Value& value, const Shape& shape);
  Value Zeros(const Arguments& arguments);
  Value Ones(const Arguments& arguments);
  Value Identity(const Arguments& arguments);
  Value Diagonal(const Arguments& arguments);
  Value Linspace(const Arguments& arguments);
  Value Sum(const Arguments& arguments);
  Value Product(const Arguments& arguments);
  Value Min(const Arguments& arguments);
  Value Max(const Arguments& arguments);
  Value Extreme(const Arguments& arguments, Op two, Op many);
  Value Transpose(const Arguments& arguments);
  Value OuterProduct(const Arguments& arguments);
  Value Symmetric(const Arguments& arguments);
  Value Cross(const Arguments& arguments);
  Value Skew(const Arguments& arguments);
  Value Cat(const Arguments& arguments);
  Value MakeArray(const Arguments& arguments);

  LoweringContext& lowering_;
  ExprGraph& graph_;
  const ast::Call& call_;
  ast::Span span_;
};

/// The greatest Integer that is not above `x`, for each element of it.
[[nodiscard]] Expr IntegerBelow(Session& session, Expr x);

}  // namespace orrery::modelica::internal
