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

/// The scale of the steps of a search.
enum class SearchScale : std::uint8_t { kLinear, kLog };

/// The range in which an optimum or an estimate is sought. Plain data.
struct SearchBounds {
  double low = 0;   ///< May be -infinity, or 0 on a logarithmic scale.
  double high = 1;  ///< Above `low`; may be infinity.
  std::optional<double> guess;  ///< Where the search begins, within the bounds.
  SearchScale scale = SearchScale::kLinear;
  bool is_integer = false;  ///< Whole numbers only.

  /// True if both bounds are finite on the search scale.
  [[nodiscard]] bool is_closed() const noexcept {
    return std::isfinite(low) && std::isfinite(high) &&
           (scale == SearchScale::kLinear || low > 0);
  }

  friend bool operator==(const SearchBounds&, const SearchBounds&) = default;
};

/// A quantity that an experiment varies. Plain data.
struct Factor {
  std::string name;  ///< The name of a scalar: `body.k[2]`.

  /// Its range: a list of values, in order; a random value; or any value within
  /// bounds.
  std::variant<std::vector<double>, Distribution, SearchBounds> range;

  std::string text;  ///< The text that it was read from, `k=1:0.5:10`; may be
                     ///< empty.

  /// The texts that its values 0, 1, ... stand for, if its values are texts.
  std::vector<std::string> texts = {};

  friend bool operator==(const Factor&, const Factor&) = default;
};

/// Returns the enumeration that is the type of a quantity, by its name; null if
/// there is none.
using EnumerationFinder =
    std::function<std::shared_ptr<const Enumeration>(const std::string& name)>;

/// Returns the unit of a quantity, by its name; empty if it has none. Throws if
/// the model has no such name.
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
/// The guess may also stand before `log` and `integer`. A unit may follow any
/// range, as in `1:0.5:3 kN/m` and `normal(20,2) degC`; the values are then
/// converted to the unit of the quantity. Blanks are allowed anywhere. `true`
/// and `false` are 1 and 0; enumeration literals are their numbers. Values that
/// are short decimal numbers are rounded once: the third of 0:0.1:1 is 0.3. The
/// end of a:step:b is a value if it lies on the grid to 1e-9 of a step.
///
/// @param source the option that messages name: `--vary`.
/// @param find_enumeration called only if the range has a word that nothing
///     else explains. Empty: no quantity has literals.
/// @param find_unit called only if the range has a unit. Empty: no quantity has
///     a unit.
/// @throws Error kInvalidArgument with a diagnostic for each text that cannot
///     be read or names a factor again; as `find_enumeration`, `find_unit`.
[[nodiscard]] std::vector<Factor> ParseFactors(
    std::string_view source,
    std::span<const std::string> texts,
    const EnumerationFinder& find_enumeration = {},
    const UnitFinder& find_unit = {});

/// Returns the distribution for random draws of a factor. For bounds it is
/// uniform, on the search scale, and over whole numbers for an integer. For a
/// list, all values are equally likely.
[[nodiscard]] Distribution DistributionOf(const Factor& factor);

/// Checks the range of a quantity that takes whole numbers only.
/// @throws Error kInvalidArgument if the range has other numbers.
void CheckWhole(const Factor& factor);

}  // namespace orrery
