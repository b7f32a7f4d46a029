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

namespace orrery::internal {

/// A condition at which a run of a model that is a class ends: a formula over
/// quantities that the run knows by name, in Modelica's notation, such as
/// `bench.count >= 10 and time > 3`. Numbers may move along curves; then they
/// are added, multiplied and divided by numbers, and compared.
class EndCondition {
 public:
  /// What a name of the formula stands for in the run; nothing for none.
  using Lookup = std::function<std::optional<std::string>(const std::string&)>;

  /// @param known names, to suggest the nearest one.
  /// @throws Error kInvalidArgument, with the place, for what is no condition.
  EndCondition(const std::string& text,
               const std::string& model,
               const Lookup& find,
               std::span<const std::string> known);

  /// What the names stand for, each once, but for the time.
  [[nodiscard]] const std::vector<std::string>& quantities() const noexcept {
    return quantities_;
  }

  /// The first time at which it holds, up to `until`; none if there is none.
  /// @param values of the quantities, from `now` on; not a number where one is
  ///     not known: then no comparison holds.
  /// @throws Error kInvalidModel if numbers that move are asked for more than
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
  std::vector<Expr> symbols_;             // Of these.
  std::vector<std::uint32_t> reachable_;  // Operands first.
  std::unordered_map<std::uint32_t, process::Polynomial> numbers_;
};

}  // namespace orrery::internal
