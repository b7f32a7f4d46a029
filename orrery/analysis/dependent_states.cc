#include "orrery/analysis/dependent_states.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include <Eigen/Core>

#include "orrery/analysis/dense_algebra.h"
#include "orrery/analysis/eigen_matrix.h"

namespace orrery::analysis::internal {
namespace {

// Smaller slopes, relative to a constraint's greatest one, are rounding.
constexpr double kRounding = 1e-9;

// Gauss-Jordan elimination of the constraints' slopes.
class Elimination {
 public:
  Elimination(const Program& program, const Matrix& slopes)
      : program_(program),
        slopes_(ToEigen(slopes)),
        pivot_rows_(slopes.columns()),
        is_used_(slopes.rows()) {
    for (Eigen::Index i = 0; i < slopes_.rows(); ++i) {
      double greatest = 0;
      for (Eigen::Index j = 0; j < slopes_.cols(); ++j) {
        greatest = std::max(greatest, Size(i, j));
      }
      sizes_.push_back(greatest);
    }
    while (const auto pivot = FindPivot()) {
      Eliminate(pivot->first, pivot->second);
    }
  }

  // The numbers of the states that stay.
  [[nodiscard]] std::vector<Eigen::Index> Free() const {
    std::vector<Eigen::Index> free;
    for (std::size_t j = 0; j < pivot_rows_.size(); ++j) {
      if (!pivot_rows_[j]) {
        free.push_back(static_cast<Eigen::Index>(j));
      }
    }
    return free;
  }

  // The motion of all states with those that stay.
  [[nodiscard]] Eigen::MatrixXd Motion(
      const std::vector<Eigen::Index>& free) const {
    Eigen::MatrixXd motion = Eigen::MatrixXd::Zero(
        slopes_.cols(), static_cast<Eigen::Index>(free.size()));
    for (Eigen::Index k = 0; k < motion.cols(); ++k) {
      const Eigen::Index along = free[static_cast<std::size_t>(k)];
      motion(along, k) = 1;
      for (Eigen::Index j = 0; j < slopes_.cols(); ++j) {
        if (const auto row = pivot_rows_[static_cast<std::size_t>(j)]) {
          motion(j, k) = -slopes_(*row, along);
        }
      }
    }
    return motion;
  }

 private:
  [[nodiscard]] double Size(Eigen::Index i, Eigen::Index j) const {
    return std::abs(slopes_(i, j)) *
           program_.nominal[static_cast<std::size_t>(j)];
  }

  // Positions must depend on positions alone. So constraints of the highest
  // level come first, and each prefers to leave out a state of its own level.
  [[nodiscard]] std::optional<std::pair<Eigen::Index, Eigen::Index>> FindPivot()
      const {
    std::optional<std::pair<Eigen::Index, Eigen::Index>> found;
    std::tuple<int, bool, double> best;
    for (Eigen::Index i = 0; i < slopes_.rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      if (is_used_[row]) {
        continue;
      }
      const auto level = program_.constraints.constraints[row].level;
      for (Eigen::Index j = 0; j < slopes_.cols(); ++j) {
        const bool is_own =
            program_.constraints.state_levels[static_cast<std::size_t>(j)] ==
            level;
        const std::tuple<int, bool, double> rank(level, is_own, Size(i, j));
        if (Size(i, j) > kRounding * sizes_[row] && (!found || best < rank)) {
          found = {i, j};
          best = rank;
        }
      }
    }
    return found;
  }

  void Eliminate(Eigen::Index i, Eigen::Index j) {
    is_used_[static_cast<std::size_t>(i)] = true;
    pivot_rows_[static_cast<std::size_t>(j)] = i;
    slopes_.row(i) /= slopes_(i, j);
    slopes_(i, j) = 1;
    for (Eigen::Index k = 0; k < slopes_.rows(); ++k) {
      if (k != i && slopes_(k, j) != 0) {
        slopes_.row(k) -= slopes_(k, j) * slopes_.row(i);
        slopes_(k, j) = 0;
      }
    }
  }

  const Program& program_;
  Eigen::MatrixXd slopes_;
  std::vector<std::optional<Eigen::Index>> pivot_rows_;  // By state.
  std::vector<bool> is_used_;                            // By constraint.
  std::vector<double> sizes_;                            // By constraint.
};

}  // namespace

void LeaveOutDependentStates(const Program& program,
                             const Matrix& slopes,
                             LinearSystem& system) {
  const Elimination elimination(program, slopes);
  const std::vector<Eigen::Index> free = elimination.Free();
  const Eigen::MatrixXd motion = elimination.Motion(free);
  const Eigen::MatrixXd a =
      Product(ToEigen(system.a)(free, Eigen::all), motion);
  const Eigen::MatrixXd b = ToEigen(system.b)(free, Eigen::all);
  const Eigen::MatrixXd c = Product(ToEigen(system.c), motion);
  system.a = FromEigen(a);
  system.b = FromEigen(b);
  system.c = FromEigen(c);
  std::vector<NamedValue> states;
  states.reserve(free.size());
  for (const Eigen::Index number : free) {
    states.push_back(
        std::move(system.states[static_cast<std::size_t>(number)]));
  }
  system.states = std::move(states);
}

}  // namespace orrery::analysis::internal
