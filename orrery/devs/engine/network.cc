#include "orrery/devs/engine/network.h"

#include <algorithm>
#include <numeric>

#include "orrery/base/error.h"
#include "orrery/devs/modeling/hash_index.h"

namespace orrery::devs::internal {

/// Walks the hierarchy, finds the source of each port, and keeps the lists that
/// are needed.
class NetworkBuilder {
 public:
  explicit NetworkBuilder(Network& network) : net_(network) {}

  void Build() {
    NumberModels();
    NumberPorts();
    CollectCouplings();
    FindSources();
    TakeSources();
    CountUses();
    NumberLists();
    CollectReceivers();
    CollectPlaces();
  }

 private:
  static constexpr std::uint32_t kNothing = Network::kNothing;

  // First ports of one model: inputs, then outputs.
  struct Ports {
    std::uint32_t first_input = 0;
    std::uint32_t first_output = 0;
  };

  void NumberModels();
  void NumberPorts();
  void CollectCouplings();
  void FindSources();
  std::uint32_t FindSource(std::uint32_t port);
  std::uint32_t AddList(std::span<const std::uint32_t> items);
  void TakeSources();
  void CountUses();
  void NumberLists();
  void CollectReceivers();
  void CollectPlaces();
  std::uint32_t FindOnlyReceiver(std::uint32_t list,
                                 std::span<const std::uint32_t> sources);
  template <typename Item, typename ForEach>
  std::vector<Item> SortBySource(std::uint32_t Network::Route::*first,
                                 ForEach for_each);
  void Expand(std::uint32_t list, std::vector<std::uint32_t>& sources) const;

  [[nodiscard]] std::uint32_t IdOf(std::uint32_t node, const Port& port) const {
    return port.index() + (port.direction() == PortDirection::kIn
                               ? ports_[node].first_input
                               : ports_[node].first_output);
  }

  // The id of a port in a coupling of coupled model `node`.
  [[nodiscard]] std::uint32_t IdInside(std::uint32_t node,
                                       const Port& port) const {
    const Model& owner = port.owner();
    return &owner == models_[node]
               ? IdOf(node, port)
               : IdOf(net_.part_nodes_[net_.place_[node] + owner.position()],
                      port);
  }

  [[nodiscard]] bool IsAtomic(std::uint32_t node) const {
    return models_[node]->ops() != nullptr;
  }

  [[nodiscard]] const Coupled& AsCoupled(std::uint32_t node) const {
    return static_cast<const Coupled&>(*models_[node]);
  }

  [[nodiscard]] bool IsList(std::uint32_t source) const {
    return source != kNothing && source >= net_.num_outputs_;
  }

  [[nodiscard]] std::span<const std::uint32_t> ItemsOf(
      std::uint32_t list) const {
    return std::span(items_).subspan(first_item_[list],
                                     first_item_[list + 1] - first_item_[list]);
  }

  // True if the items of the list can stand directly in the only list it is in.
  [[nodiscard]] bool IsInlined(std::uint32_t list) const {
    return num_inputs_of_[list] == 0 && num_lists_of_[list] == 1;
  }

  [[nodiscard]] std::uint32_t Renumbered(std::uint32_t source) const {
    return IsList(source)
               ? net_.num_outputs_ + number_of_[source - net_.num_outputs_]
               : source;
  }

