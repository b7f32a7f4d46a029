#include "orrery/model/signal_map.h"

#include <algorithm>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/model/flat_model.h"
#include "orrery/model/names.h"

namespace orrery {

namespace internal = model::internal;

namespace {

/// All blocks of `top`, itself first, a diagram before its parts.
std::vector<const Block*> BlocksOf(const Diagram& top) {
  std::vector<const Block*> blocks;
  std::vector<const Block*> pending = {&top};  // Next one last.
  while (!pending.empty()) {
    const Block* const block = pending.back();
    pending.pop_back();
    blocks.push_back(block);
    if (const Diagram* const diagram = block->AsDiagram()) {
      const auto children = diagram->children();
      for (std::size_t i = children.size(); i-- > 0;) {
        pending.push_back(children[i].get());
      }
    }
  }
  return blocks;
}

/// The full name of an element of the vector y of a block.
std::string NameOf(const OutputOfBlock& port) {
  std::size_t first = 0;
  for (const Declaration& quantity : port.block->quantities()) {
    if (quantity.kind != QuantityKind::kOutput) {
      continue;
    }
    const auto count = static_cast<std::size_t>(NumElements(quantity.shape));
    if (port.output < first + count) {
      return port.block->path() + "." +
             ElementName(
                 quantity.name,
                 internal::SubscriptsOf(quantity.shape, port.output - first));
    }
    first += count;
  }
  return port.block->path();
}

}  // namespace

// SignalMap -----------------------------------------------------------------

SignalMap::SignalMap(const Diagram& top) {
  const std::vector<const Block*> blocks = BlocksOf(top);
  for (const Block* const block : blocks) {
    AddPorts(*block);
  }
  std::vector<std::size_t> source_of(signals_.size(), kUndefined);
  for (const Block* const block : blocks) {
    if (const Diagram* const diagram = block->AsDiagram()) {
      AddWires(*diagram, source_of);
    }
  }
  std::vector<bool> is_followed(signals_.size());
  for (std::size_t port = 0; port < signals_.size(); ++port) {
    Follow(port, source_of, is_followed);
  }
}

void SignalMap::AddPorts(const Block& block) {
  const Ports ports{.first_input = signals_.size(),
                    .first_output = signals_.size() + block.num_inputs(),
                    .num_inputs = block.num_inputs(),
                    .num_outputs = block.num_outputs(),
                    .first_state = num_states_,
                    .first_event = num_events_};
  ports_.emplace(&block, ports);
  signals_.resize(ports.first_output + ports.num_outputs, kUndefined);
  if (block.AsDiagram() == nullptr) {
    for (std::size_t i = 0; i < ports.num_outputs; ++i) {
      signals_[ports.first_output + i] = num_signals_++;
    }
    num_states_ += block.num_states();
    num_events_ += block.num_events();
  }
}

void SignalMap::AddWires(const Diagram& diagram,
                         std::vector<std::size_t>& source_of) {
  const Ports& own = ports_.at(&diagram);
  for (const auto& [source, output, target, input] :
       diagram.enumerate_internal_connections()) {
    source_of[ports_.at(target).first_input + input] =
        ports_.at(source).first_output + output;
  }
  for (const auto& [own_input, target, input] :
       diagram.enumerate_input_connections()) {
    source_of[ports_.at(target).first_input + input] =
        own.first_input + own_input;
  }
  for (const auto& [source, output, own_output] :
       diagram.enumerate_output_connections()) {
    source_of[own.first_output + own_output] =
        ports_.at(source).first_output + output;
  }
  for (const auto& [input, output] :
       diagram.enumerate_feedthrough_connections()) {
    source_of[own.first_output + output] = own.first_input + input;
  }
}

void SignalMap::Follow(std::size_t port,
                       const std::vector<std::size_t>& source_of,
                       std::vector<bool>& is_followed) {
  // Ports on the way get the result too, so that each is passed once. A ring
  // of wires without a block in it leads nowhere.
  std::vector<std::size_t> way;
  while (signals_[port] == kUndefined && source_of[port] != kUndefined &&
         !is_followed[port]) {
    is_followed[port] = true;
    way.push_back(port);
    port = source_of[port];
  }
  for (const std::size_t passed : way) {
    signals_[passed] = signals_[port];
  }
}

const SignalMap::Ports& SignalMap::PortsOf(const Block& block) const {
  const auto found = ports_.find(&block);
  if (found == ports_.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot find the signals of " + block.path() +
                    ": the map was made of another diagram, or before the "
                    "block was added");
  }
  return found->second;
}

