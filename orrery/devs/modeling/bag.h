#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/devs/modeling/port.h"

namespace orrery::devs {

namespace internal {

/// Memory of the messages of one microstep, freed all at once.
class Arena {
 public:
  void* Allocate(std::size_t bytes, std::size_t alignment) {
    const std::size_t padding =
        (0 - reinterpret_cast<std::uintptr_t>(top_)) & (alignment - 1);
    if (padding + bytes > static_cast<std::size_t>(end_ - top_)) {
      return AllocateElsewhere(bytes, alignment);
    }
    std::byte* const result = top_ + padding;
    top_ = result + bytes;
    return result;
  }

  /// Grows the block that ends at `end` by `bytes`, if the memory behind it is
  /// free.
  bool Extend(const void* end, std::size_t bytes) {
    if (end != top_ || static_cast<std::size_t>(end_ - top_) < bytes) {
      return false;
    }
    top_ += bytes;
    return true;
  }

  /// Frees all messages; keeps the memory for the next ones.
  void Reset() noexcept {
    if (chunk_ != 0) {
      Open(0);
    } else if (!chunks_.empty()) {
      top_ = chunks_[0].bytes.get();
    }
  }

 private:
  struct Chunk {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };

  void* AllocateElsewhere(std::size_t bytes, std::size_t alignment);
  void Open(std::size_t chunk) noexcept;

  std::byte* top_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t chunk_ = 0;
  std::vector<Chunk> chunks_;
};

/// Messages of one output port, in one piece of memory.
struct Segment {
  void* data = nullptr;
  std::uint32_t count = 0;
  /// In an output: the room for messages. In a list: the position of the output
  /// in the list.
  std::uint32_t capacity = 0;
};

/// Messages from several outputs: a range of the segments of `Mail`, none of
/// them empty.
struct SegmentList {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t capacity = 0;
  std::uint32_t num_messages = 0;
};

/// The messages of a microstep by source: first outputs, then lists.
struct Mail {
  /// The source of an input without a coupling.
  static constexpr std::uint32_t kNothing =
      std::numeric_limits<std::uint32_t>::max();

  std::vector<Segment> outputs;
  std::vector<SegmentList> lists;
  std::vector<Segment> segments;  ///< Segments of the lists.

  [[nodiscard]] std::span<Segment> SegmentsOf(const SegmentList& list) {
    return std::span(segments).subspan(list.first, list.count);
  }

  [[nodiscard]] std::span<const Segment> SegmentsOf(
      const SegmentList& list) const {
    return std::span(segments).subspan(list.first, list.count);
  }

  /// Appends a segment. A full list moves to the end of `segments`.
  void Append(SegmentList& list, const Segment& segment) {
    if (list.count == list.capacity) {
      Move(list);
    }
    segments[list.first + list.count++] = segment;
    list.num_messages += segment.count;
  }

 private:
  void Move(SegmentList& list);
};

/// Memory of the messages that models send in one microstep.
struct Outbox {
  struct Cleanup {
    void (*destroy)(Segment&);
    Segment* segment;
  };

  Arena arena;
  std::vector<std::uint32_t> sent;  ///< Output ports, each once.
  std::vector<Cleanup> cleanups;

  Outbox() = default;
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  ~Outbox() { DestroyMessages(); }

  void DestroyMessages() noexcept {
    for (const Cleanup& cleanup : cleanups) {
      cleanup.destroy(*cleanup.segment);
    }
    cleanups.clear();
  }

  /// Precondition: no message is left to destroy.
  void Clear() noexcept {
    sent.clear();
    arena.Reset();
  }
};

template <typename T>
void DestroyMessages(Segment& segment) {
  std::destroy_n(static_cast<T*>(segment.data), segment.count);
}

[[noreturn]] void FailForNoMessage(const Port& port);
[[noreturn]] void FailForForeignPort(const Port& port, const Model& owner);

}  // namespace internal

/// The messages at one port in one microstep, in the order of the declaration
/// of couplings, then of sending. It refers to memory of the senders, and is
/// valid until the transition returns.
template <typename T>
class Messages {
 public:
  class Iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;
    using pointer = const T*;
    using reference = const T&;

    Iterator() = default;

    Iterator(const internal::Segment* segment, std::uint32_t at)
        : segment_(segment), at_(at) {}

    const T& operator*() const {
      return static_cast<const T*>(segment_->data)[at_];
    }

    const T* operator->() const { return &**this; }

    Iterator& operator++() {
      if (++at_ == segment_->count) {
        ++segment_;
        at_ = 0;
      }
      return *this;
    }

    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }

    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const internal::Segment* segment_ = nullptr;
    std::uint32_t at_ = 0;
  };

  /// @param size the number of messages in all segments, none of which is
  ///     empty.
  Messages(const Port& port,
           std::span<const internal::Segment> segments,
           std::size_t size)
      : port_(&port), segments_(segments), size_(size) {}

  [[nodiscard]] bool empty() const noexcept { return segments_.empty(); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// @throws Error kInvalidModel, naming the port, if empty().
  [[nodiscard]] const T& front() const {
    if (empty()) [[unlikely]] {
      internal::FailForNoMessage(*port_);
    }
    return *begin();
  }

  [[nodiscard]] Iterator begin() const { return {segments_.data(), 0}; }

  [[nodiscard]] Iterator end() const {
    return {segments_.data() + segments_.size(), 0};
  }

 private:
  const Port* port_;
  std::span<const internal::Segment> segments_;
  std::size_t size_;
};

