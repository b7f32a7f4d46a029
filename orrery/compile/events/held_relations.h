#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/compile/system/system.h"

namespace orrery::internal {

/// What is held between events: the truths of relations, and numbers that are
/// rounded to integers. The relations at whose changes they are found anew are
/// watched.
class HeldRelations {
 public:
  explicit HeldRelations(System& system);

  /// What follows is met at `origin`.
  /// @param event the named one that it makes; may be empty.
  void Begin(std::uint32_t origin, std::string event);

  [[nodiscard]] std::uint32_t origin() const noexcept { return origin_; }

  /// The truth of a relation at the last event; the relation itself if it only
  /// changes there.
  /// @param node as the author wrote it.
  Expr Relation(Expr left, Expr right, bool is_strict, Expr node);

  /// The truth of a relation that chooses between a branch with a root that
  /// ends there and another one: as it is, but on the side of the root until
  /// the event. So steps come to its end, and no nearer to it than it has
  /// values; and rounding makes no events without end behind it.
  Expr RelationAtRoot(
      Expr left, Expr right, bool is_strict, Expr node, bool steep_branch);

  /// `x` rounded by kFloor or kCeil: floor(x) is held at q while q <= x < q
  /// + 1.
  Expr Rounded(Expr x, Op op, Expr node);

  /// A relation may be watched for several reasons.
  void AddWatch(Watch watch);

  /// Where `left` and `right` meet, a formula of theirs has a kink.
  void WatchKink(Expr left, Expr right, Expr node);

  /// What is made up gets an equation here.
  void AddEquation(Expr left, Expr right);

  [[nodiscard]] std::span<const ScalarEquation> equations() const noexcept {
    return equations_;
  }

 private:
  // Left and right of a relation between time and what events set.
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
  std::vector<ScalarEquation> equations_;
  std::unordered_map<std::uint32_t, std::size_t> watched_;  // By the relation.
  std::unordered_map<std::uint32_t, Expr> held_;            // By the formula.
};

}  // namespace orrery::internal
