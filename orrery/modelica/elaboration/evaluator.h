#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// Evaluates formulas while a model is flattened: sizes, ranges, conditions.
/// Bounded in time and depth, whatever the formula.
class Evaluator {
 public:
  using Numbers = std::vector<double>;
  /// The numbers of a symbol; null if it has none yet.
  using SymbolValue = std::function<const Numbers*(Expr symbol)>;

  explicit Evaluator(SymbolValue symbol_value)
      : symbol_value_(std::move(symbol_value)) {}

  /// The numbers, row-major; none if that is impossible: see `reason()`.
  std::optional<Numbers> Run(Expr expr);

  /// The reason why the last Run() failed: "it depends on 'x'".
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  using Frame = std::unordered_map<std::uint32_t, Numbers>;
  enum class Flow : std::uint8_t { kNext, kBreak, kReturn };

  Numbers Visit(Expr expr);
  Numbers Compute(Expr expr);
  void CheckIntegers(const Numbers& numbers);
  double Junction(Expr expr);
  Numbers Elementwise(Expr expr);
  const Numbers& ValueOf(Expr symbol);
  Numbers Index(Expr expr);
  Numbers Loop(Expr expr);
  Numbers Call(Expr output);
  const Numbers& External(Expr call);
  std::vector<Numbers> Execute(const Function& function,
                               const std::vector<Numbers>& arguments);
  Flow Execute(const Statements& body);
  Flow ExecuteOne(const Statement& statement);
  Flow ExecuteFor(const ForStatement& loop);
  void Assign(const Assignment& assignment);
  double Scalar(Expr expr);
  void Count(std::size_t steps);
  [[noreturn]] void Stop(std::string reason);

  SymbolValue symbol_value_;
  std::unordered_map<std::uint32_t, double> iterators_;
  /// Values of the formulas in one statement, or outside of functions.
  std::unordered_map<std::uint32_t, Numbers> known_;
  std::vector<Frame> frames_;

  /// The last call of a function. Its outputs are asked for one by one.
  struct LastFunctionCall {
    const Function* function = nullptr;
    std::vector<Numbers> inputs;
    std::vector<Numbers> outputs;
  };

  LastFunctionCall last_;

  /// The last call of an external function.
  struct LastCall {
    const OpaqueFunction* function = nullptr;
    Numbers inputs;
    Numbers outputs;
  };

  LastCall external_;
  std::size_t steps_ = 0;
  std::string reason_;
};

}  // namespace orrery::modelica::internal
