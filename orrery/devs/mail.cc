#include <algorithm>

#include "orrery/devs/bag.h"

namespace orrery::devs::internal {

void* Arena::AllocateElsewhere(std::size_t bytes, std::size_t alignment) {
  constexpr std::size_t kFirstSize = 4096;
  const std::size_t wanted = bytes + alignment;
  for (std::size_t next = top_ == nullptr ? 0 : chunk_ + 1;; ++next) {
    if (next == chunks_.size()) {
      const std::size_t size = std::max(
          wanted, chunks_.empty() ? kFirstSize : 2 * chunks_.back().size);
      chunks_.push_back(
          {.bytes = std::make_unique<std::byte[]>(size), .size = size});
    }
    if (chunks_[next].size >= wanted) {
      Open(next);
      return Allocate(bytes, alignment);
    }
  }
}

void Arena::Open(std::size_t chunk) noexcept {
  chunk_ = chunk;
  top_ = chunks_[chunk].bytes.get();
  end_ = top_ + chunks_[chunk].size;
}

void Mail::Move(SegmentList& list) {
  const std::size_t first = segments.size();
  segments.resize(first + std::max(2U, 2 * list.capacity));
  std::ranges::copy(SegmentsOf(list),
                    segments.begin() + static_cast<std::ptrdiff_t>(first));
  list.first = static_cast<std::uint32_t>(first);
  list.capacity = static_cast<std::uint32_t>(segments.size() - first);
}

}  // namespace orrery::devs::internal
