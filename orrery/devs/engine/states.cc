#include "orrery/devs/engine/states.h"

#include <algorithm>
#include <utility>

namespace orrery::devs::internal {
namespace {

constexpr std::size_t kChunkSize = 65'536;

}  // namespace

States::~States() {
  for (const Kept& kept : kept_) {
    kept.destroy(kept.state);
  }
}

States& States::operator=(States&& other) noexcept {
  std::swap(chunks_, other.chunks_);
  std::swap(used_, other.used_);
  std::swap(kept_, other.kept_);
  return *this;
}

void* States::Allocate(const AtomicOps& ops) {
  const auto align = [&](std::size_t at) {
    return (at + ops.state_alignment - 1) / ops.state_alignment *
           ops.state_alignment;
  };
  const auto capacity = [&] {
    return chunks_.empty() ? 0
                           : chunks_.back().size() * sizeof(std::max_align_t);
  };
  if (align(used_) + ops.state_size > capacity()) {
    chunks_.emplace_back(
        std::max(kChunkSize, ops.state_size) / sizeof(std::max_align_t) + 1);
    used_ = 0;
  }
  std::byte* const place =
      reinterpret_cast<std::byte*>(chunks_.back().data()) + align(used_);
  used_ = align(used_) + ops.state_size;
  return place;
}

}  // namespace orrery::devs::internal
