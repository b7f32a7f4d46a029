#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/values/parameters.h"
#include "orrery/base/values/record.h"

namespace orrery::sdk::internal {

/// The name of a class as it is written, without namespaces.
[[nodiscard]] std::string BareName(std::string_view name);

/// Rethrows the exception that is being handled.
/// @throws Error kInvalidModel "cannot <what>: <why>".
[[noreturn]] void Blame(const std::string& what);

/// Makes a model of some engine from parameters, and reads the results of a
/// run. Cheap to copy; several threads may use one at once.
template <typename Model, typename Run>
class ModelFactory {
 public:
  template <std::derived_from<Model> M>
  [[nodiscard]] static ModelFactory Of(std::string_view name) {
    constexpr bool kTakesParameters = std::constructible_from<M, Parameters&>;
    constexpr bool kHasResults =
        requires(const M& m, const Run& run, Record& record) {
      m.Results(run, record);
    };
    static_assert(kTakesParameters || std::default_initializable<M>,
                  "want a constructor from Parameters&, or a default one");
    static_assert(
        kHasResults || !requires { &M::Results; },
        "want: void Results(const R& run, Record& results) const, with R a "
        "TimelineResult for a Simulation, else the engine's Simulator");
    ModelFactory result;
    result.name_ = BareName(name);
    result.make_ = [](Parameters& p) -> std::unique_ptr<Model> {
      if constexpr (kTakesParameters) {
        return std::make_unique<M>(p);
      } else {
        return std::make_unique<M>();
      }
    };
    if constexpr (kHasResults) {
      result.add_results_ =
          [](const Model& model, const Run& run, Record& results) {
            static_cast<const M&>(model).Results(run, results);
          };
    }
    return result;
  }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// @throws Error kInvalidArgument for invalid settings of parameters;
  ///     kInvalidModel, with the name of the model, for all exceptions of its
  ///     constructor.
  [[nodiscard]] std::unique_ptr<Model> Make(Parameters& parameters) const {
    std::unique_ptr<Model> model = MakeOfSome(parameters);
    parameters.CheckAllDeclared(name_);
    return model;
  }

  /// The same, but also accepts settings of undeclared parameters.
  [[nodiscard]] std::unique_ptr<Model> MakeOfSome(
      Parameters& parameters) const {
    try {
      return make_(parameters);
    } catch (...) {
      if (parameters.has_refused()) {
        throw;
      }
      Blame("make model " + name_);
    }
  }

  /// Returns the `Results` of a model that was made here.
  /// @throws Error kInvalidModel, with the name of the model, for all its
  ///     exceptions.
  [[nodiscard]] Record ResultsOf(const Model& model, const Run& run) const {
    Record results;
    if (add_results_) {
      try {
        add_results_(model, run, results);
      } catch (...) {
        Blame("tell the results of " + name_);
      }
    }
    return results;
  }

  /// For loaders: returns the same factory with the library of its code, which
  /// stays loaded as long as any copy exists.
  [[nodiscard]] ModelFactory WithLibrary(
      const std::shared_ptr<void>& library) const {
    ModelFactory result = *this;
    result.library_ = library;
    return result;
  }

 private:
  ModelFactory() = default;

  // The first member, so that it is destroyed last.
  std::shared_ptr<void> library_;
  std::string name_;
  std::function<std::unique_ptr<Model>(Parameters&)> make_;
  // Empty if the class has no results.
  std::function<void(const Model&, const Run&, Record&)> add_results_;
};

}  // namespace orrery::sdk::internal