std::size_t SignalMap::first_state(const Block& block) const {
  return PortsOf(block).first_state;
}

std::size_t SignalMap::first_event(const Block& block) const {
  return PortsOf(block).first_event;
}

std::optional<std::size_t> SignalMap::outmap(const Block& block,
                                             std::size_t output) const {
  const Ports& ports = PortsOf(block);
  if (output >= ports.num_outputs) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot find output " + std::to_string(output) + " of " +
                    block.path() + ": it has " +
                    std::to_string(ports.num_outputs) +
                    " outputs, numbered from 0");
  }
  return SignalAt(ports.first_output + output);
}

std::optional<std::size_t> SignalMap::inmap(const Block& block,
                                            std::size_t input) const {
  const Ports& ports = PortsOf(block);
  if (input >= ports.num_inputs) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot find input " + std::to_string(input) + " of " +
                    block.path() + ": it has " +
                    std::to_string(ports.num_inputs) +
                    " inputs, numbered from 0");
  }
  return SignalAt(ports.first_input + input);
}

std::optional<std::size_t> SignalMap::SignalAt(std::size_t port) const {
  if (signals_[port] == kUndefined) {
    return {};
  }
  return signals_[port];
}

// Execution order -----------------------------------------------------------

namespace {

/// The direct dependencies among the outputs of leaf blocks.
struct OutputGraph {
  std::vector<OutputOfBlock> outputs;               // By signal.
  std::vector<std::vector<std::size_t>> needs;      // By signal.
  std::vector<std::vector<std::size_t>> needed_by;  // By signal.
};

void AddNeeds(const OutputOfBlock& port,
              const SignalMap& map,
              OutputGraph& graph) {
  const std::size_t signal = graph.outputs.size();
  graph.outputs.push_back(port);
  for (const std::size_t input : port.block->feedthrough_inputs(port.output)) {
    if (const auto source = map.inmap(*port.block, input)) {
      graph.needs[signal].push_back(*source);
      graph.needed_by[*source].push_back(signal);
    }
  }
}

OutputGraph MakeGraph(const Diagram& top) {
  const SignalMap map(top);
  OutputGraph graph;
  graph.needs.resize(map.num_signals());
  graph.needed_by.resize(map.num_signals());
  for (Block* const leaf : top.enumerate_leaf_blocks()) {
    for (std::size_t output = 0; output < leaf->num_outputs(); ++output) {
      AddNeeds({.block = leaf, .output = output}, map, graph);
    }
  }
  return graph;
}

/// Follows unmet needs from any blocked output until one comes again.
std::string DescribeLoop(const OutputGraph& graph,
                         const std::vector<std::size_t>& missing) {
  const auto is_blocked = [&](std::size_t signal) {
    return missing[signal] > 0;
  };
  std::size_t signal = 0;
  while (!is_blocked(signal)) {
    ++signal;
  }
  std::vector<std::size_t> trail;  // Each needs the next.
  std::vector<std::size_t> place(missing.size(), SIZE_MAX);
  while (place[signal] == SIZE_MAX) {
    place[signal] = trail.size();
    trail.push_back(signal);
    signal = *std::ranges::find_if(graph.needs[signal], is_blocked);
  }
  std::string members;
  for (std::size_t i = trail.size(); i-- > place[signal];) {
    members +=
        (members.empty() ? "" : " -> ") + NameOf(graph.outputs[trail[i]]);
  }
  return members;
}

}  // namespace

std::vector<OutputOfBlock> ExecutionOrder(const Diagram& top) {
  const OutputGraph graph = MakeGraph(top);
  std::vector<std::size_t> missing;
  std::vector<std::size_t> order;
  for (std::size_t signal = 0; signal < graph.outputs.size(); ++signal) {
    missing.push_back(graph.needs[signal].size());
    if (missing.back() == 0) {
      order.push_back(signal);
    }
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (const std::size_t target : graph.needed_by[order[next]]) {
      if (--missing[target] == 0) {
        order.push_back(target);
      }
    }
  }
  if (order.size() < graph.outputs.size()) {
    throw Error(ErrorCode::kUnsupported,
                "cannot order the blocks of " + top.path() +
                    ": they form an algebraic loop (" +
                    DescribeLoop(graph, missing) +
                    "); compile the model to have it solved");
  }
  std::vector<OutputOfBlock> result;
  result.reserve(order.size());
  for (const std::size_t signal : order) {
    result.push_back(graph.outputs[signal]);
  }
  return result;
}

}  // namespace orrery
