#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace orrery {

/// The search method; all but kAuto as in NLopt (S. G. Johnson, "The NLopt
/// nonlinear-optimization package", version 2.7).
enum class OptimisationMethod : std::uint8_t {
  /// BOBYQA; COBYLA if there are constraints or there is only one factor.
  kAuto,

  // Local, without derivatives.
  kBobyqa,  ///< Quadratic models in a trust region. Powell, DAMTP 2009/NA06.
  kCobyla,  ///< Linear ones. Powell, Acta Numerica 7 (1998) 287-336.
  kNelderMead,  ///< A simplex. Nelder & Mead, Comput. J. 7 (1965) 308-313.
  kSubplex,     ///< Nelder-Mead on subspaces. Rowan, thesis, Austin 1990.

  // Local, by derivatives.
  kSlsqp,  ///< Sequential quadratic programming. Kraft, ACM TOMS 20 (1994) 262.
  kLbfgs,  ///< Limited-memory BFGS. Nocedal, Math. Comput. 35 (1980) 773-782.
  kMma,    ///< Moving asymptotes. Svanberg, SIAM J. Optim. 12 (2002) 555-573.
  kCcsaq,  ///< Conservative separable quadratic models; ibid.

  // Global.
  kDirectL,  ///< Dividing rectangles. Gablonsky & Kelley, J. Glob. Optim. 21
             ///< (2001) 27-37.
  kCrs2,   ///< Controlled random search. Kaelo & Ali, JOTA 130 (2006) 253-264.
  kIsres,  ///< An evolution strategy. Runarsson & Yao, IEEE Trans. SMC C 35
           ///< (2005) 233-243.
  kEsch,   ///< Another. da Silva Santos et al., IEEE Photonics J. 2 (2010).
  kMlsl,   ///< BOBYQA from many starts. Kucherenko & Sytsko, Comput. Optim.
           ///< Appl. 30 (2005) 297-318.
};

/// The capabilities of a method. Plain data.
struct OptimisationMethodInfo {
  OptimisationMethod method = OptimisationMethod::kAuto;
  std::string_view name;  ///< `nelder-mead`
  bool is_global = false;
  bool uses_slopes = false;  ///< Takes derivatives.
  bool takes_inequalities = false;
  bool takes_equalities = false;
  std::size_t least_dimension = 1;
};

/// All methods.
[[nodiscard]] std::span<const OptimisationMethodInfo>
OptimisationMethods() noexcept;

[[nodiscard]] const OptimisationMethodInfo& InfoOf(
    OptimisationMethod method) noexcept;

/// The method of this name.
/// @throws Error kInvalidArgument that suggests the nearest name.
[[nodiscard]] OptimisationMethod OptimisationMethodOf(std::string_view name);

}  // namespace orrery
