#include "orrery/server/results/stored_traces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/server/http/json_response.h"
#include "orrery/server/http/or_missing.h"
#include "orrery/server/results/name_filter.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kPart = std::size_t{4} << 20U;
constexpr std::size_t kMostKeptParts = 8;
constexpr std::size_t kMostBytes = std::size_t{4} << 20U;  // Limit of a window.
constexpr std::size_t kMostModels = 2000;
constexpr std::size_t kMostLinksShown = 20'000;

// The models that fit, by their fields as they stand in the text.
class ModelFilter {
 public:
  explicit ModelFilter(const std::string& filter) : filter_(filter) {}

  [[nodiscard]] bool Fits(std::string_view field) {
    if (field == last_) {
      return last_fits_;
    }
    last_ = field;
    const auto known = fits_.find(last_);
    if (known != fits_.end()) {
      return last_fits_ = known->second;
    }
    last_fits_ = filter_.Fits(CsvFieldText(field));
    fits_.emplace(last_, last_fits_);
    return last_fits_;
  }

 private:
  NameFilter filter_;
  std::unordered_map<std::string, bool> fits_;
  std::string last_;
  bool last_fits_ = false;
};

Json RowAsJson(const TraceRow& row) {
  return Json::array({CsvFieldText(row.model),
                      std::string(row.event),
                      CsvFieldText(row.name),
                      CsvFieldText(row.value)});
}

// How many microsteps there are in each of `pixels` parts of [0, end].
class Density {
 public:
  Density(std::size_t pixels, double end)
      : counts_(pixels), width_(end > 0 ? end : 1) {}

  void Add(double time, double count) { counts_[ColumnOf(time)] += count; }

  // Adds `count` of them, spread evenly.
  void Add(double from, double to, double count) {
    const std::size_t first = ColumnOf(from);
    const std::size_t last = std::max(first, ColumnOf(to));
    for (std::size_t i = first; i <= last; ++i) {
      counts_[i] += count / static_cast<double>(last - first + 1);
    }
  }

  [[nodiscard]] const std::vector<double>& counts() const { return counts_; }

 private:
  [[nodiscard]] std::size_t ColumnOf(double time) const {
    const double part = std::clamp(time / width_, 0.0, 1.0) *
                        static_cast<double>(counts_.size());
    return std::min(static_cast<std::size_t>(part), counts_.size() - 1);
  }

  std::vector<double> counts_;
  double width_;
};

// The text of a trace, whose parts are read where they are needed.
class Text {
 public:
  Text(StoredResults& results, ExperimentId id, std::uint64_t size)
      : results_(results), id_(id), size_(size) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  [[nodiscard]] std::string Read(std::uint64_t begin, std::uint64_t end) {
    end = std::min(end, size_);
    std::string text;
    while (begin < end) {
      const std::string& part = PartOf(begin / kPart);
      const std::size_t from = begin % kPart;
      const auto count = std::min<std::uint64_t>(end - begin, kPart - from);
      text.append(part, from, count);
      begin += count;
    }
    return text;
  }

 private:
  const std::string& PartOf(std::uint64_t number) {
    const auto known = parts_.find(number);
    if (known != parts_.end()) {
      return known->second;
    }
    if (parts_.size() == kMostKeptParts) {
      parts_.erase(parts_.begin());
    }
    std::string& part = parts_[number];
    results_.Read([&](ExperimentStore& store) {
      part = store.ReadAttachment(
          id_, kTraceAttachment, {.begin = number * kPart, .size = kPart});
    });
    return part;
  }

  StoredResults& results_;
  ExperimentId id_;
  std::uint64_t size_;
  std::map<std::uint64_t, std::string> parts_;
};

// Goes through the microsteps of a block, or of several.
class Steps {
 public:
  // @param block where it begins.
  // @param text from there on.
  Steps(const TraceIndex::Block& block, std::string_view text)
      : rest_(text), begin_(block.begin), block_(block) {}

  // Calls `take` with each row, and with its microstep if it begins one. Ends
  // when `take` returns false.
  template <typename Take>
  void ForEach(const Take& take) {
    const std::size_t size = rest_.size();
    while (true) {
      const std::uint64_t at = begin_ + (size - rest_.size());
      const std::optional<TraceRow> row = TakeTraceRow(rest_);
      if (!row) {
        return;
      }
      std::optional<TraceStep> step;
      if (finder_.BeginsWith(*row)) {
        const double time = TraceSeconds(row->time);
        const std::uint64_t before =
            time == block_.time ? block_.number - 1 : 0;
        step = {.begin = at, .number = finder_.number() + before, .time = time};
      }
      if (!take(*row, step)) {
        return;
      }
    }
  }

 private:
  std::string_view rest_;
  std::uint64_t begin_;
  const TraceIndex::Block& block_;
  MicrostepFinder finder_;
};

// Collects microsteps as JSON.
class Items {
 public:
  explicit Items(std::size_t most) : most_(most) {}

  [[nodiscard]] bool is_full() const {
    return items_.size() == most_ || bytes_ > kMostBytes;
  }

