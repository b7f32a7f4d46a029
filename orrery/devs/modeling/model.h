#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "orrery/base/time.h"
#include "orrery/devs/modeling/name.h"
#include "orrery/devs/modeling/port.h"

namespace orrery::devs {

class Coupled;

namespace internal {
struct AtomicOps;
}  // namespace internal

/// The time advance of a passive state, which only an input ends.
inline constexpr Duration kPassive = Duration::max();

/// An atomic or coupled DEVS model, without the state of a run. One model
/// serves many runs at once.
class Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  [[nodiscard]] std::string_view name() const noexcept { return name_.view(); }

  /// The model it is a part of; null for the outermost.
  [[nodiscard]] const Coupled* parent() const noexcept { return parent_; }

  /// Its number among the parts of its parent.
  [[nodiscard]] std::uint32_t position() const noexcept { return position_; }

  /// The names from the outermost model to this one: "line.cpu".
  [[nodiscard]] std::string Path() const;

  /// The first of its ports in the order of construction, or null.
  [[nodiscard]] const Port* first_port() const noexcept { return first_port_; }

  [[nodiscard]] std::uint32_t CountPorts(PortDirection direction) const;

  /// The port of that name, or null.
  [[nodiscard]] const Port* FindPort(std::string_view name) const;

  /// The functions for the engine; null for a coupled model.
  [[nodiscard]] virtual const internal::AtomicOps* ops() const noexcept = 0;

 protected:
  Model() = default;

 private:
  friend class Coupled;
  friend class Port;

  internal::Name name_;
  const Coupled* parent_ = nullptr;
  Port* first_port_ = nullptr;
  std::uint32_t position_ = 0;
};

namespace internal {

/// Refuses `class B : public Atomic<A>`, which would call functions of A.
template <typename M>
constexpr void CheckBase() {
  if constexpr (requires { typename M::Functions; }) {
    static_assert(std::derived_from<M, typename M::Functions>,
                  "a class M is to be derived from Atomic<M>, and this one is "
                  "derived from Atomic of another");
  }
}

}  // namespace internal

}  // namespace orrery::devs
