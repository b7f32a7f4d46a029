#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "orrery/model/block.h"
#include "orrery/model/flat_model.h"

namespace orrery {

/// A block made from an already flat model of any language: its variables,
/// equations and events become part of the model around it.
///
/// The quantities of the block are the public variables of the model itself,
/// not those of its parts (which exist under their paths). Handles to them are
/// found by name: `block["k"]`.
class FlatBlock : public Block {
 public:
  /// @param model is never changed; many blocks, also in many threads, may
  ///     share it.
  explicit FlatBlock(std::shared_ptr<const FlatModel> model);

  [[nodiscard]] std::size_t num_states() const override;
  [[nodiscard]] const FlatModel* AsFlatModel() const noexcept override;

  /// States nothing: the model's equations hold.
  void Equations(EquationSet& eq) final;

 protected:
  /// For classes that find out their model as they are made.
  FlatBlock(std::string name, std::shared_ptr<const FlatModel> model);

  [[nodiscard]] std::string WhyFixed(std::size_t quantity) const override;

 private:
  std::shared_ptr<const FlatModel> model_;
  std::size_t num_states_ = 0;
  std::vector<std::size_t> variables_;  // By quantity: its place in the model.
};

}  // namespace orrery
