#include "orrery/modelica/session/connection_graph.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "orrery/modelica/session/instances.h"

namespace orrery::modelica::internal {

std::size_t ConnectionGraph::Add(const Component& component) {
  const auto [found, is_new] = index_.try_emplace(&component, nodes_.size());
  if (is_new) {
    nodes_.emplace_back();
    trees_.Add();
  }
  return found->second;
}

void ConnectionGraph::AddBranch(Component& a, Component& b) {
  const std::size_t first = Add(a);
  const std::size_t second = Add(b);
  trees_.Merge(first, second);
  nodes_[first].neighbours.push_back(second);
  nodes_[second].neighbours.push_back(first);
  nodes_[first].branches.push_back(second);
  nodes_[second].branches.push_back(first);
}

void ConnectionGraph::AddRoot(Component& a) {
  nodes_[Add(a)].is_root = true;
}

void ConnectionGraph::AddPotentialRoot(Component& a, std::int64_t priority) {
  potential_roots_.push_back(
      {.node = Add(a), .priority = priority, .depth = a.owner->depth});
}

void ConnectionGraph::AddConnection(Component& a,
                                    Component& b,
                                    std::function<void()> join,
                                    std::function<void()> constrain) {
  connections_.push_back({.a = Add(a),
                          .b = Add(b),
                          .join = std::move(join),
                          .constrain = std::move(constrain)});
}

void ConnectionGraph::Resolve() {
  // Trees of two roots must not be joined: together, roots are one tree.
  std::size_t first_root = nodes_.size();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_root) {
      first_root = std::min(first_root, i);
      trees_.Merge(first_root, i);
    }
  }
  for (const Connection& connection : connections_) {
    if (trees_.Merge(connection.a, connection.b)) {
      nodes_[connection.a].neighbours.push_back(connection.b);
      nodes_[connection.b].neighbours.push_back(connection.a);
      connection.join();
    } else {
      connection.constrain();
    }
  }
  ChooseRoots();
  MeasureDistances();
  is_resolved_ = true;
}

// The specification leaves open which of equal priorities is taken. Who builds
// a network of plants means the source beside them, not one of their inner
// parts.
void ConnectionGraph::ChooseRoots() {
  std::vector<bool> has_root(nodes_.size(), false);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_root) {
      has_root[trees_.Find(i)] = true;
    }
  }
  std::stable_sort(potential_roots_.begin(), potential_roots_.end());
  for (const PotentialRoot& candidate : potential_roots_) {
    const std::size_t set = trees_.Find(candidate.node);
    if (!has_root[set]) {
      has_root[set] = true;
      nodes_[candidate.node].is_root = true;
    }
  }
}

void ConnectionGraph::MeasureDistances() {
  std::deque<std::size_t> reached;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_root) {
      nodes_[i].distance = 1;
      reached.push_back(i);
    }
  }
  while (!reached.empty()) {
    const Node& node = nodes_[reached.front()];
    reached.pop_front();
    for (const std::size_t next : node.neighbours) {
      if (nodes_[next].distance == 0) {
        nodes_[next].distance = node.distance + 1;
        reached.push_back(next);
      }
    }
  }
}

bool ConnectionGraph::IsRoot(const Component& a) const {
  const auto found = index_.find(&a);
  return found != index_.end() && nodes_[found->second].is_root;
}

bool ConnectionGraph::IsRooted(const Component& a) const {
  const auto found = index_.find(&a);
  if (found == index_.end()) {
    return false;
  }
  const Node& node = nodes_[found->second];
  return std::ranges::all_of(node.branches, [&](std::size_t other) {
    return node.distance < nodes_[other].distance;
  });
}

}  // namespace orrery::modelica::internal
