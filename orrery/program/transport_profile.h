#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

#include "orrery/base/files/state_stream.h"
#include "orrery/program/delay_history.h"

namespace orrery {

/// What is on a way from y = 0 to y = 1, along which all moves with a position
/// x(t): z(y, t) with dz/dt + dx/dt dz/dy = 0 (Modelica's
/// `spatialDistribution`, specification 3.6, section 3.7.4.2).
///
/// Material keeps its number s = y - x. Polynomials in s over pieces of
/// material hold its values. Where x grows, pieces are added at y = 0, and at y
/// = 1 where x falls. Jumps and kinks lie between pieces and are remembered.
///
/// It is seen from one end of the way. Part of a snapshot: see `Context`.
class TransportProfile {
 public:
  using Polynomial = DelayHistory::Polynomial;
  using Sample = DelayHistory::Sample;

  /// The order of no break.
  static constexpr int kSmooth = 8;

  /// Begins at the position `x`.
  /// @param end the end from which it is seen, 0 or 1.
  /// @param places, values of z at the start, linear in between; places do not
  ///     fall.
  void Start(double end,
             double x,
             std::span<const double> places,
             std::span<const double> values);

  /// The position up to which all is known.
  [[nodiscard]] double position() const noexcept { return position_; }

  /// Appends what entered while the position went on to `x`.
  /// @param polynomial of its values, in theta, which goes from -1 at its least
  ///     s to 1.
  /// @param tolerance to which values that meet count as equal.
  void Enter(double x, const Polynomial& polynomial, double tolerance);

  /// What enters next has a break, whose lowest derivative that jumps is this.
  void Break(int order) noexcept;

  /// Forgets what has left the way.
  void Forget() noexcept;

  /// The value, and its derivative by s, of the material `s` on the smooth part
  /// that is seen; extrapolated beyond the ends of that part. Beyond the ends
  /// of the way it is the value there.
  [[nodiscard]] Sample At(double s) const noexcept;

  /// Takes the smooth part that holds `s`.
  /// @returns the lowest derivative that jumps on the way there.
  int MoveTo(double s) noexcept;

  /// Writes its state, or reads that of another one.
  void Transfer(StateStream& stream);

  /// The bounds of the smooth part that is seen.
  [[nodiscard]] double PartBegin() const noexcept;
  [[nodiscard]] double PartEnd() const noexcept;

 private:
  struct Piece {
    double begin = 0;
    double end = 0;
    double middle = 0;  // Of the polynomial, and half its length.
    double half = 0;
    Polynomial polynomial{};
  };

  struct Fault {
    double s = 0;
    int order = 0;
  };

  [[nodiscard]] static Sample Evaluate(const Piece& piece, double s) noexcept;
  void CutFront(double s) noexcept;
  void CutBack(double s) noexcept;

  double end_ = 0;
  double position_ = 0;
  int next_order_ = 1;
  std::deque<Piece> pieces_;  // By s.
  std::deque<Fault> faults_;  // By s.
  std::size_t passed_ = 0;    // Faults at or below what is seen.
};

}  // namespace orrery
