#include "orrery/compile/compile.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/system/stop_scope.h"
#include "orrery/compile/dependencies.h"
#include "orrery/compile/describe_equations.h"
#include "orrery/compile/passes.h"
#include "orrery/compile/scalarize/extrema.h"
#include "orrery/compile/scalarize/vanishing_rates.h"
#include "orrery/compile/units/check_units.h"

namespace orrery {

namespace internal = compile::internal;

namespace {

using internal::Compilation;
using internal::CompileWay;
using internal::EquationLoop;
using internal::Retry;

// The outcome of one attempt.
struct Attempt {
  std::shared_ptr<Program> program;  // Null if there is none.
  std::optional<Retry> retry;        // The way in which to try again.
};

std::string_view Describe(Retry::Reason reason) {
  switch (reason) {
    case Retry::Reason::kFewerLoops:
      return "loops have to be taken apart";
    case Retry::Reason::kRates:
      return "derivatives become states";
    case Retry::Reason::kPresentRelations:
      return "relations have to be seen as they are";
  }
  return {};
}

// The model with a variable for the derivative of each of `variables`.
FlatModel WithRates(const FlatModel& model,
                    const std::vector<std::uint32_t>& variables) {
  FlatModel result = model;
  ExprGraph& graph = *model.graph;
  for (const std::uint32_t v : variables) {
    const Expr of = model.variables[v].symbol;
    const Expr rate = graph.Symbol({.name = "rate of " + graph.NameOf(of),
                                    .type = ValueType::kReal,
                                    .shape = of.shape()});
    Variable& variable = result.variables.emplace_back();
    variable.symbol = rate;
    variable.is_protected = true;
    variable.is_made_up = true;
    const std::vector<Expr> iterators = MakeIterators(graph, of.shape());
    result.equations.push_back({.left = AtIterators(rate, iterators),
                                .right = graph.Der(AtIterators(of, iterators)),
                                .iterators = iterators,
                                .span = model.variables[v].notes->span,
                                .path = {}});
  }
  return result;
}

// Compiles a model by as many attempts as it takes. Derivatives that are
// multiplied by 0, whatever happens, leave the model before. An attempt runs
// the passes once, in one way. These are the ways, in the order in which they
// are tried:
//
//   1. Loops of equations stay loops, and so do reductions to an extremum, each
//      in a variable of its own. A pass may ask for fewer loops: at most
//      kMaxAttempts attempts.
//   2. The same with the extrema where the model has them.
//   3. All equations are scalars. A pass may ask for variables for derivatives:
//      at most kMaxAttempts attempts, then one without such variables, which
//      reports the errors.
//   4. As 3, with hidden constraints revealed: if 3 found errors or a loop
//      without one solution.
//
// Preferred states that the model does not differentiate get a variable for
// their derivative. Where that leads to errors, all ways are tried without.
// Relations between members of nonlinear loops may have to be seen as they are.
// All begins anew with them then, once.
class Compiler {
 public:
  explicit Compiler(PassWatch* watch) : watch_(watch) {}

  std::shared_ptr<Program> Compile(const FlatModel& given,
                                   Diagnostics& diagnostics,
                                   LoopForm loops) {
    const auto less = internal::WithoutVanishingRates(given);
    const FlatModel& model = less ? *less : given;
    Diagnostics found = diagnostics;
    Attempt attempt = WithPreferred(model, found, loops, {});
    if (attempt.retry) {
      const CompileWay way{.unheld_relations = attempt.retry->relations};
      const Attempt second = WithPreferred(model, diagnostics, loops, way);
      ORRERY_CHECK(!second.retry);
      return second.program;
    }
    diagnostics = std::move(found);
    return attempt.program;
  }

  void FindDependencies(const FlatModel& given,
                        Diagnostics& diagnostics,
                        Dependencies& result) {
    const auto less = internal::WithoutVanishingRates(given);
    const FlatModel& model = less ? *less : given;
    CompileWay way{.dependencies = &result};
    Diagnostics found = diagnostics;
    AsScalars(model, found, way);
    if (found.has_errors()) {
      Diagnostics others = diagnostics;
      way.reveals_constraints = true;
      AsScalars(model, others, way);
      if (!result.unknowns.empty()) {
        found = std::move(others);
      }
    }
    diagnostics = std::move(found);
  }

 private:
  // Preferred states: loops have been taken apart to look for them, or some
  // have been found.
  enum class Preferred : std::uint8_t { kNone, kLookedFor, kFound };

  // How often a pass may ask for another attempt in a way.
  static constexpr int kMaxAttempts = 8;

  // With preferred states, if there are any and the model can be solved so.
  Attempt WithPreferred(const FlatModel& model,
                        Diagnostics& diagnostics,
                        LoopForm loops,
                        CompileWay way) {
    Diagnostics found = diagnostics;
    preferred_ = Preferred::kNone;
    way.prefers_states = true;
    Attempt attempt = InAnyWay(model, found, loops, way);
    const bool is_in_vain = attempt.program == nullptr || is_singular_ ||
                            preferred_ == Preferred::kLookedFor;
    if (preferred_ != Preferred::kNone && !attempt.retry && is_in_vain) {
      way.prefers_states = false;
      return InAnyWay(model, diagnostics, loops, way);
    }
    diagnostics = std::move(found);
    return attempt;
  }