/// Messages at the ports of one model in one microstep: its outputs, or the
/// inputs it received.
class Bag {
 public:
  /// Adds a message to an output, in a bag to send.
  /// @throws Error kInvalidModel, as do the others, for a port of another
  ///     model.
  template <typename T>
  void Send(const Out<T>& port, T value) {
    CheckOwner(port);
    Put(port.index(), std::move(value));
  }

  /// The messages at an input.
  template <typename T>
  [[nodiscard]] Messages<T> operator[](const In<T>& port) const {
    CheckOwner(port);
    return From<T>(port);
  }

  /// The messages sent by an output or, in a bag of the outermost model, those
  /// that leave it there.
  template <typename T>
  [[nodiscard]] Messages<T> operator[](const Out<T>& port) const {
    CheckOwner(port);
    return outputs_ == nullptr ? From<T>(port)
                               : Of<T>(port, outputs_[port.index()]);
  }

  /// Adds the messages at a port of the model to a record, a field for each, if
  /// their type can be recorded.
  void Describe(const Port& port, Record& record) const;

  /// The number of messages at a port of the model, of any type.
  [[nodiscard]] std::size_t Count(const Port& port) const;

  /// Adds a message to output number `port`. Called by engines.
  template <typename T>
  void Put(std::uint32_t port, T value) {
    internal::Segment& segment = outputs_[port];
    if (segment.count == segment.capacity) {
      Grow<T>(segment, port);
    }
    ::new (static_cast<T*>(segment.data) + segment.count) T(std::move(value));
    ++segment.count;
  }

  /// Makes the bag of messages received by `owner`. The sources of its ports
  /// begin at `sources`. Called by engines.
  Bag(const Model& owner,
      const std::uint32_t* sources,
      const internal::Mail& mail)
      : owner_(&owner), sources_(sources), mail_(&mail) {}

  /// Makes the bag for the outputs of `owner`, whose first output has number
  /// `first_output` in the model. Called by engines.
  Bag(const Model& owner,
      internal::Outbox* outbox,
      internal::Segment* outputs,
      std::uint32_t first_output)
      : owner_(&owner),
        outbox_(outbox),
        outputs_(outputs),
        first_output_(first_output) {}

 private:
  [[nodiscard]] std::span<const internal::Segment> SegmentsAt(
      const Port& port) const;

  void CheckOwner(const Port& port) const {
    if (&port.owner() != owner_) [[unlikely]] {
      internal::FailForForeignPort(port, *owner_);
    }
  }

  template <typename T>
  [[nodiscard]] Messages<T> From(const Port& port) const {
    const std::uint32_t source = sources_[port.index()];
    if (source < mail_->outputs.size()) {
      return Of<T>(port, mail_->outputs[source]);
    }
    if (source == internal::Mail::kNothing) {
      return {port, {}, 0};
    }
    const internal::SegmentList& list =
        mail_->lists[source - mail_->outputs.size()];
    return {port, mail_->SegmentsOf(list), list.num_messages};
  }

  template <typename T>
  static Messages<T> Of(const Port& port, const internal::Segment& segment) {
    return {
        port, std::span(&segment, segment.count == 0 ? 0 : 1), segment.count};
  }

  template <typename T>
  void Grow(internal::Segment& segment, std::uint32_t port) {
    internal::Arena& arena = outbox_->arena;
    if (segment.count == 0) {
      outbox_->sent.push_back(first_output_ + port);
      segment.data = arena.Allocate(sizeof(T), alignof(T));
      segment.capacity = 1;
      if constexpr (!std::is_trivially_destructible_v<T>) {
        outbox_->cleanups.push_back({&internal::DestroyMessages<T>, &segment});
      }
      return;
    }
    T* const old = static_cast<T*>(segment.data);
    const std::size_t bytes = sizeof(T) * segment.capacity;
    if (!arena.Extend(old + segment.capacity, bytes)) {
      T* const moved = static_cast<T*>(arena.Allocate(2 * bytes, alignof(T)));
      std::uninitialized_move_n(old, segment.count, moved);
      std::destroy_n(old, segment.count);
      segment.data = moved;
    }
    segment.capacity *= 2;
  }

  const Model* owner_;
  const std::uint32_t* sources_ = nullptr;
  const internal::Mail* mail_ = nullptr;
  internal::Outbox* outbox_ = nullptr;
  internal::Segment* outputs_ = nullptr;
  std::uint32_t first_output_ = 0;
};

}  // namespace orrery::devs
