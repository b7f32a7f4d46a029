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

/// A kind of Simulation, with equations, DEVS models and tasks on one timeline,
/// that is run by name. It makes models from parameters, and reads the results
/// of a run. Cheap to copy; several threads may use one at once.
class JointModel {
 public:
  /// The kind of model of class `M`. It is made by `M(Parameters&)` if there is
  /// such a constructor, else by `M()`. The constructor adds and connects its
  /// parts.
  ///
  /// The class may have `void Results(const TimelineResult& run, Record&
  /// results) const`, which adds results of a run at its end, in addition to
  /// the quantities of the equations and the resources. Cells cannot be read at
  /// that time.
  ///
  /// @param name as the class is written; namespaces are dropped.
  template <std::derived_from<Simulation> M>
  [[nodiscard]] static JointModel Of(std::string_view name) {
    return JointModel(Factory::Of<M>(name));
  }

  [[nodiscard]] const std::string& name() const noexcept {
    return factory_.name();
  }

  /// @param parameters may contain names that the class does not declare and
  ///     that belong to the equations: see JointRun.
  /// @throws Error kInvalidArgument for invalid settings of parameters;
  ///     kInvalidModel, with the name of the model, for all exceptions of its
  ///     constructor.
  [[nodiscard]] std::unique_ptr<Simulation> Make(Parameters& parameters) const {
    return factory_.MakeOfSome(parameters);
  }

  /// Returns the `Results` of a model that was made here.
  /// @throws Error kInvalidModel, with the name of the model, for all its
  ///     exceptions.
  [[nodiscard]] Record ResultsOf(const Simulation& model,
                                 const TimelineResult& run) const {
    return factory_.ResultsOf(model, run);
  }

  /// For loaders: returns the same kind with the library of its code, which
  /// stays loaded as long as any copy exists.
  [[nodiscard]] JointModel WithLibrary(
      const std::shared_ptr<void>& library) const {
    return JointModel(factory_.WithLibrary(library));
  }

 private:
  using Factory = sdk::internal::ModelFactory<Simulation, TimelineResult>;

  explicit JointModel(Factory factory) : factory_(std::move(factory)) {}

  Factory factory_;
};

}  // namespace orrery
