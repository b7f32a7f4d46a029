#include "orrery/devs/engine/selection.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iterator>
#include <span>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/devs/engine/failures.h"
#include "orrery/devs/engine/lane.h"
#include "orrery/devs/engine/run.h"

namespace orrery::devs::internal {

namespace {

bool HasSelect(const Coupled& root) {
  bool result = false;
  ForEachCoupled(root, [&](const Coupled& coupled) {
    result = result || coupled.select() != nullptr;
  });
  return result;
}

const Model& CallSelect(Run& run,
                        const Coupled& coupled,
                        std::span<const Model* const> parts) {
  const Model* chosen = nullptr;
  try {
    chosen = &coupled.select()(parts);
  } catch (const std::exception& error) {
    Fail(run, "in SELECT of " + coupled.Path() + ": " + error.what());
  }
  if (std::ranges::find(parts, chosen) == parts.end()) {
    Fail(run,
         "SELECT of " + coupled.Path() + " chooses " + chosen->Path() +
             ", in which nothing is due; choose among the models given");
  }
  return *chosen;
}

}  // namespace

void Selection::LayOut(const Network& network, const Options& options) {
  by_rank_ = !options.priority.empty() || !HasSelect(network.root());
  if (options.priority.empty()) {
    return;
  }
  constexpr std::uint32_t kUnranked = Lane::kNone;
  rank_.assign(models_.slots.size(), kUnranked);
  std::uint32_t next = 0;
  for (const Model* model : options.priority) {
    std::uint32_t& rank = rank_[network.NumberOf(*model)];
    if (rank != kUnranked) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot give " + model->Path() +
                      " two priorities: it is listed twice; list it once");
    }
    rank = next++;
  }
  for (std::uint32_t& rank : rank_) {
    if (rank == kUnranked) {
      rank = next++;
    }
  }
}

void Selection::Add(std::span<const std::uint32_t> due, std::int64_t now) {
  for (const std::uint32_t model : due) {
    if (models_.slots[model].next == now && !models_.marks[model].is_imminent) {
      models_.marks[model].is_imminent = true;
      imminent_.push_back(model);
      if (by_rank_) {
        std::ranges::push_heap(imminent_, LaterRank());
      }
    }
  }
}

std::uint32_t Selection::Take(Run& run) {
  const std::int64_t now = run.now();
  while (by_rank_ && !imminent_.empty()) {
    std::ranges::pop_heap(imminent_, LaterRank());
    const std::uint32_t model = imminent_.back();
    imminent_.pop_back();
    models_.marks[model].is_imminent = false;
    if (models_.slots[model].next == now) {
      return model;
    }
  }
  std::erase_if(imminent_, [&](std::uint32_t model) {
    models_.marks[model].is_imminent = models_.slots[model].next == now;
    return !models_.marks[model].is_imminent;
  });
  if (imminent_.empty()) {
    return Lane::kNone;
  }
  const std::uint32_t model = SelectByParts(run);
  models_.marks[model].is_imminent = false;
  std::erase(imminent_, model);
  return model;
}

// SELECT at each coupled model on the way from the outermost one down.
std::uint32_t Selection::SelectByParts(Run& run) const {
  std::vector<const Model*> candidates;
  for (const std::uint32_t model : imminent_) {
    candidates.push_back(models_.slots[model].model);
  }
  const Coupled* at = &run.network.root();
  while (true) {
    const auto part_of = [&](const Model* model) {
      while (model->parent() != at) {
        model = model->parent();
      }
      return model;
    };
    std::vector<const Model*> parts;
    std::ranges::transform(candidates, std::back_inserter(parts), part_of);
    std::ranges::sort(parts, {}, &Model::position);
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    const Model* chosen = parts.front();
    if (parts.size() > 1 && at->select() != nullptr) {
      chosen = &CallSelect(run, *at, parts);
    }
    if (chosen->ops() != nullptr) {
      return run.network.NumberOf(*chosen);
    }
    std::erase_if(candidates,
                  [&](const Model* model) { return part_of(model) != chosen; });
    at = static_cast<const Coupled*>(chosen);
  }
}

}  // namespace orrery::devs::internal
