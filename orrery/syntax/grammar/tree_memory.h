#pragma once

#include <memory>
#include <memory_resource>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// Puts the nodes of a tree into its memory, where they stay as they are.
class TreeMemory {
 public:
  explicit TreeMemory(std::pmr::memory_resource& memory) : memory_(memory) {}

  template <typename T>
  const T* New(T node) {
    static_assert(std::is_trivially_destructible_v<T>);
    void* place = memory_.allocate(sizeof(T), alignof(T));
    return ::new (place) T(std::move(node));
  }

  template <typename T>
  ast::List<T> Keep(const std::vector<T>& nodes) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (nodes.empty()) {
      return {};
    }
    std::pmr::polymorphic_allocator<T> allocator(&memory_);
    T* first = allocator.allocate(nodes.size());
    std::uninitialized_copy(nodes.begin(), nodes.end(), first);
    return {first, nodes.size()};
  }

 private:
  std::pmr::memory_resource& memory_;
};

}  // namespace orrery::modelica::internal
