#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/devs/modeling/hash_index.h"
#include "orrery/devs/modeling/model.h"

namespace orrery::devs {

namespace internal {
class StructureChanges;
}  // namespace internal

/// A connection of two ports, seen from the model that has it.
struct Coupling {
  const Port* from = nullptr;
  const Port* to = nullptr;

  friend bool operator==(const Coupling&, const Coupling&) = default;
};

/// A model of parts and the couplings between their ports. Derive from it for a
/// model with ports of its own.
class Coupled : public Model {
 public:
  /// SELECT of classic DEVS: chooses one of at least two imminent parts, which
  /// are in the order of their declaration.
  using SelectFunction =
      std::function<const Model&(std::span<const Model* const> imminent)>;

  Coupled() = default;

  /// An outermost model of that name.
  explicit Coupled(std::string_view name);

  /// Makes a part.
  /// @throws Error kInvalidModel if the name is empty, has a dot, or is that of
  ///     another part.
  template <std::derived_from<Model> M, typename... Arguments>
  M& Add(std::string_view name, Arguments&&... arguments) {
    internal::CheckBase<M>();
    auto part = std::make_unique<M>(std::forward<Arguments>(arguments)...);
    M& result = *part;
    Adopt(name, std::move(part));
    return result;
  }

  /// Couples an input of this model to one of a part (EIC), an output of a part
  /// to an input of another (IC) or to an output of this model (EOC).
  /// @throws Error kInvalidModel, naming both ports by path, if it is none of
  ///     these, the messages are not of one type, or they are coupled already.
  void Couple(const Port& from, const Port& to);

  /// Undoes Couple.
  /// @throws Error kInvalidModel if the ports are not coupled here.
  void Uncouple(const Port& from, const Port& to);

  /// Removes a part, with its couplings.
  /// @throws Error kInvalidModel if it is not a part of this model.
  std::unique_ptr<Model> Remove(const Model& part);

  /// Adds a part that was made elsewhere, as `Add` does.
  /// @throws Error kInvalidModel also if it is null.
  void Adopt(std::string_view name, std::unique_ptr<Model> part);

  /// Sets the rule of SELECT; by default the part declared first comes first.
  void SetSelect(SelectFunction select) { select_ = std::move(select); }

  /// Sets SELECT by a list: its parts come first, in its order.
  /// @throws Error kInvalidModel for a model that is not a part or is listed
  ///     twice.
  void SetPriority(std::span<const Model* const> parts);

  [[nodiscard]] const SelectFunction& select() const noexcept {
    return select_;
  }

  [[nodiscard]] std::span<const std::unique_ptr<Model>> parts() const noexcept {
    return parts_;
  }

  /// In the order of declaration.
  [[nodiscard]] std::span<const Coupling> couplings() const noexcept {
    return couplings_;
  }

  /// The part of that name, or null.
  [[nodiscard]] const Model* FindPart(std::string_view name) const;

  [[nodiscard]] const internal::AtomicOps* ops() const noexcept final {
    return nullptr;
  }

 private:
  friend class internal::StructureChanges;

  // Like Remove, but keeps the empty place among the parts, and its couplings,
  // until CloseGaps. The part must live until then.
  std::unique_ptr<Model> TakeOut(const Model& part);
  void CloseGaps();

  void IndexParts();
  void IndexCouplings();

  // Sets all couplings.
  void RestoreCouplings(std::span<const Coupling> couplings);

  std::vector<std::unique_ptr<Model>> parts_;
  std::vector<Coupling> couplings_;
  internal::HashIndex part_of_name_;
  internal::HashIndex coupling_at_;
  SelectFunction select_;
};

/// Calls `function` with `root` and with each coupled model in it.
template <typename Function>
void ForEachCoupled(const Coupled& root, Function function) {
  std::vector<const Coupled*> left = {&root};
  while (!left.empty()) {
    const Coupled& coupled = *left.back();
    left.pop_back();
    function(coupled);
    for (const auto& part : coupled.parts()) {
      if (part->ops() == nullptr) {
        left.push_back(static_cast<const Coupled*>(part.get()));
      }
    }
  }
}

}  // namespace orrery::devs
