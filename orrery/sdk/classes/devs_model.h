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
    return DevsModel(Factory::Of<M>(name));
  }

  [[nodiscard]] const std::string& name() const noexcept {
    return factory_.name();
  }

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
  [[nodiscard]] DevsModel WithLibrary(
      const std::shared_ptr<void>& library) const {
    return DevsModel(factory_.WithLibrary(library));
  }

 private:
  using Factory = internal::ModelFactory<devs::Model, devs::Simulator>;

  explicit DevsModel(Factory factory) : factory_(std::move(factory)) {}

  Factory factory_;
};

}  // namespace orrery
