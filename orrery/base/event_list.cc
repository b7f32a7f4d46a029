#include "orrery/base/event_list.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace orrery {
namespace {

// A bucket of at most this many entries goes into the heap as it is.
constexpr std::size_t kNearSize = 48;

// A heap of more gives away its later half.
constexpr std::size_t kMaxNearSize = 512;

// Of one time, that leave the heap one by one.
constexpr std::size_t kFew = 4;

// Not a function, so that algorithms inline it.
constexpr auto kIsLater = [](const EventList::Entry& a,
                             const EventList::Entry& b) {
  return a.time > b.time;
};

}  // namespace

EventList::EventList() : levels_(kDigits) {}

void EventList::Clear() {
  size_ = 0;
  near_.clear();
  near_end_ = kNever;
  batch_.clear();
  base_ = 0;
  far_size_ = 0;
  levels_.assign(kDigits, Level{});
  chunks_.clear();
  free_chunk_ = kNone;
}

void EventList::AddNear(Entry entry) {
  near_.push_back(entry);
  std::ranges::push_heap(near_, kIsLater);
  if (near_.size() > kMaxNearSize) {
    Spill();
  }
}

void EventList::Spill() {
  const auto middle =
      near_.begin() + static_cast<std::ptrdiff_t>(near_.size() / 2);
  std::ranges::nth_element(
      near_, middle, {}, [](const Entry& entry) { return entry.time; });
  const std::int64_t end = middle->time;
  const auto later =
      std::partition(near_.begin(), near_.end(), [&](const Entry& entry) {
        return entry.time < end;
      });
  Rebase(end);
  near_end_ = end;
  std::for_each(later, near_.end(), [&](const Entry& e) { AddFar(e); });
  near_.erase(later, near_.end());
  if (batch_time_ >= end) {
    for (const Due& due : batch_) {
      AddFar(EntryOf(due));
    }
    batch_.clear();
  }
  std::ranges::make_heap(near_, kIsLater);
}

// Far times that share their digits from some level on with the old base, but
// not with a new one before it, belong to that level now.
void EventList::Rebase(std::int64_t base) {
  spread_.clear();
  if (base < base_) {
    for (unsigned i = LevelOf(base ^ base_); i-- > 0;) {
      for (std::size_t digit = 0; digit < kBuckets; ++digit) {
        Lift(levels_[i], digit);
      }
    }
  }
  base_ = base;
  for (const Entry& entry : spread_) {
    AddFar(entry);
  }
}

unsigned EventList::LevelOf(std::int64_t difference) {
  const auto bits = static_cast<std::uint64_t>(difference) | 1U;
  return (static_cast<unsigned>(std::bit_width(bits)) - 1) / kDigitBits;
}

void EventList::AddFar(Entry entry) {
  const unsigned level = LevelOf(entry.time ^ base_);
  const auto digit =
      (static_cast<std::uint64_t>(entry.time) >> (level * kDigitBits)) &
      (kBuckets - 1);
  Bucket& bucket = levels_[level].buckets[digit];
  if (bucket.first == kNone || chunks_[bucket.first].count == Chunk::kRoom) {
    const std::uint32_t chunk = NewChunk();
    chunks_[chunk].next = bucket.first;
    bucket.first = chunk;
    levels_[level].is_used[digit / 64] |= std::uint64_t{1} << (digit % 64);
  }
  Chunk& chunk = chunks_[bucket.first];
  chunk.entries[chunk.count++] = entry;
  ++bucket.size;
  ++far_size_;
}

std::uint32_t EventList::NewChunk() {
  std::uint32_t chunk = free_chunk_;
  if (chunk != kNone) {
    free_chunk_ = chunks_[chunk].next;
  } else {
    chunk = static_cast<std::uint32_t>(chunks_.size());
    chunks_.emplace_back();
  }
  chunks_[chunk].count = 0;
  return chunk;
}

// Heap and batch are empty.
void EventList::Refill() {
  ++num_refills_;
  while (near_.empty() && batch_.empty() && far_size_ > 0) {
    TakeBucket();
  }
}

void EventList::FindBucket(unsigned& level, std::size_t& digit) const {
  for (level = 0; level < kDigits; ++level) {
    const auto& used = levels_[level].is_used;
    for (std::size_t word = 0; word < used.size(); ++word) {
      if (used[word] != 0) {
        digit =
            64 * word + static_cast<std::size_t>(std::countr_zero(used[word]));
        return;
      }
    }
  }
}

