#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"

namespace orrery::internal {

/// The scalar equations as the model has them, and how those among them that
/// were eliminated link quantities with each other: what an author is told of a
/// system that cannot be solved. Makes the equations a second time, for what
/// fails only.
class WrittenSystem {
 public:
  explicit WrittenSystem(const System& reduced);

  [[nodiscard]] const System& system() const noexcept { return written_; }

  /// Without the initial ones.
  [[nodiscard]] std::size_t num_equations() const noexcept {
    return written_.num_equations;
  }

  /// An equation by its `ScalarEquation::number`.
  [[nodiscard]] const ScalarEquation& At(std::uint32_t number) const;

  [[nodiscard]] std::vector<std::uint32_t> ScalarsIn(std::uint32_t number);

  /// As the model has them, if it has the equation itself.
  [[nodiscard]] std::vector<std::uint32_t> ScalarsIn(const ScalarEquation& row);

  /// An equation for people.
  struct Line {
    std::string text;
    Origin origin;
    std::uint32_t number = kNone;
  };

  [[nodiscard]] Line LineOf(std::uint32_t number) const;

  /// Of one that has a number: the equation, or that it is a derivative of it.
  [[nodiscard]] Line LineOf(const ScalarEquation& row) const;

  /// Equations by which quantities of one name are linked with each other.
  struct Links {
    std::vector<std::uint32_t> numbers;  ///< Ascending.
    /// Ascending, all that they pass: what was to be linked included.
    std::vector<std::uint32_t> scalars;
  };

  [[nodiscard]] Links Connect(const std::vector<std::uint32_t>& scalars) const;

  /// The equations that some of the reduced system stand for, with those that
  /// link their quantities, in the model's order.
  [[nodiscard]] std::vector<Line> LinesOf(
      const std::vector<ScalarEquation>& equations);

  /// Whether there is an equation for each quantity if der(x) is as good as x:
  /// then differentiating some of them would make the system regular.
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

}  // namespace orrery::internal
