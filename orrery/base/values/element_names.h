#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/values/enumeration.h"

namespace orrery {

/// The arrays of a model whose elements go by values of a type, as in `Real
/// c[Mode]`. Their elements have two names: with literals, `c[Mode.Slow]` and
/// `b[true]`, and with numbers from 1, `c[1]` and `b[2]`. Arrays of components
/// are among them: `pump[Mode.Slow].flow[1]`.
class ElementNames {
 public:
  /// The type that one dimension goes by; null for numbers.
  using Index = std::shared_ptr<const Enumeration>;

  /// Boolean, with the values false and true.
  [[nodiscard]] static const Index& Boolean();

  /// Adds an array, by its name with numbers: `pump[1].flow`.
  void Add(const std::string& array, std::vector<Index> indices);

  [[nodiscard]] bool empty() const noexcept { return indices_.empty(); }

  /// All arrays that were added, by their names.
  [[nodiscard]] const std::map<std::string, std::vector<Index>, std::less<>>&
  arrays() const noexcept {
    return indices_;
  }

  /// Returns the name with numbers as subscripts. A literal may have any number
  /// of the components of its type's name before it. Text that is no literal
  /// stays; blanks within subscripts are left out.
  [[nodiscard]] std::string WithNumbers(std::string_view name) const;

  /// Returns the name with literals as subscripts, where there are some.
  [[nodiscard]] std::string WithLiterals(std::string_view name) const;

 private:
  struct Both;

  [[nodiscard]] Both Read(std::string_view name) const;

  std::map<std::string, std::vector<Index>, std::less<>> indices_;
};

/// Returns the name with subscripts as `ElementNames` writes them: without
/// blanks, and literals with the last component of their type's name only. It
/// needs no model.
[[nodiscard]] std::string WithShortLiterals(std::string_view name);

}  // namespace orrery
