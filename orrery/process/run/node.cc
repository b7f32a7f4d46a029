#include "orrery/process/run/node.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace orrery::process::internal {

Node& NodePool::New() {
  if (free_.empty()) {
    if (size_ % kChunk == 0) {
      chunks_.push_back(std::make_unique<Chunk>());
    }
    Node& node = (*this)[size_];
    node.index = size_++;
    return node;
  }
  Node& node = (*this)[free_.back()];
  free_.pop_back();
  return node;
}

NodePool::NodePool(const NodeTable& table) : free_(table.free) {
  for (const Node& node : table.nodes) {
    if (size_ % kChunk == 0) {
      chunks_.push_back(std::make_unique<Chunk>());
    }
    Node& copy = (*this)[size_++];
    copy = node;
    copy.frame = nullptr;
    copy.wait = nullptr;
    copy.handles = 0;
  }
}

void NodePool::OrderFree(const NodeTable& table) {
  free_.clear();
  for (std::uint32_t i = size_; i-- > table.nodes.size();) {
    if ((*this)[i].state == TaskState::kFree) {
      free_.push_back(i);
    }
  }
  for (const std::uint32_t index : table.free) {
    if ((*this)[index].state == TaskState::kFree) {
      free_.push_back(index);
    }
  }
}

NodeTable NodePool::table() const {
  NodeTable table{.nodes = {}, .free = free_};
  table.nodes.reserve(size_);
  for (std::uint32_t i = 0; i < size_; ++i) {
    table.nodes.push_back((*this)[i]);
  }
  return table;
}

}  // namespace orrery::process::internal
