#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <typeinfo>

#include "orrery/base/values/record.h"
#include "orrery/devs/modeling/name.h"

namespace orrery::devs {

class Model;

namespace internal {

/// The type of the messages of a port, for an engine.
struct MessageType {
  const std::type_info* type;
  std::size_t size;
  /// Adds a message to a record; null if the type cannot be recorded.
  void (*describe)(const void* message, std::string_view name, Record&);
};

template <typename T>
constexpr MessageType MakeMessageType() {
  MessageType result{
      .type = &typeid(T), .size = sizeof(T), .describe = nullptr};
  if constexpr (Record::Takes<T>()) {
    result.describe =
        [](const void* message, std::string_view name, Record& record) {
          record.Add(name, *static_cast<const T*>(message));
        };
  }
  return result;
}

template <typename T>
inline constexpr MessageType kMessageType = MakeMessageType<T>();

}  // namespace internal

enum class PortDirection : std::uint8_t { kIn, kOut };

/// An input or output of a model, for messages of one type. A port is a member
/// of its model and registers with it.
class Port {
 public:
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  [[nodiscard]] std::string_view name() const noexcept { return name_.view(); }

  [[nodiscard]] const Model& owner() const noexcept { return *owner_; }

  [[nodiscard]] PortDirection direction() const noexcept { return direction_; }

  /// Its number among the owner's ports of its direction, from 0, in the order
  /// of their construction.
  [[nodiscard]] std::uint32_t index() const noexcept { return index_; }

  /// The type of its messages.
  [[nodiscard]] const internal::MessageType& type() const noexcept {
    return *type_;
  }

  /// The next port of the owner in the order of construction, or null.
  [[nodiscard]] const Port* next() const noexcept { return next_; }

  /// Its full name, as "line.cpu.in".
  [[nodiscard]] std::string Path() const;

 protected:
  /// @throws Error kInvalidModel if the owner has a port of this name, or the
  ///     name is empty or has a dot.
  Port(Model* owner,
       std::string_view name,
       PortDirection direction,
       const internal::MessageType& type);
  ~Port() = default;

 private:
  std::uint32_t index_ = 0;
  PortDirection direction_;
  Model* owner_;
  Port* next_ = nullptr;
  const internal::MessageType* type_;
  internal::Name name_;
};

/// An input port: `devs::In<Job> in{this, "in"};`.
template <typename T>
class In : public Port {
 public:
  In(Model* owner, std::string_view name)
      : Port(owner, name, PortDirection::kIn, internal::kMessageType<T>) {}
};

/// An output port.
template <typename T>
class Out : public Port {
 public:
  Out(Model* owner, std::string_view name)
      : Port(owner, name, PortDirection::kOut, internal::kMessageType<T>) {}
};

}  // namespace orrery::devs