  void Begin(const TraceStep& step) {
    items_.push_back({{"at", step.begin},
                      {"time", step.time},
                      {"number", step.number},
                      {"rows", Json::array()}});
  }

  void Add(const TraceRow& row) {
    items_.back()["rows"].push_back(RowAsJson(row));
    bytes_ += static_cast<std::size_t>(row.value.end() - row.time.begin());
  }

  [[nodiscard]] Json Take() { return std::move(items_); }

 private:
  Json items_ = Json::array();
  std::size_t most_;
  std::size_t bytes_ = 0;
};

std::uint64_t EndOf(const TraceIndex& index, std::size_t block) {
  return block + 1 < index.blocks.size() ? index.blocks[block + 1].begin
                                         : index.size;
}

// The block of a microstep, of a trace that has it.
std::size_t BlockOf(const TraceIndex& index, std::uint64_t step) {
  const auto after = std::ranges::upper_bound(
      index.blocks, step, {}, &TraceIndex::Block::step);
  return static_cast<std::size_t>(after - index.blocks.begin()) - 1;
}

// How many microsteps there are before a time.
std::uint64_t StepsBefore(const TraceIndex& index, Text& text, double time) {
  const auto after = std::ranges::lower_bound(
      index.blocks, time, {}, &TraceIndex::Block::time);
  if (after == index.blocks.begin()) {
    return 0;
  }
  const auto block = static_cast<std::size_t>(after - index.blocks.begin()) - 1;
  std::uint64_t count = index.blocks[block].step;
  const std::string part =
      text.Read(index.blocks[block].begin, EndOf(index, block));
  Steps(index.blocks[block], part).ForEach([&](const auto&, const auto& step) {
    if (step && step->time >= time) {
      return false;
    }
    count += step ? 1U : 0U;
    return true;
  });
  return count;
}

// The microsteps from number `first` on, of all.
void TakeAll(const TraceIndex& index,
             Text& text,
             std::uint64_t first,
             Items& items) {
  if (first >= index.steps) {
    return;
  }
  const std::size_t block = BlockOf(index, first);
  std::size_t last = block;
  while (last + 1 < index.blocks.size() &&
         index.blocks[last + 1].begin - index.blocks[block].begin <
             kMostBytes) {
    ++last;
  }
  const std::string part =
      text.Read(index.blocks[block].begin, EndOf(index, last));
  std::uint64_t number = index.blocks[block].step;
  bool is_wanted = false;
  Steps(index.blocks[block], part)
      .ForEach([&](const TraceRow& row, const std::optional<TraceStep>& step) {
        if (step) {
          is_wanted = number++ >= first;
          if (is_wanted && items.is_full()) {
            return false;
          }
          if (is_wanted) {
            items.Begin(*step);
          }
        }
        if (is_wanted) {
          items.Add(row);
        }
        return true;
      });
}

// A microstep of which the place is known.
void TakeOne(const TraceStep& step, Text& text, Items& items) {
  constexpr std::uint64_t kFirstLook = 16'384;
  const TraceIndex::Block block{
      .begin = step.begin, .step = 0, .time = step.time, .number = step.number};
  for (std::uint64_t size = kFirstLook;; size *= 4) {
    const std::string part = text.Read(step.begin, step.begin + size);
    std::vector<TraceRow> rows;
    bool is_whole = step.begin + size >= text.size();
    Steps(block, part).ForEach([&](const TraceRow& row, const auto& begun) {
      is_whole = is_whole || (begun && !rows.empty());
      if (begun && !rows.empty()) {
        return false;
      }
      rows.push_back(row);
      return true;
    });
    if (is_whole) {
      items.Begin(step);
      for (const TraceRow& row : rows) {
        items.Add(row);
      }
      return;
    }
  }
}

// The microsteps with a row of a model that fits.
std::vector<TraceStep> StepsThatFit(const TraceIndex& index,
                                    Text& text,
                                    const std::string& filter) {
  ModelFilter models(filter);
  std::vector<TraceStep> fitting;
  for (std::size_t i = 0; i < index.blocks.size(); ++i) {
    const std::string part = text.Read(index.blocks[i].begin, EndOf(index, i));
    TraceStep present;
    bool is_added = false;
    Steps(index.blocks[i], part)
        .ForEach([&](const TraceRow& row, const auto& step) {
          if (step) {
            present = *step;
            is_added = false;
          }
          if (!is_added && models.Fits(row.model)) {
            fitting.push_back(present);
            is_added = true;
          }
          return true;
        });
  }
  return fitting;
}

std::vector<double> DensityOf(const TraceIndex& index,
                              const std::vector<TraceStep>* fitting,
                              std::size_t pixels) {
  Density density(pixels, index.end);
  if (fitting != nullptr) {
    for (const TraceStep& step : *fitting) {
      density.Add(step.time, 1);
    }
    return density.counts();
  }
  for (std::size_t i = 0; i < index.blocks.size(); ++i) {
    const bool is_last = i + 1 == index.blocks.size();
    const std::uint64_t after =
        is_last ? index.steps : index.blocks[i + 1].step;
    density.Add(index.blocks[i].time,
                is_last ? index.end : index.blocks[i + 1].time,
                static_cast<double>(after - index.blocks[i].step));
  }
  return density.counts();
}

