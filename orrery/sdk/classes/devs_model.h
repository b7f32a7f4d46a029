#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/values/parameters.h"
#include "orrery/base/values/record.h"
#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/sdk/classes/model_factory.h"

namespace orrery {

/// A kind of DEVS model that is run by name. It makes models from parameters,
/// and reads the results of a run. Cheap to copy; several threads may use one
/// at once.
class DevsModel {
 public:
  /// The kind of model of class `M`, atomic or coupled. It is made by
  /// `M(Parameters&)` if there is such a constructor, else by `M()`.
  ///
  /// The class may have `void Results(const devs::Simulator& run, Record&
  /// results) const`, which adds the results of a run at its end. Replications
  /// compute their means, in addition to those of the outputs.
  ///
  /// @param name as the class is written; namespaces are dropped.
  template <std::derived_from<devs::Model> M>
  [[nodiscard]] static DevsModel Of(std::string_view name) {
    return DevsModel(Factory::Of<M>(name));
  }

  [[nodiscard]] const std::string& name() const noexcept {
    return factory_.name();
  }

  /// Makes such a model. An atomic one becomes the only component, "model", of
  /// the result, which has the same ports.
  /// @throws Error kInvalidArgument for invalid settings of parameters;
  ///     kInvalidModel, with the name of the model, for all exceptions of its
  ///     constructor.
  [[nodiscard]] std::unique_ptr<devs::Coupled> Make(
      Parameters& parameters) const;

  /// Returns the `Results` of a model that was made here.
  /// @throws Error kInvalidModel, with the name of the model, for all its
  ///     exceptions.
  [[nodiscard]] Record ResultsOf(const devs::Coupled& model,
                                 const devs::Simulator& run) const;

  /// For loaders: returns the same kind with the library of its code, which
  /// stays loaded as long as any copy exists.
  [[nodiscard]] DevsModel WithLibrary(
      const std::shared_ptr<void>& library) const {
    return DevsModel(factory_.WithLibrary(library));
  }

 private:
  using Factory = sdk::internal::ModelFactory<devs::Model, devs::Simulator>;

  explicit DevsModel(Factory factory) : factory_(std::move(factory)) {}

  Factory factory_;
};

}  // namespace orrery