  Network& net_;
  std::vector<const Model*> models_;  // By node.
  std::vector<Ports> ports_;          // By node, and one more.
  // For each port: the ports coupled to it, upstream.
  std::vector<std::uint32_t> first_coupled_;
  std::vector<std::uint32_t> coupled_;
  std::vector<std::uint32_t> source_of_port_;
  // Lists in the order in which they are found: after the lists in them.
  std::vector<std::uint32_t> first_item_ = {0};
  std::vector<std::uint32_t> items_;
  HashIndex list_of_items_;
  // Number of inputs that a list reaches.
  std::vector<std::uint32_t> num_inputs_of_;
  // Number of lists that a list is in.
  std::vector<std::uint32_t> num_lists_of_;
  std::vector<std::uint32_t> number_of_;  // New number of a list that is kept.
  std::vector<std::uint32_t> kept_;
};

Network::Network(const Coupled& root) : root_(&root) {
  NetworkBuilder(*this).Build();
}

void NetworkBuilder::NumberModels() {
  struct Level {
    std::uint32_t node;
    std::uint32_t next_part;
  };

  std::vector<Level> path;
  const auto enter = [&](const Model& model) {
    const auto node = static_cast<std::uint32_t>(models_.size());
    models_.push_back(&model);
    if (model.ops() != nullptr) {
      net_.place_.push_back(static_cast<std::uint32_t>(net_.atomics_.size()));
      net_.atomics_.push_back(&model);
      return node;
    }
    net_.place_.push_back(static_cast<std::uint32_t>(net_.part_nodes_.size()));
    net_.part_nodes_.resize(net_.part_nodes_.size() +
                            AsCoupled(node).parts().size());
    path.push_back({.node = node, .next_part = 0});
    return node;
  };
  enter(*net_.root_);
  while (!path.empty()) {
    Level& level = path.back();
    const auto parts = AsCoupled(level.node).parts();
    if (level.next_part == parts.size()) {
      path.pop_back();
      continue;
    }
    const std::uint32_t part = level.next_part++;
    const std::uint32_t at = net_.place_[level.node] + part;
    net_.part_nodes_[at] = enter(*parts[part]);
  }
}

void NetworkBuilder::NumberPorts() {
  std::uint32_t next = 0;
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  ports_.reserve(models_.size() + 1);
  net_.first_input_.reserve(net_.atomics_.size() + 1);
  net_.first_output_.reserve(net_.atomics_.size() + 1);
  for (std::uint32_t node = 0; node < models_.size(); ++node) {
    const std::uint32_t ins = models_[node]->CountPorts(PortDirection::kIn);
    const std::uint32_t outs = models_[node]->CountPorts(PortDirection::kOut);
    ports_.push_back({.first_input = next, .first_output = next + ins});
    next += ins + outs;
    if (IsAtomic(node)) {
      net_.first_input_.push_back(inputs);
      net_.first_output_.push_back(outputs);
      inputs += ins;
      outputs += outs;
    }
  }
  net_.first_input_.push_back(inputs);
  net_.first_output_.push_back(outputs);
  ports_.push_back({.first_input = next, .first_output = next});
}

void NetworkBuilder::CollectCouplings() {
  const auto for_each = [&](auto function) {
    for (std::uint32_t node = 0; node < models_.size(); ++node) {
      if (IsAtomic(node)) {
        continue;
      }
      for (const Coupling& coupling : AsCoupled(node).couplings()) {
        function(IdInside(node, *coupling.from), IdInside(node, *coupling.to));
      }
    }
  };
  first_coupled_.assign(ports_.back().first_input + 1, 0);
  for_each([&](std::uint32_t, std::uint32_t to) { ++first_coupled_[to]; });
  std::uint32_t sum = 0;
  for (std::uint32_t& first : first_coupled_) {
    sum += first;
    first = sum;
  }
  coupled_.resize(sum);
  // Filled from the end, so that each port's list ends at its beginning.
  for_each([&](std::uint32_t from, std::uint32_t to) {
    coupled_[--first_coupled_[to]] = from;
  });
  for (std::size_t port = 0; port + 1 < first_coupled_.size(); ++port) {
    std::reverse(coupled_.begin() + first_coupled_[port],
                 coupled_.begin() + first_coupled_[port + 1]);
  }
}

// Two sweeps: outputs of coupled models depend on their parts, inputs on the
// model around.
void NetworkBuilder::FindSources() {
  const std::uint32_t first_entry = net_.first_output_.back();
  net_.num_outputs_ = first_entry + ports_[0].first_output;
  source_of_port_.assign(ports_.back().first_input, kNothing);
  const auto num_nodes = static_cast<std::uint32_t>(models_.size());
  for (std::uint32_t node = num_nodes; node-- > 0;) {
    const std::uint32_t end = ports_[node + 1].first_input;
    for (std::uint32_t port = ports_[node].first_output; port < end; ++port) {
      source_of_port_[port] = IsAtomic(node)
                                  ? net_.first_output_[net_.place_[node]] +
                                        port - ports_[node].first_output
                                  : FindSource(port);
    }
  }
  for (std::uint32_t port = 0; port < ports_[0].first_output; ++port) {
    source_of_port_[port] = first_entry + port;
  }
  for (std::uint32_t node = 1; node < num_nodes; ++node) {
    const std::uint32_t end = ports_[node].first_output;
    for (std::uint32_t port = ports_[node].first_input; port < end; ++port) {
      source_of_port_[port] = FindSource(port);
    }
  }
}

std::uint32_t NetworkBuilder::FindSource(std::uint32_t port) {
  const std::size_t begin = items_.size();
  for (std::uint32_t i = first_coupled_[port]; i < first_coupled_[port + 1];
       ++i) {
    if (source_of_port_[coupled_[i]] != kNothing) {
      items_.push_back(source_of_port_[coupled_[i]]);
    }
  }
  const auto items = std::span(items_).subspan(begin);
  const std::uint32_t first = items.empty() ? kNothing : items.front();
  const std::uint32_t source = items.size() < 2 ? first : AddList(items);
  items_.resize(first_item_.back());
  return source;
}

// Makes a list of the last items, or finds an equal one.
std::uint32_t NetworkBuilder::AddList(std::span<const std::uint32_t> items) {
  const auto hash_of = [](std::span<const std::uint32_t> values) {
    std::size_t hash = values.size();
    for (const std::uint32_t value : values) {
      hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 32U;
    }
    return hash;
  };
  std::uint32_t list =
      list_of_items_.Find(hash_of(items), [&](std::uint32_t known) {
        return std::ranges::equal(ItemsOf(known), items);
      });
  if (list == HashIndex::kNone) {
    list = list_of_items_.size();
    first_item_.push_back(static_cast<std::uint32_t>(items_.size()));
    list_of_items_.Add(
        [&](std::uint32_t known) { return hash_of(ItemsOf(known)); });
  }
  return net_.num_outputs_ + list;
}

void NetworkBuilder::TakeSources() {
  net_.source_of_input_.reserve(net_.first_input_.back());
  for (std::uint32_t node = 0; node < models_.size(); ++node) {
    if (IsAtomic(node)) {
      net_.source_of_input_.insert(
          net_.source_of_input_.end(),
          source_of_port_.begin() + ports_[node].first_input,
          source_of_port_.begin() + ports_[node].first_output);
    }
  }
  net_.source_of_exit_.assign(source_of_port_.begin() + ports_[0].first_output,
                              source_of_port_.begin() + ports_[1].first_input);
}

void NetworkBuilder::CountUses() {
  num_inputs_of_.resize(first_item_.size() - 1);
  num_lists_of_.resize(num_inputs_of_.size());
  for (const auto* sources : {&net_.source_of_input_, &net_.source_of_exit_}) {
    for (const std::uint32_t source : *sources) {
      if (IsList(source)) {
        ++num_inputs_of_[source - net_.num_outputs_];
      }
    }
  }
  for (auto list = static_cast<std::uint32_t>(num_inputs_of_.size());
       list-- > 0;) {
    if (num_inputs_of_[list] + num_lists_of_[list] == 0) {
      continue;
    }
    for (const std::uint32_t item : ItemsOf(list)) {
      if (IsList(item)) {
        ++num_lists_of_[item - net_.num_outputs_];
      }
    }
  }
}

// Keeps the lists that reach something and are not inlined.
void NetworkBuilder::NumberLists() {
  number_of_.resize(num_inputs_of_.size());
  for (std::uint32_t list = 0; list < number_of_.size(); ++list) {
    if (num_inputs_of_[list] + num_lists_of_[list] > 0 && !IsInlined(list)) {
      number_of_[list] = static_cast<std::uint32_t>(kept_.size());
      kept_.push_back(list);
    }
  }
  for (auto* sources : {&net_.source_of_input_, &net_.source_of_exit_}) {
    for (std::uint32_t& source : *sources) {
      source = Renumbered(source);
    }
  }
}

// Sorts the items of `for_each`, each with its source, by source. `first` is
// the member of the routes for the begin of a source's items.
template <typename Item, typename ForEach>
std::vector<Item> NetworkBuilder::SortBySource(
    std::uint32_t Network::Route::*first, ForEach for_each) {
  std::vector<std::uint32_t> next(net_.routes_.size());
  for_each([&](std::uint32_t source, const Item&) { ++next[source + 1]; });
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::size_t source = 0; source < next.size(); ++source) {
    net_.routes_[source].*first = next[source];
  }
  std::vector<Item> sorted(next.back());
  for_each([&](std::uint32_t source, const Item& item) {
    sorted[next[source]++] = item;
  });
  return sorted;
}

