#include "orrery/experiment/measures/formula_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "orrery/symbolic/tape/interval.h"

namespace orrery::experiment::internal {
namespace {

// Limits of the parts of a run in total, which take half a second, and of each
// piece, which suffice for formulas somewhat faster than the signals in any
// run.
constexpr std::size_t kMostParts = std::size_t{1} << 20U;
constexpr std::size_t kLeastParts = 64;

// Reached at a jump or a pole.
constexpr int kMostHalvings = 30;

// Limit of the motion of a swift argument within a part.
constexpr double kMostMotion = 1;

double Between(double a, double b, double part) {
  return a + part * (b - a);
}

// Bounds a cubic on a part of [0, 1] by its least and greatest Bernstein
// coefficients there, which are values of its blossom.
Interval BoundCubic(const std::array<double, 4>& points,
                    double begin,
                    double end) {
  const auto [p0, p1, p2, p3] = points;
  const std::array<double, 3> at_begin = {
      Between(p0, p1, begin), Between(p1, p2, begin), Between(p2, p3, begin)};
  const std::array<double, 3> at_end = {
      Between(p0, p1, end), Between(p1, p2, end), Between(p2, p3, end)};
  const auto blossom =
      [](const std::array<double, 3>& three, double second, double third) {
        return Between(Between(three[0], three[1], second),
                       Between(three[1], three[2], second),
                       third);
      };
  const auto [low, high] = std::minmax({blossom(at_begin, begin, begin),
                                        blossom(at_begin, begin, end),
                                        blossom(at_end, end, begin),
                                        blossom(at_end, end, end)});
  return low <= high ? Interval{low, high} : Interval::Entire();
}

// Bounds with an unused slope.
Bounds OfValue(Interval value) {
  return {.value = value, .slope = Interval::Point(0)};
}

// True if the argument moves little enough. One without bounds passes: an
// argument inside of it has lost them.
bool IsTame(const SwiftArgument<std::uint32_t>& argument, Interval value) {
  const double motion = value.upper - value.lower;
  const double most =
      argument.is_relative ? std::max(-value.lower, value.upper) : kMostMotion;
  return motion <= most || value.upper <= argument.range.lower ||
         value.lower >= argument.range.upper || !std::isfinite(motion);
}

}  // namespace

FormulaParts::FormulaParts(std::span<const double> time,
                           std::span<const SignalSlot> signals,
                           const Tape& tape,
                           const FormulaCode& code)
    : time_(time),
      signals_(signals),
      code_(code),
      most_parts_(std::max(kLeastParts, kMostParts / time.size())) {
  if (!code.swift_arguments.empty()) {
    bounds_.emplace(tape);
  }
}

std::span<const double> FormulaParts::Of(std::size_t row,
                                         std::span<const double> memory) {
  memory_ = memory;
  ends_.assign({time_[row], time_[row + 1]});
  if (bounds_) {
    is_smooth_.assign(1, false);
    for (int i = 0; i < kMostHalvings; ++i) {
      const std::size_t parts = ends_.size();
      Halve(row);
      if (ends_.size() == parts || ends_.size() > most_parts_) {
        break;
      }
    }
  }
  return ends_;
}

// Halves each part that is not smooth.
void FormulaParts::Halve(std::size_t row) {
  halved_.assign(1, ends_.front());
  halved_is_smooth_.clear();
  for (std::size_t i = 0; i + 1 < ends_.size(); ++i) {
    const double middle = std::lerp(ends_[i], ends_[i + 1], 0.5);
    const bool is_smooth = is_smooth_[i] ||
                           IsSmooth(row, ends_[i], ends_[i + 1]) ||
                           !(ends_[i] < middle && middle < ends_[i + 1]);
    if (!is_smooth) {
      halved_.push_back(middle);
      halved_is_smooth_.push_back(false);
    }
    halved_.push_back(ends_[i + 1]);
    halved_is_smooth_.push_back(is_smooth);
  }
  ends_.swap(halved_);
  is_smooth_.swap(halved_is_smooth_);
}

bool FormulaParts::IsSmooth(std::size_t row, double begin, double end) {
  const double h = time_[row + 1] - time_[row];
  bounds_->Begin(memory_);
  bounds_->Set(code_.time_slot, OfValue({begin, end}));
  for (const SignalSlot& signal : signals_) {
    bounds_->Set(signal.slot,
                 OfValue(BoundCubic(signal.signal.ControlPoints(row),
                                    (begin - time_[row]) / h,
                                    (end - time_[row]) / h)));
  }
  return !bounds_->Run(code_.swift_section) ||
         std::ranges::all_of(
             code_.swift_arguments,
             [&](const SwiftArgument<std::uint32_t>& argument) {
               return IsTame(argument, bounds_->Get(argument.place).value);
             });
}

}  // namespace orrery::experiment::internal
