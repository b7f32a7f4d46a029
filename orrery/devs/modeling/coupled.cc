#include "orrery/devs/modeling/coupled.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "orrery/base/error.h"
#include "orrery/devs/modeling/type_name.h"

namespace orrery::devs {
namespace {

std::size_t HashOf(const Coupling& coupling) {
  // Addresses of neighbours have similar low bits.
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
  if (part == nullptr) {
    fail("there is no model; give one");
  }
  if (FindPart(name) != nullptr) {
    fail("it has a part of this name already; choose another");
  }
  part->name_ = internal::Name(name);
  part->parent_ = this;
  part->position_ = static_cast<std::uint32_t>(parts_.size());
  parts_.push_back(std::move(part));
  IndexParts();
}

void Coupled::IndexParts() {
  while (part_of_name_.size() < parts_.size()) {
    part_of_name_.Add([&](std::uint32_t i) {
      return parts_[i] == nullptr
                 ? i
                 : std::hash<std::string_view>()(parts_[i]->name());
    });
  }
}

void Coupled::IndexCouplings() {
  while (coupling_at_.size() < couplings_.size()) {
    coupling_at_.Add([&](std::uint32_t i) { return HashOf(couplings_[i]); });
  }
}

const Model* Coupled::FindPart(std::string_view name) const {
  const std::uint32_t found = part_of_name_.Find(
      std::hash<std::string_view>()(name), [&](std::uint32_t i) {
        return parts_[i] != nullptr && parts_[i]->name() == name;
      });
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
  // An input of the model itself is a source of messages to its parts.
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
  IndexCouplings();
}

void Coupled::Uncouple(const Port& from, const Port& to) {
  const auto removed =
      std::erase(couplings_, Coupling{.from = &from, .to = &to});
  if (removed == 0) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot uncouple " + from.Path() + " from " + to.Path() +
                    ": they are not coupled in " + Path());
  }
  coupling_at_ = {};
  IndexCouplings();
}

void Coupled::RestoreCouplings(std::span<const Coupling> couplings) {
  couplings_.assign(couplings.begin(), couplings.end());
  coupling_at_ = {};
  IndexCouplings();
}

std::unique_ptr<Model> Coupled::Remove(const Model& part) {
  std::unique_ptr<Model> removed = TakeOut(part);
  CloseGaps();
  return removed;
}

std::unique_ptr<Model> Coupled::TakeOut(const Model& part) {
  if (part.parent() != this) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot remove " + part.Path() + " from " + Path() +
                    ": it is no part of it");
  }
  std::unique_ptr<Model> removed = std::move(parts_[part.position()]);
  removed->parent_ = nullptr;
  return removed;
}

void Coupled::CloseGaps() {
  const auto is_here = [&](const Port& port) {
    return &port.owner() == this || port.owner().parent() == this;
  };
  std::erase_if(couplings_, [&](const Coupling& coupling) {
    return !is_here(*coupling.from) || !is_here(*coupling.to);
  });
  std::erase(parts_, nullptr);
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    parts_[i]->position_ = i;
  }
  part_of_name_ = {};
  coupling_at_ = {};
  IndexParts();
  IndexCouplings();
}

void Coupled::SetPriority(std::span<const Model* const> parts) {
  // By part, as a removal changes positions.
  std::unordered_map<const Model*, std::size_t> rank;
  for (const Model* part : parts) {
    if (part->parent() != this) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot give " + part->Path() + " a priority in " + Path() +
                      ": it is no part of it; list its parts");
    }
    if (!rank.emplace(part, rank.size()).second) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot give " + part->Path() +
                      " two priorities: it is listed twice; list it once");
    }
  }
  select_ = [rank = std::move(rank)](
                std::span<const Model* const> imminent) -> const Model& {
    return **std::ranges::min_element(imminent, {}, [&](const Model* part) {
      const auto found = rank.find(part);
      return found == rank.end() ? rank.size() : found->second;
    });
  };
}

}  // namespace orrery::devs
