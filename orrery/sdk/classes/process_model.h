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

/// A kind of model of tasks that is run by name: how it is made of its
/// parameters, and what it says of a run. Cheap to copy; threads may use one at
/// once.
class ProcessModel {
 public:
  /// The kind of model that class `M` is. It is made by `M(Parameters&)` if
  /// there is such a constructor, else by `M()`.
  ///
  /// It may have `void Results(const process::Simulator& run, Record&
  /// results) const`, which adds the numbers that a run comes to, at its end,
  /// beside the resources.
  ///
  /// @param name as the class is written; namespaces are left out.
  template <std::derived_from<process::Model> M>
  [[nodiscard]] static ProcessModel Of(std::string_view name) {
    return ProcessModel(Factory::Of<M>(name));
  }

  [[nodiscard]] const std::string& name() const noexcept {
    return factory_.name();
  }

  /// @throws Error kInvalidArgument for parameters that were set and cannot be
  ///     so; kInvalidModel, with the name of the model, for all that its
  ///     constructor throws.
  [[nodiscard]] std::unique_ptr<process::Model> Make(
      Parameters& parameters) const {
    return factory_.Make(parameters);
  }

  /// What `Results` of a model that was made here says.
  /// @throws Error kInvalidModel, with the name of the model, for all that it
  ///     throws.
  [[nodiscard]] Record ResultsOf(const process::Model& model,
                                 const process::Simulator& run) const {
    return factory_.ResultsOf(model, run);
  }

  /// For loaders: the same with the library that its code is in, which is kept
  /// as long as any copy is.
  [[nodiscard]] ProcessModel WithLibrary(
      const std::shared_ptr<void>& library) const {
    return ProcessModel(factory_.WithLibrary(library));
  }

 private:
  using Factory = internal::ModelFactory<process::Model, process::Simulator>;

  explicit ProcessModel(Factory factory) : factory_(std::move(factory)) {}

  Factory factory_;
};

}  // namespace orrery
