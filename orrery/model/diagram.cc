#include "orrery/model/diagram.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/model/names.h"

namespace orrery {

namespace internal = model::internal;

namespace {

std::string Connecting(const PortEnd& from, const PortEnd& to) {
  return "cannot connect " + from.path() + " to " + to.path() + ": ";
}

[[noreturn]] void Fail(const std::string& message) {
  throw Error(ErrorCode::kInvalidModel, message);
}

std::uint32_t HashOf(std::string_view name) noexcept {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
}

/// The range of a port's elements in its block's vector y or u.
struct PartSlots {
  std::size_t first = 0;
  std::size_t count = 0;
};

PartSlots SlotsOf(const Block& block, const Diagram::End& end) {
  const std::span<const Declaration> quantities = block.quantities();
  std::int64_t first = 0;
  for (std::size_t i = 0; i < end.quantity; ++i) {
    first += quantities[i].kind == quantities[end.quantity].kind
                 ? NumElements(quantities[i].shape)
                 : 0;
  }
  if (end.element != Diagram::End::kWhole) {
    return {.first = static_cast<std::size_t>(first) + end.element, .count = 1};
  }
  return {.first = static_cast<std::size_t>(first),
          .count = static_cast<std::size_t>(
              NumElements(quantities[end.quantity].shape))};
}

std::string_view TypeName(ValueType type) noexcept {
  switch (type) {
    case ValueType::kBoolean:
      return "Boolean";
    case ValueType::kInteger:
      return "Integer";
    default:
      return "Real";
  }
}

Shape ShapeOf(const PortEnd& end) {
  return end.at().empty() ? end.port().shape() : Shape{};
}

}  // namespace

void Diagram::AddPart(const std::string& name, std::unique_ptr<Block>&& part) {
  const auto fail = [&](const std::string& why) {
    Fail("cannot add '" + name + "' to " + path() + ": " + why);
  };
  if (!internal::IsComponentName(name)) {
    fail(std::string("it is no name; ") + internal::kNameRule);
  }
  for (const Declaration& quantity : quantities()) {
    if (quantity.name == name) {
      fail("the diagram has " + std::string(KindName(quantity.kind)) +
           " of that name; rename one");
    }
  }
  const std::uint32_t hash = HashOf(name);
  if (2 * children_.size() >= names_.size()) {
    GrowNames();
  }
  NameSlot& slot = names_[SlotOf(name, hash)];
  if (slot.part != kNoPart) {
    fail("the diagram has a block of that name; rename one");
  }
  Adopt(*part, *this, name, children_.size());
  children_.push_back(std::move(part));
  slot = {.hash = hash,
          .part = static_cast<std::uint32_t>(children_.size() - 1)};
  wires_to_part_.emplace_back();
  Touch();
}

// The slot of the part with that name, or the free slot for it.
std::size_t Diagram::SlotOf(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = names_.size() - 1;
  std::size_t at = hash & mask;
  while (
      names_[at].part != kNoPart &&
      (names_[at].hash != hash || children_[names_[at].part]->name() != name)) {
    at = (at + 1) & mask;
  }
  return at;
}

bool Diagram::HasPart(std::string_view name) const {
  return !names_.empty() && names_[SlotOf(name, HashOf(name))].part != kNoPart;
}

void Diagram::GrowNames() {
  std::vector<NameSlot> grown(std::max<std::size_t>(8, 2 * names_.size()));
  const std::size_t mask = grown.size() - 1;
  for (const NameSlot& slot : names_) {
    if (slot.part != kNoPart) {
      std::size_t at = slot.hash & mask;
      while (grown[at].part != kNoPart) {
        at = (at + 1) & mask;
      }
      grown[at] = slot;
    }
  }
  names_ = std::move(grown);
}

std::string Diagram::FaultHere(const Declaration& declaration) const {
  if (declaration.kind != QuantityKind::kInput &&
      declaration.kind != QuantityKind::kOutput &&
      declaration.kind != QuantityKind::kClock) {
    return "a diagram has no equations that could use " +
           std::string(KindName(declaration.kind)) +
           "; put it in a block of the diagram";
  }
  return HasPart(declaration.name)
             ? "the diagram has a block of that name; rename one"
             : "";
}

Diagram::End Diagram::EndAt(const PortEnd& end,
                            const PortEnd& from,
                            const PortEnd& to) const {
  const Quantity& port = end.port();
  End place{.part = End::kSelf,
            .quantity = static_cast<std::uint32_t>(port.index())};
  if (!end.at().empty()) {
    const std::optional<std::size_t> element =
        internal::ElementAt(port.shape(), end.at());
    if (!element) {
      Fail(Connecting(from, to) + port.path() + " has the shape " +
           internal::ShapeText(port.shape()) + " and no such element; " +
           "subscripts count from 1, one for each dimension");
    }
    place.element = static_cast<std::uint32_t>(*element);
  }
  if (&port.owner() == this) {
    return place;
  }
  const Diagram* const parent = port.owner().parent();
  if (parent != this) {
    Fail(Connecting(from, to) + port.owner().path() +
         (parent == nullptr ? " is in no diagram"
                            : " is a part of " + parent->path()) +
         ", not of " + path() +
         "; connect ports of the diagram itself and of its direct parts");
  }
  place.part = static_cast<std::uint32_t>(port.owner().position());
  return place;
}

void Diagram::Connect(const PortEnd& from, const PortEnd& to) {
  const End source = EndAt(from, from, to);
  const End target = EndAt(to, from, to);
  const auto source_kind =
      source.part == End::kSelf ? QuantityKind::kInput : QuantityKind::kOutput;
  const auto target_kind =
      target.part == End::kSelf ? QuantityKind::kOutput : QuantityKind::kInput;
  const Declaration& source_port = from.port().declaration();
  const Declaration& target_port = to.port().declaration();
  if (source_port.kind != source_kind) {
    Fail(Connecting(from, to) + from.port().path() + " is " +
         std::string(KindName(source_port.kind)) +
         "; a connection starts at an output of a part or an input of the "
         "diagram itself");
  }
  if (target_port.kind != target_kind) {
    Fail(Connecting(from, to) + to.port().path() + " is " +
         std::string(KindName(target_port.kind)) +
         "; a connection ends at an input of a part or an output of the "
         "diagram itself");
  }
  if (ShapeOf(from) != ShapeOf(to)) {
    Fail(Connecting(from, to) + "their shapes are " +
         internal::ShapeText(ShapeOf(from)) + " and " +
         internal::ShapeText(ShapeOf(to)) + "; they must agree");
  }
  if (source_port.attributes->type != target_port.attributes->type) {
    Fail(Connecting(from, to) + "one is " +
         std::string(TypeName(source_port.attributes->type)) + ", the other " +
         std::string(TypeName(target_port.attributes->type)) +
         "; put a block between them that converts the signal");
  }
  if (const Wire* const other = WireTo(target)) {
    const Block& block = BlockAt(other->from);
    Fail(Connecting(from, to) + to.path() + " is already connected to " +
         block.path() + "." + block.quantities()[other->from.quantity].name +
         "; add the two up in a block first, or remove one");
  }
  std::vector<std::uint32_t>& places =
      target.part == End::kSelf ? wires_to_self_ : wires_to_part_[target.part];
  if (places.size() <= target.quantity) {
    places.resize(to.port().owner().quantities().size(), kNoWire);
  }
  next_wire_.push_back(places[target.quantity]);
  places[target.quantity] = static_cast<std::uint32_t>(wires_.size());
  wires_.push_back({.from = source, .to = target});
  Touch();
}

const Diagram::Wire* Diagram::WireTo(const End& to) const {
  std::span<const std::uint32_t> places;
  if (to.part == End::kSelf) {
    places = wires_to_self_;
  } else if (to.part < wires_to_part_.size()) {
    places = wires_to_part_[to.part];
  }
  const Wire* first = nullptr;
  std::uint32_t place =
      to.quantity < places.size() ? places[to.quantity] : kNoWire;
  for (; place != kNoWire; place = next_wire_[place]) {
    const std::uint32_t element = wires_[place].to.element;
    if (element == End::kWhole || to.element == End::kWhole ||
        element == to.element) {
      first = &wires_[place];
    }
  }
  return first;
}

const Block& Diagram::BlockAt(const End& end) const {
  if (end.part == End::kSelf) {
    return *this;
  }
  return *children_[end.part];
}

std::vector<Block*> Diagram::enumerate_leaf_blocks() const {
  std::vector<Block*> leaves;
  std::vector<const std::unique_ptr<Block>*> pending;  // Next one last.
  const auto push_children = [&pending](const Diagram& diagram) {
    for (std::size_t i = diagram.children_.size(); i-- > 0;) {
      pending.push_back(&diagram.children_[i]);
    }
  };
  push_children(*this);
  while (!pending.empty()) {
    Block& block = **pending.back();
    pending.pop_back();
    if (const Diagram* const diagram = block.AsDiagram()) {
      push_children(*diagram);
    } else {
      leaves.push_back(&block);
    }
  }
  return leaves;
}

std::vector<Diagram::InternalConnection>
Diagram::enumerate_internal_connections() const {
  std::vector<InternalConnection> connections;
  for (const auto& [from, to] : wires_) {
    if (from.part == End::kSelf || to.part == End::kSelf) {
      continue;
    }
    const PartSlots source = SlotsOf(BlockAt(from), from);
    const PartSlots target = SlotsOf(BlockAt(to), to);
    for (std::size_t i = 0; i < source.count; ++i) {
      connections.push_back({.source = &BlockAt(from),
                             .source_output = source.first + i,
                             .destination = &BlockAt(to),
                             .destination_input = target.first + i});
    }
  }
  return connections;
}

std::vector<Diagram::InputConnection> Diagram::enumerate_input_connections()
    const {
  std::vector<InputConnection> connections;
  for (const auto& [from, to] : wires_) {
    if (from.part != End::kSelf || to.part == End::kSelf) {
      continue;
    }
    const PartSlots source = SlotsOf(*this, from);
    const PartSlots target = SlotsOf(BlockAt(to), to);
    for (std::size_t i = 0; i < source.count; ++i) {
      connections.push_back({.input = source.first + i,
                             .destination = &BlockAt(to),
                             .destination_input = target.first + i});
    }
  }
  return connections;
}

std::vector<Diagram::OutputConnection> Diagram::enumerate_output_connections()
    const {
  std::vector<OutputConnection> connections;
  for (const auto& [from, to] : wires_) {
    if (from.part == End::kSelf || to.part != End::kSelf) {
      continue;
    }
    const PartSlots source = SlotsOf(BlockAt(from), from);
    const PartSlots target = SlotsOf(*this, to);
    for (std::size_t i = 0; i < source.count; ++i) {
      connections.push_back({.source = &BlockAt(from),
                             .source_output = source.first + i,
                             .output = target.first + i});
    }
  }
  return connections;
}

std::vector<Diagram::FeedthroughConnection>
Diagram::enumerate_feedthrough_connections() const {
  std::vector<FeedthroughConnection> connections;
  for (const auto& [from, to] : wires_) {
    if (from.part != End::kSelf || to.part != End::kSelf) {
      continue;
    }
    const PartSlots source = SlotsOf(*this, from);
    const PartSlots target = SlotsOf(*this, to);
    for (std::size_t i = 0; i < source.count; ++i) {
      connections.push_back(
          {.input = source.first + i, .output = target.first + i});
    }
  }
  return connections;
}

std::size_t Diagram::num_states() const {
  std::size_t count = 0;
  for (const Block* const leaf : enumerate_leaf_blocks()) {
    count += leaf->num_states();
  }
  return count;
}

std::size_t Diagram::num_events() const {
  std::size_t count = 0;
  for (const Block* const leaf : enumerate_leaf_blocks()) {
    count += leaf->num_events();
  }
  return count;
}

const Diagram* Diagram::AsDiagram() const noexcept {
  return this;
}

void Diagram::Equations(EquationSet& /*eq*/) {}

}  // namespace orrery
