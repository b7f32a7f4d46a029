#include "orrery/devs/modeling/bag.h"

#include <algorithm>

#include "orrery/base/error.h"
#include "orrery/devs/modeling/model.h"

namespace orrery::devs::internal {

void FailForNoMessage(const Port& port) {
  throw Error(ErrorCode::kInvalidModel,
              "cannot take the first message at " + port.Path() +
                  ": none is there; see whether it is empty() before");
}

void FailForForeignPort(const Port& port, const Model& owner) {
  throw Error(ErrorCode::kInvalidModel,
              "cannot use port " + port.Path() + " in a function of " +
                  owner.Path() +
                  ": it belongs to another model; use a port of its own and "
                  "couple it");
}

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

namespace orrery::devs {

std::span<const internal::Segment> Bag::SegmentsAt(const Port& port) const {
  if (outputs_ != nullptr) {
    return {&outputs_[port.index()], 1};
  }
  const std::uint32_t source = sources_[port.index()];
  if (source < mail_->outputs.size()) {
    return {&mail_->outputs[source], 1};
  }
  if (source == internal::Mail::kNothing) {
    return {};
  }
  return mail_->SegmentsOf(mail_->lists[source - mail_->outputs.size()]);
}

std::size_t Bag::Count(const Port& port) const {
  std::size_t count = 0;
  for (const internal::Segment& segment : SegmentsAt(port)) {
    count += segment.count;
  }
  return count;
}

void Bag::Describe(const Port& port, Record& record) const {
  const internal::MessageType& type = port.type();
  if (type.describe == nullptr) {
    return;
  }
  for (const internal::Segment& segment : SegmentsAt(port)) {
    const auto* const data = static_cast<const std::byte*>(segment.data);
    for (std::uint32_t i = 0; i < segment.count; ++i) {
      type.describe(data + i * type.size, port.name(), record);
    }
  }
}

}  // namespace orrery::devs