// Empties the bucket of the least times: into the batch if they are one, into
// the heap if they are few, else into the levels below.
void EventList::TakeBucket() {
  unsigned level = 0;
  std::size_t digit = 0;
  FindBucket(level, digit);
  Level& from = levels_[level];
  const Bucket bucket = from.buckets[digit];
  std::int64_t least = kNever;
  std::int64_t most = 0;
  ForEachIn(bucket.first, [&](const Entry& entry) {
    least = std::min(least, entry.time);
    most = std::max(most, entry.time);
  });
  base_ = least;
  if (least < most && bucket.size > kNearSize) {
    Spread(from, digit);
    near_end_ = least;
    return;
  }
  const auto width = std::uint64_t{1} << (level * kDigitBits);
  const std::uint64_t end =
      (static_cast<std::uint64_t>(least) | (width - 1)) + 1;
  near_end_ = static_cast<std::int64_t>(
      std::min(end, static_cast<std::uint64_t>(kNever)));
  if (least == most) {
    batch_time_ = least;
    ForEachIn(bucket.first, [&](const Entry& entry) {
      batch_.push_back({.id = entry.id, .stamp = entry.stamp});
    });
  } else {
    ForEachIn(bucket.first,
              [&](const Entry& entry) { near_.push_back(entry); });
    std::ranges::make_heap(near_, kIsLater);
  }
  Release(from, digit);
}

// Moves the entries of a bucket to the levels below.
void EventList::Spread(Level& from, std::size_t digit) {
  spread_.clear();
  Lift(from, digit);
  for (const Entry& entry : spread_) {
    AddFar(entry);
  }
}

// Moves the entries of a bucket to spread_.
void EventList::Lift(Level& from, std::size_t digit) {
  ForEachIn(from.buckets[digit].first,
            [&](const Entry& entry) { spread_.push_back(entry); });
  Release(from, digit);
}

// Empties a bucket and frees its chunks.
void EventList::Release(Level& from, std::size_t digit) {
  Bucket& bucket = from.buckets[digit];
  far_size_ -= bucket.size;
  for (std::uint32_t at = bucket.first; at != kNone;) {
    const std::uint32_t next = chunks_[at].next;
    chunks_[at].next = free_chunk_;
    free_chunk_ = at;
    at = next;
  }
  bucket = {};
  from.is_used[digit / 64] &= ~(std::uint64_t{1} << (digit % 64));
}

// As std::pop_heap, but which of two entries comes first is no jump: nobody
// can foretell it.
void EventList::PopNear() {
  const Entry last = near_.back();
  near_.pop_back();
  Entry* const entries = near_.data();
  const std::size_t size = near_.size();
  std::size_t hole = 0;
  std::size_t child = 1;
  while (child + 1 < size) {
    child += entries[child + 1].time < entries[child].time ? 1U : 0U;
    entries[hole] = entries[child];
    hole = child;
    child = 2 * hole + 1;
  }
  if (child < size) {
    entries[hole] = entries[child];
    hole = child;
  }
  while (hole > 0 && last.time < entries[(hole - 1) / 2].time) {
    entries[hole] = entries[(hole - 1) / 2];
    hole = (hole - 1) / 2;
  }
  if (size > 0) {
    entries[hole] = last;
  }
}

// Where many are of one time, a look at all is less than a heap's work.
template <typename Out, typename Projection>
void EventList::PopAllNear(std::int64_t time, Out& out, Projection projection) {
  const auto later =
      std::remove_if(near_.begin(), near_.end(), [&](const Entry& entry) {
        if (entry.time == time) {
          out.push_back(projection(entry));
        }
        return entry.time == time;
      });
  near_.erase(later, near_.end());
  std::ranges::make_heap(near_, kIsLater);
}

template <typename Out, typename Projection>
void EventList::PopInto(std::int64_t time, Out& out, Projection projection) {
  const std::size_t before = out.size();
  if (!batch_.empty() && batch_time_ == time) {
    out.resize(before + batch_.size());
    std::ranges::transform(
        batch_,
        out.begin() + static_cast<std::ptrdiff_t>(before),
        [&](const Due& due) { return projection(EntryOf(due)); });
    batch_.clear();
  }
  for (std::size_t i = 0; !near_.empty() && near_.front().time == time; ++i) {
    if (i == kFew) {
      PopAllNear(time, out, projection);
      break;
    }
    out.push_back(projection(near_.front()));
    PopNear();
  }
  size_ -= out.size() - before;
}

void EventList::Pop(std::int64_t time, std::vector<Entry>& entries) {
  PopInto(time, entries, std::identity());
}

void EventList::Pop(std::int64_t time, std::vector<std::uint32_t>& ids) {
  PopInto(time, ids, [](const Entry& entry) { return entry.id; });
}

}  // namespace orrery
