#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// The scalar equations as the model has them, and the links that eliminated
/// equations make between quantities. Explains to an author why a system cannot
/// be solved. Builds the equations a second time: for failed problems only.
class UnreducedSystem {
 public:
  explicit UnreducedSystem(const System& reduced);

  [[nodiscard]] const System& system() const noexcept { return written_; }

  /// Number of equations without the initial ones.
  [[nodiscard]] std::size_t num_equations() const noexcept {
    return written_.num_equations;
  }

  /// An equation by its `ScalarEquation::number`.
  [[nodiscard]] const ScalarEquation& At(std::uint32_t number) const;

  [[nodiscard]] std::vector<std::uint32_t> ScalarsIn(std::uint32_t number);

  /// Returns the scalars by the model's names if `row` is an equation of the
  /// model.
  [[nodiscard]] std::vector<std::uint32_t> ScalarsIn(const ScalarEquation& row);

  /// An equation as text for messages.
  struct Line {
    std::string text;
    Origin origin;
    std::uint32_t number = kNone;
  };

  [[nodiscard]] Line LineOf(std::uint32_t number) const;

  /// For a row that has a number: its equation, or "the derivative of" it.
  [[nodiscard]] Line LineOf(const ScalarEquation& row) const;

  /// Equations that link quantities which have become aliases of each other.
  struct Links {
    std::vector<std::uint32_t> numbers;  ///< Ascending.
    /// Ascending: all scalars on the paths, with the linked ones.
    std::vector<std::uint32_t> scalars;
  };

  [[nodiscard]] Links Connect(const std::vector<std::uint32_t>& scalars) const;

  /// Returns the model's equations behind some equations of the reduced system,
  /// and those that link their quantities, in the model's order.
  [[nodiscard]] std::vector<Line> LinesOf(
      const std::vector<ScalarEquation>& equations);

  /// True if each quantity has an equation when der(x) counts as x.
  /// Differentiating some equations would then make the system regular.
  /// Source: Pantelides, SIAM J. Sci. Stat. Comput. 9 (1988) 213-231.
  [[nodiscard]] bool IsRegularOnceDifferentiated();

 private:
  struct Link {
    std::uint32_t to = kNone;
    std::uint32_t number = kNone;
  };

  void AddLink(std::uint32_t a, std::uint32_t b, std::uint32_t number);
  void ConnectClass(const std::vector<std::uint32_t>& members,
                    Links& links) const;

  const System& reduced_;
  System written_;
  std::unordered_map<std::uint32_t, std::vector<Link>> links_;
};

}  // namespace orrery::compile::internal