  Attempt InAnyWay(const FlatModel& model,
                   Diagnostics& diagnostics,
                   LoopForm loops,
                   CompileWay way) {
    if (loops == LoopForm::kKept) {
      if (const auto apart = internal::WithExtremaApart(model)) {
        Attempt attempt = WithLoops(*apart, diagnostics, way);
        if (attempt.program != nullptr) {
          // The program counts the equations that the model has.
          attempt.program->num_equations -=
              apart->equations.size() - model.equations.size();
        }
        if (attempt.program != nullptr || attempt.retry) {
          return attempt;
        }
      }
      Attempt attempt = WithLoops(model, diagnostics, way);
      if (attempt.program != nullptr || attempt.retry) {
        return attempt;
      }
    }
    is_singular_ = false;
    Diagnostics found = diagnostics;
    Attempt attempt = AsScalars(model, found, way);
    if (attempt.retry) {
      return attempt;
    }
    const bool is_singular = is_singular_;
    if (attempt.program == nullptr || is_singular) {
      Diagnostics others = diagnostics;
      way.reveals_constraints = true;
      Attempt revealed = AsScalars(model, others, way);
      if (revealed.retry) {
        return revealed;
      }
      if (revealed.program != nullptr &&
          (attempt.program == nullptr || !is_singular_)) {
        diagnostics = std::move(others);
        return revealed;
      }
    }
    diagnostics = std::move(found);
    return attempt;
  }

  // No program if no loop can stay or if anything is wrong, which then is to be
  // reported for scalars.
  Attempt WithLoops(const FlatModel& model,
                    Diagnostics& diagnostics,
                    const CompileWay& way) {
    std::vector<bool> unrolled(model.variables.size());
    for (int count = 0; count < kMaxAttempts; ++count) {
      Diagnostics found = diagnostics;
      Attempt attempt;
      try {
        const auto loops = internal::FindEquationLoops(model, unrolled);
        if (loops.empty()) {
          return {};
        }
        attempt = Try(model, loops, found, way);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kInvalidModel) {
          throw;
        }
        return {};
      }
      if (attempt.program != nullptr) {
        diagnostics = std::move(found);
      }
      if (!attempt.retry ||
          attempt.retry->reason != Retry::Reason::kFewerLoops) {
        return attempt;
      }
      for (const std::uint32_t variable : attempt.retry->variables) {
        unrolled[variable] = true;
      }
      if (attempt.retry->variables.empty()) {
        return {};
      }
    }
    return {};
  }

  // With variables for derivatives if a pass asks for them. Errors are reported
  // without such variables.
  Attempt AsScalars(const FlatModel& model,
                    Diagnostics& diagnostics,
                    CompileWay way) {
    Diagnostics found = diagnostics;
    std::optional<FlatModel> with_rates;
    for (int count = 0; count < kMaxAttempts; ++count) {
      const FlatModel& taken = with_rates ? *with_rates : model;
      Attempt attempt = Try(taken, {}, found, way);
      // There are no loops to take apart.
      ORRERY_CHECK(!attempt.retry ||
                   attempt.retry->reason != Retry::Reason::kFewerLoops);
      if (attempt.retry && attempt.retry->reason == Retry::Reason::kRates) {
        with_rates = WithRates(taken, attempt.retry->variables);
        found = diagnostics;
        continue;
      }
      const bool has_told = way.dependencies != nullptr && !found.has_errors();
      if (attempt.program != nullptr || attempt.retry || !with_rates ||
          has_told) {
        diagnostics = std::move(found);
        return attempt;
      }
      break;
    }
    way.may_ask_for_rates = false;
    way.prefers_states = false;
    return Try(model, {}, diagnostics, way);
  }

  // Runs the passes once.
  Attempt Try(const FlatModel& model,
              const std::vector<EquationLoop>& loops,
              Diagnostics& diagnostics,
              const CompileWay& way) {
    ++num_attempts_;
    Compilation compilation(model, loops, way, diagnostics);
    for (const internal::Pass& pass : internal::Passes()) {
      if (pass.name == "emit") {
        is_singular_ = compilation.system.has_singular_loop;
      }
      ThrowIfStopped();
      internal::Next next = internal::Next::kStop;
      try {
        next = pass.run(compilation);
      } catch (Retry& retry) {
        if (pass.name == "preferred-states") {
          preferred_ = retry.reason == Retry::Reason::kRates
                           ? Preferred::kFound
                           : std::max(preferred_, Preferred::kLookedFor);
        }
        if (watch_ != nullptr) {
          watch_->OnRetry(Describe(retry.reason));
        }
        return {.retry = std::move(retry)};
      }
      Report(pass, compilation);
      if (next == internal::Next::kStop) {
        return {};
      }
    }
    return {.program = std::move(compilation.program)};
  }

  void Report(const internal::Pass& pass,
              const Compilation& compilation) const {
    if (watch_ != nullptr) {
      watch_->OnPass(
          {.pass = pass.name, .attempt = num_attempts_, .equations = [&] {
             return internal::DescribeEquations(compilation);
           }});
    }
  }

  PassWatch* watch_;
  int num_attempts_ = 0;
  /// The last attempt that came to the pass "emit" has a linear loop without
  /// one solution, whatever the parameters are.
  bool is_singular_ = false;
  Preferred preferred_ = Preferred::kNone;
};

}  // namespace

std::shared_ptr<Program> Compile(const FlatModel& model,
                                 Diagnostics& diagnostics,
                                 LoopForm loops,
                                 PassWatch* watch) {
  internal::CheckUnits(model, diagnostics);
  return Compiler(watch).Compile(model, diagnostics, loops);
}

Dependencies FindDependencies(const FlatModel& model,
                              Diagnostics& diagnostics) {
  Dependencies result;
  Compiler(nullptr).FindDependencies(model, diagnostics, result);
  return result;
}

}  // namespace orrery
