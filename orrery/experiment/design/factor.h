#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "orrery/base/values/enumeration.h"
#include "orrery/experiment/statistics/distribution.h"

namespace orrery {

/// On what scale a search steps.
enum class SearchScale : std::uint8_t { kLinear, kLog };

/// Where an optimum or an estimate is looked for. Plain data.
struct SearchBounds {
  double low = 0;               ///< May be -infinity, on a logarithmic scale 0.
  double high = 1;              ///< Above `low`; may be infinity.
  std::optional<double> guess;  ///< Between them: where the search begins.
  SearchScale scale = SearchScale::kLinear;
  bool is_integer = false;  ///< Whole numbers alone.

  /// Whether a search stays between numbers on its scale.
  [[nodiscard]] bool is_closed() const noexcept {
    return std::isfinite(low) && std::isfinite(high) &&
           (scale == SearchScale::kLinear || low > 0);
  }

  friend bool operator==(const SearchBounds&, const SearchBounds&) = default;
};

/// One quantity that an experiment varies. Plain data.
struct Factor {
  std::string name;  ///< Of a scalar: `body.k[2]`.

  /// What it may be: these values, in this order; a random value; or anything
  /// within bounds.
  std::variant<std::vector<double>, Distribution, SearchBounds> range;

  std::string text;  ///< As it was written, `k=1:0.5:10`; may be empty.

  /// If its values are texts: what they, 0, 1, ..., stand for.
  std::vector<std::string> texts = {};

  friend bool operator==(const Factor&, const Factor&) = default;
};

/// The enumeration that a quantity, by its name, is of; null if it is of none.
using EnumerationFinder =
    std::function<std::shared_ptr<const Enumeration>(const std::string& name)>;

/// The unit that a quantity, by its name, has in its model; empty if it has
/// none. Throws for a name that the model does not have.
using UnitFinder = std::function<std::string(const std::string& name)>;

/// Reads factors, each `NAME=RANGE`, where RANGE is one of
///
///     1:0.5:10            from 1 to 10 by 0.5; also downwards, 10:-1:1
///     1:10                by 1
///     {1,2,5}             these, in this order
///     3                   this one
///     linspace(0,1,11)    as many values, equally spaced
///     logspace(0,3,4)     likewise from 10^0 to 10^3, equal ratios
///     normal(4,0.2)       any Distribution
///     [0.1,10]            within bounds
///     1[0.1,10]           likewise, searched from 1
///     1[0.1,], 1[,]       without an upper bound, without any
///     log[0.1,10]         likewise, searched on a logarithmic scale
///     integer[0,5]        whole numbers within bounds
///
/// and the guess may also stand before `log` and `integer`. A unit may follow
/// all of them, as in `1:0.5:3 kN/m` and `normal(20,2) degC`: the values are
/// converted to that of the quantity. Blanks are allowed
/// anywhere; `true` and `false` are 1 and 0, literals their numbers. Values
/// that are short decimal numbers are rounded once: the third of 0:0.1:1 is
/// 0.3. The end of a:step:b is a value if it is one to 1e-9 of a step.
///
/// @param source what messages call the texts: the option, `--vary`.
/// @param find_enumeration asked only of what has a word in its range that is
///     nothing else. Empty: nothing has literals.
/// @param find_unit asked only of what has a unit behind its range. Empty:
///     nothing has one.
/// @throws Error kInvalidArgument with a diagnostic for each text that cannot
///     be read or names a factor again; as `find_enumeration`, `find_unit`.
[[nodiscard]] std::vector<Factor> ParseFactors(
    std::string_view source,
    std::span<const std::string> texts,
    const EnumerationFinder& find_enumeration = {},
    const UnitFinder& find_unit = {});

/// What is drawn of a factor at random: its distribution; a uniform one between
/// bounds, also of the logarithm or of whole numbers if it is so searched; each
/// of its values alike.
[[nodiscard]] Distribution DistributionOf(const Factor& factor);

/// For what takes whole numbers alone.
/// @throws Error kInvalidArgument if the factor may be any other.
void CheckWhole(const Factor& factor);

}  // namespace orrery
