#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/values/parameters.h"
#include "orrery/base/values/record.h"
#include "orrery/process/simulator.h"
#include "orrery/sdk/classes/model_factory.h"

namespace orrery {

/// A kind of model of tasks that is run by name. It makes models from
/// parameters, and reads the results of a run. Cheap to copy; several threads
/// may use one at once.
class ProcessModel {
 public:
  /// The kind of model of class `M`. It is made by `M(Parameters&)` if there is
  /// such a constructor, else by `M()`.
  ///
  /// The class may have `void Results(const process::Simulator& run, Record&
  /// results) const`, which adds results of a run at its end, in addition to
  /// the resources.
  ///
  /// @param name as the class is written; namespaces are dropped.
  template <std::derived_from<process::Model> M>
  [[nodiscard]] static ProcessModel Of(std::string_view name) {
    return ProcessModel(Factory::Of<M>(name));
  }

  [[nodiscard]] const std::string& name() const noexcept {
    return factory_.name();
  }

  /// @throws Error kInvalidArgument for invalid settings of parameters;
  ///     kInvalidModel, with the name of the model, for all exceptions of its
  ///     constructor.
  [[nodiscard]] std::unique_ptr<process::Model> Make(
      Parameters& parameters) const {
    return factory_.Make(parameters);
  }

  /// Returns the `Results` of a model that was made here.
  /// @throws Error kInvalidModel, with the name of the model, for all its
  ///     exceptions.
  [[nodiscard]] Record ResultsOf(const process::Model& model,
                                 const process::Simulator& run) const {
    return factory_.ResultsOf(model, run);
  }

  /// For loaders: returns the same kind with the library of its code, which
  /// stays loaded as long as any copy exists.
  [[nodiscard]] ProcessModel WithLibrary(
      const std::shared_ptr<void>& library) const {
    return ProcessModel(factory_.WithLibrary(library));
  }

 private:
  using Factory =
      sdk::internal::ModelFactory<process::Model, process::Simulator>;

  explicit ProcessModel(Factory factory) : factory_(std::move(factory)) {}

  Factory factory_;
};

}  // namespace orrery
