#include "orrery/base/containers/event_list.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace orrery {
namespace {

// A bucket of at most this many entries is sorted.
constexpr std::size_t kMaxBucket = 48;

// Buckets are taken until this number of entries is near.
constexpr std::size_t kMinNear = 32;

// With more near entries, the later half is given away.
constexpr std::size_t kMaxNear = 256;

constexpr auto kIsEarlier = [](const EventList::Entry& a,
                               const EventList::Entry& b) {
  return a.time < b.time;
};

// Sorts a few entries.
void Sort(std::span<EventList::Entry> entries) {
  static constexpr std::size_t kFew = 16;
  if (entries.size() > kFew) {
    std::ranges::sort(entries, kIsEarlier);
    return;
  }
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const EventList::Entry entry = entries[i];
    std::size_t hole = i;
    for (; hole > 0 && entry.time < entries[hole - 1].time; --hole) {
      entries[hole] = entries[hole - 1];
    }
    entries[hole] = entry;
  }
}

}  // namespace

void EventList::Clear() {
  size_ = 0;
  near_.clear();
  first_ = 0;
  near_end_ = 0;
  batch_.clear();
  depth_ = 0;
  top_ = 0;
  top_size_ = 0;
  top_start_ = 0;
  top_least_ = kNever;
  top_most_ = 0;
  chunks_.clear();
  free_chunk_ = kNone;
}

// Moves the entries before its place if these are fewer.
void EventList::AddNear(Entry entry) {
  const auto begin = near_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto place = std::upper_bound(begin, near_.end(), entry, kIsEarlier);
  if (first_ > 0 && place - begin < near_.end() - place) {
    std::move(begin, place, begin - 1);
    *(place - 1) = entry;
    --first_;
  } else {
    near_.insert(place, entry);
  }
  if (near_.size() - first_ > kMaxNear) {
    Spill();
  }
}

void EventList::AddFar(Entry entry) {
  if (entry.time >= top_start_) {
    top_least_ = std::min(top_least_, entry.time);
    top_most_ = std::max(top_most_, entry.time);
    ++top_size_;
    AddTo(top_, entry);
    return;
  }
  std::size_t i = 0;
  while (entry.time < rungs_[i].floor) {
    ++i;
  }
  AddToRung(rungs_[i], entry);
}

void EventList::AddToRung(Rung& rung, Entry entry) {
  const auto bucket =
      static_cast<std::uint64_t>(entry.time - rung.start) >> rung.shift;
  AddTo(rung.buckets[std::min<std::size_t>(bucket, rung.num_buckets - 1)],
        entry);
  ++rung.size;
}

void EventList::AddTo(Bucket& bucket, Entry entry) {
  if (bucket % 4 == 0 || bucket % 4 == Chunk::kRoom) {
    bucket = BeginChunk(bucket);
  }
  chunks_[bucket / 4].entries[bucket % 4] = entry;
  ++bucket;
}

// Returns an empty chunk before `next`.
EventList::Bucket EventList::BeginChunk(Bucket next) {
  static constexpr std::size_t kFew = 16;
  std::uint32_t chunk = free_chunk_;
  if (chunk != kNone) {
    free_chunk_ = chunks_[chunk].next;
  } else {
    if (chunks_.size() == chunks_.capacity()) {
      chunks_.reserve(chunks_.size() + chunks_.size() / 4 + kFew);
    }
    chunk = static_cast<std::uint32_t>(chunks_.size());
    chunks_.emplace_back();
  }
  chunks_[chunk].next = next;
  return chunk * 4;
}

// Adds the deepest rung, for `size` entries from `least` to `most`, that ends
// at `end`.
EventList::Rung& EventList::NewRung(std::int64_t least,
                                    std::int64_t most,
                                    std::int64_t end,
                                    std::size_t size) {
  if (depth_ == rungs_.size()) {
    rungs_.emplace_back();
  }
  Rung& rung = rungs_[depth_++];
  const auto span = static_cast<std::uint64_t>(most - least);
  rung.start = least;
  rung.floor = least;
  rung.end = end;
  rung.shift = static_cast<unsigned>(
      std::bit_width(span / std::max<std::size_t>(size, 1)));
  rung.current = 0;
  rung.size = 0;
  rung.num_buckets = (span >> rung.shift) + 1;
  rung.buckets.assign(rung.num_buckets, 0);
  near_end_ = least;
  return rung;
}

// Makes the later half of the near entries a rung, together with the entries of
// rungs that are no larger, so that there are few rungs.
void EventList::Spill() {
  const std::int64_t split = near_[first_ + (near_.size() - first_) / 2].time;
  const auto later =
      std::lower_bound(near_.begin() + static_cast<std::ptrdiff_t>(first_),
                       near_.end(),
                       Entry{.time = split, .id = 0, .stamp = 0},
                       kIsEarlier);
  spilled_.assign(later, near_.end());
  near_.erase(later, near_.end());
  if (!batch_.empty() && batch_time_ >= split) {
    for (const Due& due : batch_) {
      spilled_.push_back(EntryOf(due));
    }
    batch_.clear();
  }
  std::int64_t end = near_end_;
  for (; depth_ > 0 && rungs_[depth_ - 1].size <= spilled_.size(); --depth_) {
    const Rung& rung = rungs_[depth_ - 1];
    for (std::size_t i = rung.current; i < rung.num_buckets; ++i) {
      ForEachIn(rung.buckets[i],
                [&](const Entry& entry) { spilled_.push_back(entry); });
      Release(rung.buckets[i]);
    }
    end = rung.end;
  }
  const std::int64_t most =
      std::ranges::max_element(spilled_, kIsEarlier)->time;
  Rung& rung = NewRung(split, most, end, spilled_.size());
  for (const Entry& entry : spilled_) {
    AddToRung(rung, entry);
  }
}

