#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/types/polynomial.h"
#include "orrery/symbolic/graph.h"

namespace orrery::sdk::internal {

/// A condition that ends a run of a model that is a class: a formula over named
/// quantities of the run, in Modelica's notation, such as `bench.count >= 10
/// and time > 3`. For quantities that move along curves, only sums, products
/// with numbers, quotients by numbers and comparisons are allowed.
class EndCondition {
 public:
  /// Returns the quantity of the run with this name; nothing if there is none.
  using Lookup = std::function<std::optional<std::string>(const std::string&)>;

  /// @param known names, to suggest the nearest one.
  /// @throws Error kInvalidArgument, with the place, for a text that is no
  ///     condition.
  EndCondition(const std::string& text,
               const std::string& model,
               const Lookup& find,
               std::span<const std::string> known);

  /// The quantities of the names, each once, without the time.
  [[nodiscard]] const std::vector<std::string>& quantities() const noexcept {
    return quantities_;
  }

  /// Returns the first time at which it holds, up to `until`; nothing if there
  /// is none.
  /// @param values of the quantities, from `now` on; NaN for an unknown one,
  ///     with which no comparison holds.
  /// @throws Error kInvalidModel for other operations on moving numbers than
  ///     sums, products and comparisons.
  [[nodiscard]] std::optional<Duration> First(
      Duration now,
      Duration until,
      std::span<const process::Polynomial> values);

 private:
  class Reader;
  struct Part;

  [[nodiscard]] process::Polynomial NumberAt(std::uint32_t id) const;
  [[nodiscard]] process::Polynomial Combined(Expr number) const;
  [[nodiscard]] std::optional<Duration> Compare(Expr relation,
                                                bool wanted,
                                                Duration from,
                                                Duration until) const;

  std::string text_;
  std::unique_ptr<ExprGraph> graph_ = std::make_unique<ExprGraph>();
  Expr condition_;
  Expr time_;
  std::vector<std::string> quantities_;
  std::vector<Expr> symbols_;             // By quantity.
  std::vector<std::uint32_t> reachable_;  // Operands first.
  std::unordered_map<std::uint32_t, process::Polynomial> numbers_;
};

}  // namespace orrery::sdk::internal