void NetworkBuilder::CollectReceivers() {
  net_.routes_.assign(net_.num_outputs_ + kept_.size() + 1, {});
  net_.receivers_ = SortBySource<std::uint32_t>(
      &Network::Route::first_receiver, [this](auto function) {
        std::uint32_t atomic = 0;
        for (std::uint32_t i = 0; i < net_.source_of_input_.size(); ++i) {
          while (net_.first_input_[atomic + 1] <= i) {
            ++atomic;
          }
          if (net_.source_of_input_[i] != kNothing) {
            function(net_.source_of_input_[i], atomic);
          }
        }
      });
}

void NetworkBuilder::CollectPlaces() {
  std::vector<std::uint32_t> sources;
  net_.level_of_list_.assign(kept_.size(), 0);
  net_.places_ = SortBySource<Network::Place>(
      &Network::Route::first_place, [&](auto function) {
        for (std::uint32_t list = 0; list < kept_.size(); ++list) {
          sources.clear();
          Expand(kept_[list], sources);
          const std::uint32_t receiver = FindOnlyReceiver(list, sources);
          for (std::uint32_t i = 0; i < sources.size(); ++i) {
            function(sources[i],
                     {.list = list, .position = i, .receiver = receiver});
          }
        }
      });
}

// Also sets the level of a list of these sources.
std::uint32_t NetworkBuilder::FindOnlyReceiver(
    std::uint32_t list, std::span<const std::uint32_t> sources) {
  const auto receivers = net_.receivers(net_.num_outputs_ + list);
  std::uint32_t& level = net_.level_of_list_[list];
  if (num_lists_of_[kept_[list]] == 0 && receivers.size() < 2) {
    level = 0;
    return receivers.empty() ? kNothing : receivers.front();
  }
  level = 1;
  for (const std::uint32_t source : sources) {
    if (IsList(source)) {
      level =
          std::max(level, net_.level_of_list_[source - net_.num_outputs_] + 1);
    }
  }
  return kNothing;
}

