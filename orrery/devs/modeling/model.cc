#include "orrery/devs/modeling/model.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/modeling/type_name.h"

namespace orrery::devs {

internal::Name::Name(std::string_view text) {
  if (text.size() < kSize) {
    std::ranges::copy(text, bytes_.begin());
    bytes_.back() = static_cast<char>(text.size());
    return;
  }
  char* const copy = new char[text.size() + 1]();
  std::ranges::copy(text, copy);
  std::memcpy(bytes_.data(), &copy, sizeof copy);
  bytes_.back() = kLong;
}

std::string internal::TypeName(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : type.name();
}

Port::Port(Model* owner,
           std::string_view name,
           PortDirection direction,
           const internal::MessageType& type)
    : direction_(direction), owner_(owner), type_(&type), name_(name) {
  // The owner has no name yet.
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot add a port '" + std::string(name) + "' to a " +
                    internal::TypeName(typeid(*owner)) + ": " + why);
  };
  if (name.empty() || name.find('.') != std::string_view::npos) {
    fail("a name has at least one character and no dot");
  }
  Port** end = &owner->first_port_;
  for (; *end != nullptr; end = &(*end)->next_) {
    if ((*end)->name() == name) {
      fail("it has a port of this name already; choose another");
    }
    index_ += (*end)->direction_ == direction ? 1U : 0U;
  }
  *end = this;
}

std::string Port::Path() const {
  return owner_->Path() + "." + std::string(name());
}

std::string Model::Path() const {
  std::vector<std::string_view> names;
  for (const Model* model = this; model != nullptr; model = model->parent_) {
    names.push_back(model->name().empty() ? "model" : model->name());
  }
  std::string path;
  std::for_each(names.rbegin(), names.rend(), [&](std::string_view name) {
    path += path.empty() ? "" : ".";
    path += name;
  });
  return path;
}

std::uint32_t Model::CountPorts(PortDirection direction) const {
  std::uint32_t count = 0;
  for (const Port* port = first_port_; port != nullptr; port = port->next()) {
    count += port->direction() == direction ? 1U : 0U;
  }
  return count;
}

const Port* Model::FindPort(std::string_view name) const {
  const Port* port = first_port_;
  while (port != nullptr && port->name() != name) {
    port = port->next();
  }
  return port;
}

}  // namespace orrery::devs
