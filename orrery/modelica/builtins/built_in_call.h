#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Calls of predefined functions, and their arguments.
namespace orrery::modelica::internal {

/// A call of a predefined function.
struct BuiltInCall {
  LoweringContext& context;
  const ast::Call& written;
  ast::Span span;
  ExprGraph& graph;

  /// Reports an error at the call and throws Abandoned.
  [[noreturn]] void Fail(std::string message, std::string hint = {}) const {
    context.Fail(span, std::move(message), std::move(hint));
  }

  [[nodiscard]] Expr Number(double value,
                            ValueType type = ValueType::kInteger) const {
    return graph.Constant(value, type);
  }
};

using BuiltInArguments = std::vector<const ast::Expression*>;

/// The most arguments of functions that take any number of them.
inline constexpr std::size_t kAnyNumber = 1000;

/// A predefined function. Each subject has a table of its own.
struct BuiltInEntry {
  std::string_view name;
  Value (*run)(const BuiltInCall& call, const BuiltInArguments& arguments);
  std::size_t least = 0;
  std::size_t most = 0;
  /// Names for arguments given by name: one or several lists of `most` names.
  std::vector<std::string_view> names;
  /// Arguments may be left out before others: null.
  bool leaves_out = false;
};

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

/// The value of argument number `i`.
Value ArgumentValue(const BuiltInCall& call,
                    const BuiltInArguments& arguments,
                    std::size_t i);

/// The same over the model's variables, not over their assigned values.
Value ModelValue(const BuiltInCall& call,
                 const BuiltInArguments& arguments,
                 std::size_t i);

/// The formula of a value, which must be of numbers.
Expr AsNumbers(const BuiltInCall& call,
               const Value& value,
               const ast::Span& span);

/// The formula of an argument of numbers.
Expr NumbersArgument(const BuiltInCall& call,
                     const BuiltInArguments& arguments,
                     std::size_t i);

/// An argument of numbers, Booleans or literals of an enumeration.
Value SimpleArgument(const BuiltInCall& call,
                     const BuiltInArguments& arguments,
                     std::size_t i);

/// A vector of numbers.
/// @param size that it must have; any if it is negative.
Expr VectorArgument(const BuiltInCall& call,
                    const BuiltInArguments& arguments,
                    std::size_t i,
                    std::int64_t size = -1);

/// A matrix of numbers.
Expr MatrixArgument(const BuiltInCall& call,
                    const BuiltInArguments& arguments,
                    std::size_t i);

/// An argument that is the size of an array.
std::int64_t SizeArgument(const BuiltInCall& call,
                          const BuiltInArguments& arguments,
                          std::size_t i);

/// The sizes of an array, from argument `first` on.
Shape SizesArgument(const BuiltInCall& call,
                    const BuiltInArguments& arguments,
                    std::size_t first);

/// A Real of constants and parameters.
Expr ParameterArgument(const BuiltInCall& call,
                       const BuiltInArguments& arguments,
                       std::size_t i);

/// Reports an interval between samples that is not above 0.
void CheckInterval(const BuiltInCall& call,
                   Expr interval,
                   const ast::Span& span);

/// An array of `shape` that repeats a formula.
Expr FilledArray(const BuiltInCall& call, Expr value, const Shape& shape);

/// True in a function.
bool IsInFunction(const BuiltInCall& call);

/// Reports the use of an operator in a function that knows of events.
void CheckNotInFunction(const BuiltInCall& call);

}  // namespace orrery::modelica::internal
