#include "orrery/sdk/bench/rivals.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <utility>

#include <boost/numeric/odeint/algebra/array_algebra.hpp>
#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4_controller.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "orrery/base/bench/report.h"
#include "orrery/sdk/bench/systems_by_hand.h"

namespace orrery {
namespace {

// Boost.odeint ----------------------------------------------------------------

namespace odeint = boost::numeric::odeint;

// A run that needs more steps, such as a stiff problem with an explicit method,
// is given up.
constexpr int kMostSteps = 200'000;
constexpr double kFirstStep = 1e-6;

struct TooManySteps {};

template <typename Stepper, typename System, typename State>
TimedRun TimeOdeint(const Stepper& stepper,
                    const System& system,
                    State state,
                    double stop) {
  int steps = 0;
  const auto count = [&](const State& /*x*/, double /*t*/) {
    if (++steps > kMostSteps) {
      throw TooManySteps();
    }
  };
  TimedRun run;
  try {
    run.seconds = SecondsOf([&] {
      odeint::integrate_adaptive(
          stepper, system, state, 0.0, stop, kFirstStep, count);
    });
  } catch (const std::exception&) {
    return {};
  } catch (const TooManySteps&) {
    return {};
  }
  run.x.assign(state.begin(), state.end());
  return run;
}

// Vectors of fixed size need no other algebra than arrays.
template <template <typename...> typename Stepper, typename State>
struct ExplicitStepper {
  using Type = Stepper<State>;
};

template <template <typename...> typename Stepper, std::size_t kSize>
struct ExplicitStepper<Stepper, std::array<double, kSize>> {
  using Type = Stepper<std::array<double, kSize>,
                       double,
                       std::array<double, kSize>,
                       double,
                       odeint::array_algebra>;
};

template <template <typename...> typename Stepper, typename System>
Rival ExplicitRival(std::string name,
                    const System& system,
                    double stop,
                    double absolute) {
  using State = typename System::State;
  using Method = typename ExplicitStepper<Stepper, State>::Type;
  return {
      std::move(name), [=](double tolerance) {
        return TimeOdeint(
            odeint::make_controlled<Method>(tolerance * absolute, tolerance),
            [&system](const State& x, State& dx, double /*t*/) {
              system.Slopes(x.data(), dx.data());
            },
            system.Start(),
            stop);
      }};
}

template <typename System>
std::vector<Rival> ExplicitRivals(const System& system,
                                  double stop,
                                  double absolute) {
  return {ExplicitRival<odeint::runge_kutta_dopri5>(
              "odeint dopri5", system, stop, absolute),
          ExplicitRival<odeint::runge_kutta_fehlberg78>(
              "odeint rkf78", system, stop, absolute)};
}

template <typename System>
Rival RosenbrockRival(const System& system, double stop, double absolute) {
  using Stepper = odeint::rosenbrock4<double>;
  using State = Stepper::state_type;
  using Matrix = Stepper::matrix_type;
  return {"odeint rosenbrock4", [=](double tolerance) {
            const auto slopes = [&](const State& x, State& dx, double /*t*/) {
              system.Slopes(&x[0], &dx[0]);
            };
            const auto jacobian =
                [&](const State& x, Matrix& j, double /*t*/, State& dfdt) {
                  j.clear();
                  dfdt.clear();
                  system.Jacobian(
                      &x[0],
                      [&](std::size_t row, std::size_t column, double v) {
                        j(row, column) = v;
                      });
                };
            const auto start = system.Start();
            State x(start.size());
            std::copy(start.begin(), start.end(), x.begin());
            return TimeOdeint(odeint::rosenbrock4_controller<Stepper>(
                                  tolerance * absolute, tolerance),
                              std::make_pair(slopes, jacobian),
                              x,
                              stop);
          }};
}

// CVODE -----------------------------------------------------------------------

// CVODE on one system, with all its objects.
template <typename System>
class CvodeRun {
 public:
  CvodeRun(System system, int method, double tolerance, double absolute)
      : system_(std::move(system)) {
    SUNContext_Create(nullptr, &context_);
    const auto start = system_.Start();
    x_ = N_VNew_Serial(static_cast<sunindextype>(start.size()), context_);
    std::copy(start.begin(), start.end(), N_VGetArrayPointer(x_));
    cvode_ = CVodeCreate(method, context_);
    CVodeSetErrHandlerFn(cvode_, IgnoreMessage, nullptr);
    CVodeInit(cvode_, Slopes, 0, x_);
    CVodeSetUserData(cvode_, this);
    CVodeSStolerances(cvode_, tolerance, tolerance * absolute);
    CVodeSetMaxNumSteps(cvode_, kMostSteps);
  }

  CvodeRun(const CvodeRun&) = delete;
  CvodeRun& operator=(const CvodeRun&) = delete;

