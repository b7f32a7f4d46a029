#include "orrery/devs/coupled.h"

#include <algorithm>
#include <functional>

#include "orrery/base/error.h"
#include "orrery/devs/internal/type_name.h"

namespace orrery::devs {
namespace {

std::size_t HashOf(const Coupling& coupling) {
  // Of neighbours in memory the low bits are alike.
  const auto mix = [](const Port* port) {
    return reinterpret_cast<std::uintptr_t>(port) * 0x9E3779B97F4A7C15U;
  };
  return (mix(coupling.from) + (mix(coupling.to) >> 7U)) >> 20U;
}

std::string Describe(const Port& port) {
  return (port.direction() == PortDirection::kIn ? "input " : "output ") +
         port.Path();
}

}  // namespace

Coupled::Coupled(std::string_view name) {
  name_ = internal::Name(name);
}

void Coupled::Adopt(std::string_view name, std::unique_ptr<Model> part) {
  const auto fail = [&](const std::string& why) {
    throw Error(
        ErrorCode::kInvalidModel,
        "cannot add '" + std::string(name) + "' to " + Path() + ": " + why);
  };
  if (name.empty() || name.find('.') != std::string_view::npos) {
    fail("a name has at least one character and no dot");
  }
  if (FindPart(name) != nullptr) {
    fail("it has a part of this name already; choose another");
  }
  const auto hash_of = [&](std::uint32_t i) {
    return std::hash<std::string_view>()(parts_[i]->name());
  };
  part->name_ = internal::Name(name);
  part->parent_ = this;
  part->position_ = static_cast<std::uint32_t>(parts_.size());
  parts_.push_back(std::move(part));
  part_of_name_.Add(hash_of);
}

const Model* Coupled::FindPart(std::string_view name) const {
  const std::uint32_t found = part_of_name_.Find(
      std::hash<std::string_view>()(name),
      [&](std::uint32_t i) { return parts_[i]->name() == name; });
  return found == internal::HashIndex::kNone ? nullptr : parts_[found].get();
}

void Coupled::Couple(const Port& from, const Port& to) {
  const auto fail = [&](const std::string& why) {
    throw Error(
        ErrorCode::kInvalidModel,
        "cannot couple " + from.Path() + " to " + to.Path() + ": " + why);
  };
  const auto check_owner = [&](const Port& port) {
    if (&port.owner() != this && port.owner().parent() != this) {
      fail(port.Path() + " belongs neither to " + Path() +
           " nor to one of its parts; couple it where its model is a part");
    }
  };
  check_owner(from);
  check_owner(to);
  const bool from_self = &from.owner() == this;
  const bool to_self = &to.owner() == this;
  if (from_self && to_self) {
    fail("nothing lies between; give the model a part that passes messages on");
  }
  if (&from.owner() == &to.owner()) {
    fail(
        "a model is not coupled to itself; change its state in its own "
        "transitions");
  }
  // Inside, an input of the model itself is a source.
  if ((from.direction() == PortDirection::kIn) != from_self) {
    fail("messages do not leave by the " + Describe(from) +
         "; name an output of a part or an input of " + Path() + " first");
  }
  if ((to.direction() == PortDirection::kOut) != to_self) {
    fail("messages do not arrive at the " + Describe(to) +
         "; name an input of a part or an output of " + Path() + " second");
  }
  if (*from.type().type != *to.type().type) {
    fail("one sends " + internal::TypeName(*from.type().type) +
         ", the other takes " + internal::TypeName(*to.type().type) +
         "; couple ports of one type, or put a part between that converts");
  }
  const Coupling coupling{.from = &from, .to = &to};
  const auto is_equal = [&](std::uint32_t i) {
    return couplings_[i] == coupling;
  };
  if (coupling_at_.Find(HashOf(coupling), is_equal) !=
      internal::HashIndex::kNone) {
    fail("they are coupled already; once is enough");
  }
  couplings_.push_back(coupling);
  coupling_at_.Add([&](std::uint32_t i) { return HashOf(couplings_[i]); });
}

void Coupled::SetPriority(std::span<const Model* const> parts) {
  std::vector<std::uint32_t> rank(parts_.size(),
                                  static_cast<std::uint32_t>(parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i]->parent() != this) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot give " + parts[i]->Path() + " a priority in " +
                      Path() + ": it is no part of it; list its parts");
    }
    std::uint32_t& of_part = rank[parts[i]->position()];
    if (of_part != parts.size()) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot give " + parts[i]->Path() +
                      " two priorities: it is listed twice; list it once");
    }
    of_part = static_cast<std::uint32_t>(i);
  }
  select_ = [rank = std::move(rank)](
                std::span<const Model* const> imminent) -> const Model& {
    const auto rank_of = [&](const Model* part) {
      const std::uint32_t at = part->position();
      return at < rank.size() ? rank[at] : rank.size();
    };
    return **std::ranges::min_element(imminent, {}, rank_of);
  };
}

}  // namespace orrery::devs
