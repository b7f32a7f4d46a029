#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Holds values between events: values of relations, and numbers rounded to
/// integers. Watches the relations whose changes are the events at which these
/// values are computed anew.
class HeldRelations {
 public:
  explicit HeldRelations(System& system);

  /// Starts the extraction from the equation at `origin`.
  /// @param event the named event that its relations make; may be empty.
  /// @param label what the log calls them; may be empty.
  void Begin(std::uint32_t origin, std::string event, Expr label = {});

  [[nodiscard]] std::uint32_t origin() const noexcept { return origin_; }

  /// Returns the value of a relation at the last event; the relation itself if
  /// it changes at events only.
  /// @param node the relation as the author wrote it.
  Expr Relation(Expr left, Expr right, bool is_strict, Expr node);

  /// Returns the value of a relation that chooses between a branch with a root
  /// that ends there and another branch. It is the present value, but stays on
  /// the side of the root until the event. So steps reach the end of the root,
  /// and no nearer than the root has values; and rounding does not make events
  /// without end behind it.
  /// @param steep_branch the value of the relation for the branch with the
  ///     root.
  Expr RelationAtRoot(
      Expr left, Expr right, bool is_strict, Expr node, bool steep_branch);

  /// `x` rounded by kFloor or kCeil: floor(x) is held at q while q <= x < q
  /// + 1.
  Expr Rounded(Expr x, Op op, Expr node);

  /// Watches a relation. The same relation may be watched for several reasons.
  void AddWatch(Watch watch);

  /// Watches the place where `left` and `right` meet: a formula has a kink
  /// there.
  void WatchKink(Expr left, Expr right, Expr node);

  /// Adds an equation for a quantity that the compiler has made up.
  void AddEquation(Expr left, Expr right);

  [[nodiscard]] std::span<const ScalarEquation> equations() const noexcept {
    return equations_;
  }

 private:
  // The sides of a relation differ by at_zero + slope*time; events set at_zero.
  struct Affine {
    double slope = 0;
    Expr at_zero;
  };

  Expr Hold(Expr value, ValueType type, std::string name);
  Expr HoldNew(Expr relation, Expr node);
  std::optional<Affine> AsAffineInTime(Expr formula);
  Expr HoldTimeRelation(const Affine& affine, Expr relation, Expr node);

  System& system_;
  ExprGraph& graph_;
  std::uint32_t origin_ = 0;
  std::string event_;
  Expr label_;
  std::vector<ScalarEquation> equations_;
  std::unordered_map<std::uint32_t, std::size_t> watched_;  // By the relation.
  std::unordered_map<std::uint32_t, Expr> held_;            // By the formula.
};

}  // namespace orrery::compile::internal