  ~CvodeRun() {
    CVodeFree(&cvode_);
    SUNNonlinSolFree(nonlinear_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    N_VDestroy(x_);
    SUNContext_Free(&context_);
  }

  void UseFixedPoint() {
    nonlinear_ = SUNNonlinSol_FixedPoint(x_, 0, context_);
    CVodeSetNonlinearSolver(cvode_, nonlinear_);
  }

  void UseDense() {
    const sunindextype n = N_VGetLength(x_);
    matrix_ = SUNDenseMatrix(n, n, context_);
    linear_ = SUNLinSol_Dense(x_, matrix_, context_);
    CVodeSetLinearSolver(cvode_, linear_, matrix_);
    CVodeSetJacFn(cvode_, DenseJacobian);
  }

  void UseBand(sunindextype width) {
    matrix_ = SUNBandMatrix(N_VGetLength(x_), width, width, context_);
    linear_ = SUNLinSol_Band(x_, matrix_, context_);
    CVodeSetLinearSolver(cvode_, linear_, matrix_);
    CVodeSetJacFn(cvode_, BandJacobian);
  }

  [[nodiscard]] TimedRun RunTo(double stop) {
    TimedRun run;
    double t = 0;
    int flag = 0;
    run.seconds = SecondsOf([&] {
      CVodeSetStopTime(cvode_, stop);
      flag = CVode(cvode_, stop, x_, &t, CV_NORMAL);
    });
    if (flag >= 0) {
      const double* const x = N_VGetArrayPointer(x_);
      run.x.assign(x, x + N_VGetLength(x_));
    }
    return run;
  }

 private:
  static void IgnoreMessage(int /*code*/,
                            const char* /*module*/,
                            const char* /*function*/,
                            char* /*message*/,
                            void* /*data*/) {}

  static int Slopes(double /*t*/, N_Vector x, N_Vector dx, void* self) {
    static_cast<CvodeRun*>(self)->system_.Slopes(NV_DATA_S(x), NV_DATA_S(dx));
    return 0;
  }

  // NOLINTNEXTLINE(readability-function-size): the signature is SUNDIALS'.
  static int DenseJacobian(double /*t*/,
                           N_Vector x,
                           N_Vector /*dx*/,
                           SUNMatrix matrix,
                           void* self,
                           N_Vector /*scratch1*/,
                           N_Vector /*scratch2*/,
                           N_Vector /*scratch3*/) {
    double* const* const columns = SM_COLS_D(matrix);
    static_cast<CvodeRun*>(self)->system_.Jacobian(
        NV_DATA_S(x), [=](std::size_t row, std::size_t column, double v) {
          columns[column][row] = v;
        });
    return 0;
  }

  // NOLINTNEXTLINE(readability-function-size): the signature is SUNDIALS'.
  static int BandJacobian(double /*t*/,
                          N_Vector x,
                          N_Vector /*dx*/,
                          SUNMatrix matrix,
                          void* self,
                          N_Vector /*scratch1*/,
                          N_Vector /*scratch2*/,
                          N_Vector /*scratch3*/) {
    static_cast<CvodeRun*>(self)->system_.Jacobian(
        NV_DATA_S(x), [=](std::size_t row, std::size_t column, double v) {
          SM_COLUMN_ELEMENT_B(SM_COLUMN_B(matrix, column), row, column) = v;
        });
    return 0;
  }

  System system_;
  SUNContext context_ = nullptr;
  N_Vector x_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver nonlinear_ = nullptr;
  void* cvode_ = nullptr;
};

// Non-stiff problems.
template <typename System>
std::vector<Rival> SmoothRivals(double stop, double absolute) {
  std::vector<Rival> rivals = ExplicitRivals(System(), stop, absolute);
  rivals.insert(rivals.begin(), {"CVODE Adams", [=](double tolerance) {
                                   CvodeRun<System> run(
                                       {}, CV_ADAMS, tolerance, absolute);
                                   run.UseFixedPoint();
                                   return run.RunTo(stop);
                                 }});
  return rivals;
}

// Small stiff problems.
template <typename System>
std::vector<Rival> StiffRivals(double stop, double absolute) {
  return {RosenbrockRival(System(), stop, absolute),
          {"CVODE BDF", [=](double tolerance) {
             CvodeRun<System> run({}, CV_BDF, tolerance, absolute);
             run.UseDense();
             return run.RunTo(stop);
           }}};
}

// Reorders u_1, v_1, u_2, ... as the states of the model.
std::vector<double> Parted(const std::vector<double>& x) {
  std::vector<double> parted;
  for (std::size_t first = 0; first < 2; ++first) {
    for (std::size_t i = first; i < x.size(); i += 2) {
      parted.push_back(x[i]);
    }
  }
  return parted;
}

}  // namespace

std::vector<Rival> OscillatorRivals(double stop, double absolute) {
  return SmoothRivals<Oscillator>(stop, absolute);
}

std::vector<Rival> LorenzRivals(double stop, double absolute) {
  return SmoothRivals<Lorenz>(stop, absolute);
}

std::vector<Rival> PleiadesRivals(double stop, double absolute) {
  return SmoothRivals<Pleiades>(stop, absolute);
}

std::vector<Rival> VanDerPolRivals(double stop, double absolute) {
  return StiffRivals<VanDerPol>(stop, absolute);
}

std::vector<Rival> RobertsonRivals(double stop, double absolute) {
  return StiffRivals<Robertson>(stop, absolute);
}

std::vector<Rival> HiresRivals(double stop, double absolute) {
  return StiffRivals<Hires>(stop, absolute);
}

std::vector<Rival> BrusselatorRivals(int points, double stop, double absolute) {
  constexpr int kFew = 500;  // An explicit method needs points^2 steps.
  const Brusselator system(points);
  std::vector<Rival> rivals;
  if (points <= kFew) {
    rivals = ExplicitRivals(system, stop, absolute);
  }
  rivals.push_back({"CVODE BDF, band", [=](double tolerance) {
                      CvodeRun<Brusselator> run(
                          system, CV_BDF, tolerance, absolute);
                      run.UseBand(2);
                      return run.RunTo(stop);
                    }});
  for (Rival& rival : rivals) {
    rival.run = [run = std::move(rival.run)](double tolerance) {
      TimedRun timed = run(tolerance);
      timed.x = Parted(timed.x);
      return timed;
    };
  }
  return rivals;
}

}  // namespace orrery