// Must be called when no entry is near.
void EventList::Refill() {
  ++num_refills_;
  near_.clear();
  first_ = 0;
  while (near_.size() < kMinNear && batch_.empty()) {
    if (depth_ > 0 && rungs_[depth_ - 1].size == 0) {
      near_end_ = rungs_[--depth_].end;
    } else if (depth_ > 0) {
      if (!TakeBucket()) {
        break;
      }
    } else if (near_.empty() && top_size_ > 0) {
      TakeTop();
    } else {
      break;
    }
  }
}

void EventList::TakeTop() {
  const Bucket top = std::exchange(top_, 0);
  top_size_ = 0;
  top_start_ = top_most_ + 1;
  top_least_ = kNever;
  top_most_ = 0;
  if (CopyToNear(top)) {
    Release(top);
    near_end_ = top_start_;
  } else {
    TakeMany(top, top_start_);
  }
}

// Takes the next bucket of the deepest rung, and prefetches those after it.
// @returns true if there is room for it.
bool EventList::TakeBucket() {
  Rung& rung = rungs_[depth_ - 1];
  while (rung.buckets[rung.current] == 0) {
    ++rung.current;
  }
  static constexpr std::size_t kAhead = 6;
  if (rung.current + kAhead < rung.num_buckets) {
    __builtin_prefetch(chunks_.data() +
                       rung.buckets[rung.current + kAhead] / 4);
  }
  Bucket& place = rung.buckets[rung.current];
  const std::size_t before = near_.size();
  const bool are_few = CopyToNear(place);
  if (!are_few && before > 0) {
    rung.floor = rung.StartOf(rung.current);
    near_end_ = rung.floor;
    return false;
  }
  const Bucket bucket = std::exchange(place, 0);
  ++rung.current;
  rung.floor = rung.StartOf(rung.current);
  if (are_few) {
    rung.size -= near_.size() - before;
    near_end_ = rung.floor;
    Release(bucket);
    return true;
  }
  const std::size_t depth = depth_;
  const std::size_t size = TakeMany(bucket, rung.floor);
  rungs_[depth - 1].size -= size;
  return true;
}

// @returns true if there are few entries; otherwise copies none.
bool EventList::CopyToNear(Bucket bucket) {
  const std::size_t before = near_.size();
  for (Bucket at = bucket; at != 0;) {
    const Chunk& chunk = chunks_[at / 4];
    for (std::uint32_t i = 0; i < at % 4; ++i) {
      near_.push_back(chunk.entries[i]);
    }
    if (near_.size() - before > kMaxBucket) {
      near_.resize(before);
      return false;
    }
    at = chunk.next;
  }
  Sort(std::span(near_).subspan(before));
  return true;
}

// Takes all entries of a bucket up to `end`: into the batch if they have one
// time, otherwise into a new rung.
// @returns their number.
std::size_t EventList::TakeMany(Bucket bucket, std::int64_t end) {
  std::int64_t least = kNever;
  std::int64_t most = 0;
  std::size_t size = 0;
  ForEachIn(bucket, [&](const Entry& entry) {
    least = std::min(least, entry.time);
    most = std::max(most, entry.time);
    ++size;
  });
  if (least == most) {
    batch_time_ = least;
    near_end_ = end;
    batch_.reserve(size);
    ForEachIn(bucket, [&](const Entry& entry) {
      batch_.push_back({.id = entry.id, .stamp = entry.stamp});
    });
    Release(bucket);
    return size;
  }
  Rung& rung = NewRung(least, most, end, size);
  for (Bucket at = bucket; at != 0;) {
    const Chunk chunk = chunks_[at / 4];
    chunks_[at / 4].next = std::exchange(free_chunk_, at / 4);
    for (std::uint32_t i = 0; i < at % 4; ++i) {
      AddToRung(rung, chunk.entries[i]);
    }
    at = chunk.next;
  }
  return size;
}

void EventList::Release(Bucket bucket) {
  for (Bucket at = bucket; at != 0;) {
    at =
        std::exchange(chunks_[at / 4].next, std::exchange(free_chunk_, at / 4));
  }
}

// Pops the batch, and the near entries of the same time.
std::span<EventList::Entry> EventList::PopBatch() {
  popped_.clear();
  for (const Due& due : batch_) {
    popped_.push_back(EntryOf(due));
  }
  batch_.clear();
  for (; first_ < near_.size() && near_[first_].time == batch_time_; ++first_) {
    popped_.push_back(near_[first_]);
  }
  size_ -= popped_.size();
  return popped_;
}

void EventList::Pop(std::int64_t time, std::vector<std::uint32_t>& ids) {
  const std::size_t before = ids.size();
  if (!batch_.empty() && batch_time_ == time) {
    ids.resize(before + batch_.size());
    std::ranges::transform(
        batch_, ids.begin() + static_cast<std::ptrdiff_t>(before), &Due::id);
    batch_.clear();
  }
  for (; first_ < near_.size() && near_[first_].time == time; ++first_) {
    ids.push_back(near_[first_].id);
  }
  size_ -= ids.size() - before;
}

}  // namespace orrery