// Models that fit, and links from or to them.
void AddModels(const TraceIndex& index, const NameFilter& filter, Json& json) {
  std::unordered_set<std::string> fitting;
  Json& models = json["models"] = Json::array();
  for (const std::string& model : index.models) {
    if (models.size() < kMostModels && filter.Fits(model)) {
      models.push_back(model);
      fitting.insert(model);
    }
  }
  Json& links = json["links"] = Json::array();
  for (const TraceIndex::Link& link : index.links) {
    if (links.size() < kMostLinksShown &&
        (fitting.contains(link.from) || fitting.contains(link.to))) {
      links.push_back({link.from, link.port, link.to});
    }
  }
}

// The last state of a model in a part of a trace; null for none.
Json LastStateIn(std::string_view part, const std::string& model) {
  Json state;
  std::string_view event;
  std::string_view time;
  while (const std::optional<TraceRow> row = TakeTraceRow(part)) {
    if (row->event == "output" || row->event == "input" ||
        CsvFieldText(row->model) != model) {
      event = {};
      continue;
    }
    if (row->event != event || row->time != time) {
      event = row->event;
      time = row->time;
      state = {{"time", TraceSeconds(row->time)},
               {"event", std::string(event)},
               {"fields", Json::array()}};
    }
    state["fields"].push_back(
        {CsvFieldText(row->name), CsvFieldText(row->value)});
  }
  return state;
}

}  // namespace

std::shared_ptr<const TraceIndex> StoredTraces::IndexOf(ExperimentId id,
                                                        std::string& key) {
  std::shared_ptr<const TraceIndex> index;
  results_.ReadFile([&](ExperimentStore& store, std::uint64_t file) {
    key = fmt::format("{} {}", file, id);
    index = indices_.Get(key, [&] {
      return TraceIndexFrom(OrMissing(
          [&] { return store.ReadAttachment(id, kTraceIndexAttachment); }));
    });
  });
  return index;
}

std::string StoredTraces::Part(ExperimentId id, const TraceWanted& wanted) {
  std::string key;
  const auto index = IndexOf(id, key);
  Text text(results_, id, index->size);
  std::shared_ptr<const std::vector<TraceStep>> fitting;
  if (!wanted.filter.empty() && wanted.filter != "*") {
    fitting = filtered_.Get(key + " " + wanted.filter, [&] {
      return StepsThatFit(*index, text, wanted.filter);
    });
  }
  const auto before = [&](double time) -> std::uint64_t {
    if (fitting == nullptr) {
      return StepsBefore(*index, text, time);
    }
    return static_cast<std::uint64_t>(
        std::ranges::lower_bound(*fitting, time, {}, &TraceStep::time) -
        fitting->begin());
  };
  const std::uint64_t total =
      fitting == nullptr ? index->steps : fitting->size();
  const std::uint64_t first = wanted.from ? before(*wanted.from) : 0;
  const std::uint64_t end =
      wanted.to ? before(std::nextafter(*wanted.to, kInfinity)) : total;
  const std::uint64_t begin =
      std::min<std::uint64_t>(first + wanted.window.offset, end);
  Items items(std::min<std::uint64_t>(wanted.window.limit, end - begin));
  if (fitting == nullptr) {
    TakeAll(*index, text, begin, items);
  } else {
    for (std::uint64_t i = begin; i < end && !items.is_full(); ++i) {
      TakeOne((*fitting)[i], text, items);
    }
  }
  Json json = {{"total", total},
               {"first", first},
               {"count", end - first},
               {"end", index->end},
               {"is_cut", index->is_cut},
               {"items", items.Take()}};
  AddModels(*index, NameFilter(wanted.filter), json);
  if (wanted.pixels > 0) {
    json["density"] = DensityOf(*index, fitting.get(), wanted.pixels);
  }
  return PrintJson(json);
}

std::string StoredTraces::StateBefore(ExperimentId id,
                                      const std::string& model,
                                      std::uint64_t at) {
  std::string key;
  const auto index = IndexOf(id, key);
  Text text(results_, id, index->size);
  const auto after = std::ranges::lower_bound(
      index->blocks, at, {}, &TraceIndex::Block::begin);
  std::uint64_t end = std::min(at, index->size);
  // From the block of `at` backwards, and the rows before the first block.
  for (auto block = after - index->blocks.begin(); block >= 0; --block) {
    const std::uint64_t begin =
        block == 0 ? 0
                   : index->blocks[static_cast<std::size_t>(block - 1)].begin;
    const std::string part = text.Read(begin, end);
    end = begin;
    Json state = LastStateIn(part, model);
    if (!state.is_null()) {
      return PrintJson(state);
    }
  }
  return "null";
}

}  // namespace orrery::server
