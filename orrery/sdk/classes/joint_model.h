#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/values/parameters.h"
#include "orrery/base/values/record.h"
#include "orrery/sdk/classes/model_factory.h"
#include "orrery/timeline/timeline.h"

namespace orrery {

/// A kind of Simulation, of equations, DEVS models and tasks on one timeline,
/// that is run by name: how it is made of its parameters, and what it says of a
/// run. Cheap to copy; threads may use one at once.
class JointModel {
 public:
  /// The kind of model that class `M` is. It is made by `M(Parameters&)` if
  /// there is such a constructor, else by `M()`; there it adds what it consists
  /// of, and connects it.
  ///
  /// It may have `void Results(const TimelineResult& run, Record& results)
  /// const`, which adds the numbers that a run comes to, at its end, beside the
  /// quantities of the equations and the resources. Cells cannot be read any
  /// more then.
  ///
  /// @param name as the class is written; namespaces are left out.
  template <std::derived_from<Simulation> M>
  [[nodiscard]] static JointModel Of(std::string_view name) {
    return JointModel(Factory::Of<M>(name));
  }

  [[nodiscard]] const std::string& name() const noexcept {
    return factory_.name();
  }

  /// @param parameters some may be left that the class has not declared, and
  ///     that are for the equations: see JointRun.
  /// @throws Error kInvalidArgument for parameters that were set and cannot be
  ///     so; kInvalidModel, with the name of the model, for all that its
  ///     constructor throws.
  [[nodiscard]] std::unique_ptr<Simulation> Make(Parameters& parameters) const {
    return factory_.MakeOfSome(parameters);
  }

  /// What `Results` of a model that was made here says.
  /// @throws Error kInvalidModel, with the name of the model, for all that it
  ///     throws.
  [[nodiscard]] Record ResultsOf(const Simulation& model,
                                 const TimelineResult& run) const {
    return factory_.ResultsOf(model, run);
  }

  /// For loaders: the same with the library that its code is in, which is kept
  /// as long as any copy is.
  [[nodiscard]] JointModel WithLibrary(
      const std::shared_ptr<void>& library) const {
    return JointModel(factory_.WithLibrary(library));
  }

 private:
  using Factory = internal::ModelFactory<Simulation, TimelineResult>;

  explicit JointModel(Factory factory) : factory_(std::move(factory)) {}

  Factory factory_;
};

}  // namespace orrery
