#include "orrery/analysis/linear_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include <Eigen/Core>

#include "orrery/analysis/dense_algebra.h"
#include "orrery/analysis/eigen_matrix.h"
#include "orrery/base/error.h"

namespace orrery {

namespace internal = analysis::internal;

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using internal::ColumnSpace;
using internal::Product;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

std::size_t Find(const std::vector<NamedValue>& list,
                 std::string_view name,
                 const char* what) {
  const auto found = std::ranges::find(list, name, &NamedValue::name);
  if (found == list.end()) {
    std::vector<std::string> known;
    known.reserve(list.size());
    for (const NamedValue& entry : list) {
      known.push_back(entry.name);
    }
    const std::string hint =
        known.empty() ? "it has none" : Suggest(name, known);
    throw Error(ErrorCode::kInvalidArgument,
                "cannot find '" + std::string(name) + "': the linear system " +
                    "has no such " + what + Clause(hint));
  }
  return static_cast<std::size_t>(found - list.begin());
}

// Sorts by size; conjugate pairs stay together, the positive one first. Values
// that differ by rounding alone count as equal.
void SortByFrequency(std::vector<Complex>& values) {
  const auto key = [](const Complex& s) {
    return std::tuple(static_cast<float>(std::abs(s)),
                      static_cast<float>(s.real()),
                      static_cast<float>(-s.imag()));
  };
  std::ranges::sort(values, {}, key);
}

// The matrices of a system, to be reduced.
struct Matrices {
  MatrixXd a;
  MatrixXd b;
  MatrixXd c;
  MatrixXd d;

  [[nodiscard]] Matrices Dual() const {
    return {a.transpose(), c.transpose(), b.transpose(), d.transpose()};
  }

  [[nodiscard]] double Rounding() const {
    const double norm = std::sqrt(a.squaredNorm() + b.squaredNorm() +
                                  c.squaredNorm() + d.squaredNorm());
    return 10 * static_cast<double>(a.rows() + 1) * kEpsilon * norm;
  }
};

Matrices MatricesOf(const LinearSystem& system) {
  return {internal::ToEigen(system.a),
          internal::ToEigen(system.b),
          internal::ToEigen(system.c),
          internal::ToEigen(system.d)};
}

MatrixXd Stacked(const MatrixXd& top, const MatrixXd& bottom) {
  MatrixXd result(top.rows() + bottom.rows(), top.cols());
  result << top, bottom;
  return result;
}

MatrixXd Beside(const MatrixXd& left, const MatrixXd& right) {
  MatrixXd result(left.rows(), left.cols() + right.cols());
  result << left, right;
  return result;
}

// The system with the same finite zeros whose D has full row rank: outputs
// that D does not reach hold some states at 0, whose equations become outputs.
Matrices WithFullRows(Matrices s, double rounding) {
  for (;;) {
    const ColumnSpace rows(s.d, rounding);
    const Index rest = s.d.rows() - rows.rank();
    if (rest == 0) {
      return s;
    }
    const MatrixXd c = rows.FromLeft(s.c);
    const MatrixXd d = rows.FromLeft(s.d);
    const ColumnSpace held(c.bottomRows(rest).transpose(), rounding);
    if (held.rank() == 0) {
      return {s.a, s.b, c.topRows(rows.rank()), d.topRows(rows.rank())};
    }
    const Index free = s.a.rows() - held.rank();
    const MatrixXd a = held.FromRight(held.FromLeft(s.a));
    const MatrixXd b = held.FromLeft(s.b);
    const MatrixXd top = held.FromRight(c.topRows(rows.rank()));
    s.a = a.bottomRightCorner(free, free);
    s.b = b.bottomRows(free);
    s.c = Stacked(top.rightCols(free), a.topRightCorner(held.rank(), free));
    s.d = Stacked(d.topRows(rows.rank()), b.topRows(held.rank()));
  }
}

// The part of the system that inputs reach, in an orthogonal basis of its
// states.
Matrices ReachedPart(const Matrices& s) {
  const double rounding = s.Rounding();
  MatrixXd basis = MatrixXd::Identity(s.a.rows(), s.a.rows());
  MatrixXd a = s.a;  // For the rest of the states.
  MatrixXd b = s.b;  // Effect of the last reached states on it.
  while (a.rows() > 0) {
    const ColumnSpace range(b, rounding);
    if (range.rank() == 0) {
      break;
    }
    basis.rightCols(a.rows()) = range.FromRight(basis.rightCols(a.rows()));
    const Index rest = a.rows() - range.rank();
    const MatrixXd turned = range.FromRight(range.FromLeft(a));
    b = turned.bottomLeftCorner(rest, range.rank());
    a = turned.bottomRightCorner(rest, rest);
  }
  const MatrixXd reached = basis.leftCols(s.a.rows() - a.rows());
  const MatrixXd turn = reached.transpose();
  return {Product(Product(turn, s.a), reached),
          Product(turn, s.b),
          Product(s.c, reached),
          s.d};
}

// D - C A^-1 B; NaN throughout if A is singular.
MatrixXd SteadyGain(const Matrices& s) {
  if (s.a.rows() == 0) {
    return s.d;
  }
  return s.d - Product(s.c, internal::Quotient(s.a, s.b));
}

}  // namespace

