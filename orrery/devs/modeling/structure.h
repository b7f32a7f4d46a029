#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/devs/modeling/coupled.h"

namespace orrery::devs {

/// Changes of the coupled model around a model, which the model may ask for in
/// its transitions. They are carried out at the end of the instant: in the
/// order of requests of one model, and of the declaration of several models.
/// Barros, "Modeling formalisms for dynamic structure systems", ACM Trans.
/// Model. Comput. Simul. 7 (1997) 501.
///
/// A change that cannot be carried out ends the run with the reason.
class Structure {
 public:
  Structure() = default;
  virtual ~Structure() = default;
  Structure(const Structure&) = delete;
  Structure& operator=(const Structure&) = delete;

  /// The coupled model around, as it is in this instant.
  [[nodiscard]] virtual const Coupled& around() const = 0;

  /// Makes a part, which starts at the end of the instant. The result can be
  /// coupled at once.
  template <std::derived_from<Model> M, typename... Arguments>
  M& Add(std::string_view name, Arguments&&... arguments) {
    internal::CheckBase<M>();
    auto part = std::make_unique<M>(std::forward<Arguments>(arguments)...);
    M& result = *part;
    AddPart(name, std::move(part));
    return result;
  }

  /// Removes a part with its couplings; it may be the calling model.
  virtual void Remove(const Model& part) = 0;

  virtual void Couple(const Port& from, const Port& to) = 0;
  virtual void Uncouple(const Port& from, const Port& to) = 0;

 private:
  virtual void AddPart(std::string_view name, std::unique_ptr<Model> part) = 0;
};

}  // namespace orrery::devs
