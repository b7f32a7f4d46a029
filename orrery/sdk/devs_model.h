#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/parameters.h"
#include "orrery/base/record.h"
#include "orrery/devs/atomic.h"
#include "orrery/devs/coupled.h"
#include "orrery/devs/simulator.h"

namespace orrery {

/// A kind of DEVS model that is run by name: how it is made of its parameters,
/// and what it says of a run. Cheap to copy; threads may use one at once.
class DevsModel {
 public:
  /// The kind of model that class `M` is, atomic or coupled. It is made by
  /// `M(Parameters&)` if there is such a constructor, else by `M()`.
  ///
  /// It may have `void Results(const devs::Simulator& run, Record&
  /// results) const`, which adds the numbers that a run comes to, at its end:
  /// what replications take the mean of, beside the outputs.
  ///
  /// @param name as the class is written; namespaces are left out.
  template <std::derived_from<devs::Model> M>
  [[nodiscard]] static DevsModel Of(std::string_view name) {
    constexpr bool kTakesParameters = std::constructible_from<M, Parameters&>;
    constexpr bool kHasResults =
        requires(const M& m, const devs::Simulator& run, Record& record) {
      m.Results(run, record);
    };
    static_assert(kTakesParameters || std::default_initializable<M>,
                  "want a constructor from Parameters&, or a default one");
    static_assert(
        kHasResults || !requires { &M::Results; },
        "want: void Results(const devs::Simulator&, Record&) "
        "const");
    DevsModel result;
    result.name_ = Bare(name);
    result.make_ = [](Parameters& p) -> std::unique_ptr<devs::Model> {
      if constexpr (kTakesParameters) {
        return std::make_unique<M>(p);
      } else {
        return std::make_unique<M>();
      }
    };
    if constexpr (kHasResults) {
      result.add_results_ = [](const devs::Model& model,
                               const devs::Simulator& run,
                               Record& results) {
        static_cast<const M&>(model).Results(run, results);
      };
    }
    return result;
  }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Makes such a model. An atomic one is the only part, "model", of the
  /// result, and has its ports there.
  /// @throws Error kInvalidArgument for parameters that were set and cannot be
  ///     so; kInvalidModel, with the name of the model, for all that its
  ///     constructor throws.
  [[nodiscard]] std::unique_ptr<devs::Coupled> Make(
      Parameters& parameters) const;

  /// What `Results` of a model that was made here says.
  /// @throws Error kInvalidModel, with the name of the model, for all that it
  ///     throws.
  [[nodiscard]] Record ResultsOf(const devs::Coupled& model,
                                 const devs::Simulator& run) const;

  /// For loaders: the same with the library that its code is in, which is kept
  /// as long as any copy is.
  [[nodiscard]] DevsModel WithLibrary(std::shared_ptr<void> library) const {
    DevsModel result = *this;
    result.library_ = std::move(library);
    return result;
  }

 private:
  DevsModel() = default;

  static std::string Bare(std::string_view name);

  // First, so that it goes last.
  std::shared_ptr<void> library_;
  std::string name_;
  std::function<std::unique_ptr<devs::Model>(Parameters&)> make_;
  // Empty if there is none.
  std::function<void(const devs::Model&, const devs::Simulator&, Record&)>
      add_results_;
};

}  // namespace orrery