std::size_t LinearSystem::InputNumber(std::string_view name) const {
  return Find(inputs, name, "input");
}

std::size_t LinearSystem::OutputNumber(std::string_view name) const {
  return Find(outputs, name, "output");
}

double Mode::natural_frequency() const {
  return std::abs(eigenvalue);
}

double Mode::damping() const {
  return -eigenvalue.real() / std::abs(eigenvalue);
}

double Mode::time_constant() const {
  return eigenvalue.real() == 0 ? std::numeric_limits<double>::infinity()
                                : -1 / eigenvalue.real();
}

std::vector<Mode> ModesOf(const LinearSystem& system) {
  if (system.a.rows() == 0) {
    return {};
  }
  std::vector<Complex> values =
      internal::EigenvaluesOf(internal::ToEigen(system.a));
  SortByFrequency(values);
  std::vector<Mode> modes;
  modes.reserve(values.size());
  for (const Complex& value : values) {
    modes.push_back({.eigenvalue = value});
  }
  return modes;
}

bool IsStable(const LinearSystem& system) {
  const std::vector<Mode> modes = ModesOf(system);
  const double rounding = MatricesOf(system).Rounding();
  return std::ranges::all_of(modes, [rounding](const Mode& mode) {
    return mode.eigenvalue.real() < -rounding;
  });
}

std::vector<Complex> ZerosOf(const LinearSystem& system) {
  if (system.inputs.empty() || system.outputs.empty()) {
    return {};
  }
  const Matrices full = MatricesOf(system);
  const double rounding = full.Rounding();
  const Matrices s =
      WithFullRows(WithFullRows(full, rounding).Dual(), rounding).Dual();
  const Index n = s.a.rows();
  if (n == 0) {
    return {};
  }
  // D is regular now. [C D] W = 0 leaves the pencil [A B] W - s [I 0] W.
  const ColumnSpace space(Beside(s.c, s.d).transpose(), 0);
  std::vector<Complex> zeros =
      internal::EigenvaluesOf(space.FromRight(Beside(s.a, s.b)).rightCols(n),
                              space.Basis().topRightCorner(n, n));
  SortByFrequency(zeros);
  return zeros;
}

Matrix DcGain(const LinearSystem& system) {
  const Matrices s = MatricesOf(system);
  MatrixXd gain = SteadyGain(s);
  // An integrator may not matter to some channels.
  for (Index i = 0; i < gain.rows(); ++i) {
    for (Index j = 0; j < gain.cols(); ++j) {
      if (std::isnan(gain(i, j))) {
        const Matrices reached =
            ReachedPart({s.a, s.b.col(j), s.c.row(i), s.d.block(i, j, 1, 1)});
        gain(i, j) = SteadyGain(ReachedPart(reached.Dual()).Dual())(0, 0);
      }
    }
  }
  return internal::FromEigen(gain);
}

std::size_t ControllableStates(const LinearSystem& system) {
  return static_cast<std::size_t>(ReachedPart(MatricesOf(system)).a.rows());
}

std::size_t ObservableStates(const LinearSystem& system) {
  return static_cast<std::size_t>(
      ReachedPart(MatricesOf(system).Dual()).a.rows());
}

}  // namespace orrery