// The sources in a list, with inlined lists replaced by their sources.
void NetworkBuilder::Expand(std::uint32_t list,
                            std::vector<std::uint32_t>& sources) const {
  std::vector<std::span<const std::uint32_t>> left = {ItemsOf(list)};
  while (!left.empty()) {
    if (left.back().empty()) {
      left.pop_back();
      continue;
    }
    const std::uint32_t item = left.back().front();
    left.back() = left.back().subspan(1);
    if (IsList(item) && IsInlined(item - net_.num_outputs_)) {
      left.push_back(ItemsOf(item - net_.num_outputs_));
    } else {
      sources.push_back(Renumbered(item));
    }
  }
}

std::uint32_t Network::NumberOf(const Model& model) const {
  std::vector<std::uint32_t> positions;
  const Model* at = &model;
  for (; at->parent() != nullptr && at != root_; at = at->parent()) {
    positions.push_back(at->position());
  }
  if (at != root_ || model.ops() == nullptr) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "cannot find " + model.Path() + " in a run of " + root_->Path() +
            ": it is no atomic model of it; give one that was added to it or "
            "its parts");
  }
  std::uint32_t node = 0;
  std::ranges::reverse(positions);
  for (const std::uint32_t position : positions) {
    node = part_nodes_[place_[node] + position];
  }
  return place_[node];
}

}  // namespace orrery::devs::internal
