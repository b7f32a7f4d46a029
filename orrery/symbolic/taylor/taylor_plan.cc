#include "orrery/symbolic/taylor/taylor_plan.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "orrery/symbolic/taylor/taylor_graph.h"
#include "orrery/symbolic/taylor/taylor_trace.h"

namespace orrery {

namespace internal = symbolic::internal;

namespace symbolic::internal {
namespace {

using Id = TaylorGraph::Id;

// While a plan is made, addresses in rows have this bit. Steady numbers are
// placed before the rows when their number is known.
constexpr std::uint32_t kInRow = 0x80000000;

// Least number of quantities that make a vector.
constexpr std::uint32_t kFew = 4;

constexpr std::uint32_t RoundUp(std::uint32_t count) noexcept {
  constexpr std::uint32_t kWidth = TaylorBatch::kWidth;
  return (count + kWidth - 1) / kWidth * kWidth;
}

// Returns the operand whose coefficient of the present order is not needed.
constexpr int LateOperand(TaylorRule rule) noexcept {
  return rule == TaylorRule::kIntegral ? 1 : -1;
}

class TaylorPlanner {
 public:
  TaylorPlanner(const TaylorTask& task, const TaylorGraph& graph)
      : graph_(graph),
        is_used_(graph.size()),
        levels_(graph.size()),
        addresses_(graph.size()) {
    plan_.num_states = static_cast<std::uint32_t>(task.states.size());
    plan_.num_inputs = static_cast<std::uint32_t>(task.inputs.size());
    plan_.row_size = RoundUp(plan_.num_states + 1 + plan_.num_inputs);
    plan_.has_breaks = graph.has_breaks();
  }

  TaylorPlan Make(const std::vector<Id>& derivatives) {
    MarkUsed(derivatives);
    PlaceLeaves();
    std::vector<Id> order;
    for (Id id = 0; id < graph_.size(); ++id) {
      if (is_used_[id] != 0 && !graph_[id].is_leaf) {
        levels_[id] = LevelOf(graph_[id]);
        order.push_back(id);
      }
    }
    DelayFewProducts(order);
    const auto key = [this](Id id) {
      const TaylorNode& node = graph_[id];
      return std::tuple(levels_[id], node.kind, node.rule, node.op);
    };
    std::ranges::stable_sort(order, {}, key);
    for (std::size_t begin = 0; begin < order.size();) {
      std::size_t end = begin + 1;
      while (end < order.size() && key(order[end]) == key(order[begin])) {
        ++end;
      }
      Add(std::span(order).subspan(begin, end - begin));
      begin = end;
    }
    for (const Id id : derivatives) {
      plan_.derivatives.push_back(addresses_[id]);
    }
    Finish();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] static std::span<const Id> OperandsOf(const TaylorNode& node) {
    return std::span(node.operands)
        .first(static_cast<std::size_t>(TaylorOperands(node.rule, node.op)));
  }

  void MarkUsed(const std::vector<Id>& derivatives) {
    std::vector<Id> to_see = derivatives;
    while (!to_see.empty()) {
      const Id id = to_see.back();
      to_see.pop_back();
      if (std::exchange(is_used_[id], std::uint8_t{1}) == 0 &&
          !graph_[id].is_leaf) {
        const auto operands = OperandsOf(graph_[id]);
        to_see.insert(to_see.end(), operands.begin(), operands.end());
      }
    }
  }

  [[nodiscard]] std::uint32_t LevelOf(const TaylorNode& node) const {
    std::uint32_t level = 0;
    const auto operands = OperandsOf(node);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (static_cast<int>(i) != LateOperand(node.rule)) {
        level = std::max(level, levels_[operands[i]]);
      }
    }
    return level + 1;
  }

  // If a level has few products, they wait for others on a later level, unless
  // this delays their users. Together they are computed side by side, and may
  // have factors in common.
  // @param order operands before their users.
  void DelayFewProducts(std::span<const Id> order) {
    const std::vector<std::uint32_t> latest = LatestLevels(order);
    std::map<std::uint32_t, std::vector<Id>> products;
    for (const Id id : order) {
      if (graph_[id].rule == TaylorRule::kProduct) {
        products[levels_[id]].push_back(id);
      }
    }
    for (auto at = products.begin(); at != products.end(); ++at) {
      const auto later = std::next(at);
      if (later == products.end() ||
          at->second.size() + later->second.size() >= kFew ||
          std::ranges::any_of(
              at->second, [&](Id id) { return latest[id] < later->first; })) {
        continue;
      }
      for (const Id id : at->second) {
        levels_[id] = later->first;
      }
      later->second.insert(
          later->second.end(), at->second.begin(), at->second.end());
    }
    for (const Id id : order) {
      levels_[id] = std::max(levels_[id], LevelOf(graph_[id]));
    }
  }

  // Returns the latest possible level of each, without more levels in all.
  [[nodiscard]] std::vector<std::uint32_t> LatestLevels(
      std::span<const Id> order) const {
    const std::uint32_t last =
        levels_.empty() ? 0 : *std::ranges::max_element(levels_);
    std::vector<std::uint32_t> latest(graph_.size(), last);
    for (std::size_t at = order.size(); at-- > 0;) {
      const Id id = order[at];
      const auto operands = OperandsOf(graph_[id]);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (static_cast<int>(i) != LateOperand(graph_[id].rule)) {
          latest[operands[i]] = std::min(latest[operands[i]], latest[id] - 1);
        }
      }
    }
    return latest;
  }

  void PlaceLeaves() {
    for (Id id = 0; id < graph_.size(); ++id) {
      const TaylorNode& node = graph_[id];
      if (is_used_[id] == 0 || !node.is_leaf) {
        continue;
      }
      if (node.kind == TaylorKind::kConstant) {
        addresses_[id] = plan_.num_steady++;
        plan_.constants.push_back(node.value);
      } else if (node.kind == TaylorKind::kMoving) {
        addresses_[id] = kInRow | node.place;
      }
    }
    for (Id id = 0; id < graph_.size(); ++id) {
      const TaylorNode& node = graph_[id];
      if (is_used_[id] != 0 && node.is_leaf && node.kind == TaylorKind::kHeld) {
        addresses_[id] = plan_.num_steady++;
        plan_.held_slots.push_back(
            {.slot = node.place, .address = addresses_[id]});
      }
    }
  }

  // Adds quantities of the same rule side by side, in the order of their
  // operands, so that the operands are side by side if they are of one kind,
  // too.
  void Add(std::span<Id> ids) {
    std::ranges::stable_sort(ids, {}, [this](Id id) {
      const TaylorNode& node = graph_[id];
      std::array<std::uint32_t, 3> places{};
      const auto operands = OperandsOf(node);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (static_cast<int>(i) != LateOperand(node.rule)) {
          places[i] = addresses_[operands[i]];
        }
      }
      return places;
    });
    const TaylorNode& first = graph_[ids.front()];
    TaylorBatch batch =
        NewBatch(first.rule, first.op, static_cast<std::uint32_t>(ids.size()));
    const std::size_t operands = OperandsOf(first).size();
    for (std::size_t i = 0; i < operands; ++i) {
      std::vector<std::uint32_t> places;
      for (const Id id : ids) {
        // A late operand has no place yet.
        places.push_back(static_cast<int>(i) == LateOperand(first.rule)
                             ? graph_[id].operands[i]
                             : addresses_[graph_[id].operands[i]]);
      }
      const bool is_steady =
          (SteadyOperands(first.rule, first.op) >> i & 1U) != 0;
      if (IsConvolution(first.rule) && !is_steady &&
          static_cast<int>(i) != LateOperand(first.rule) &&
          !AreSideBySide(places, batch.width)) {
        places = AddCopy(places);
      }
      batch.operands[i] = AddPlaces(places, batch.lanes);
    }
    batch.target = Allocate(batch);
    for (std::size_t lane = 0; lane < ids.size(); ++lane) {
      addresses_[ids[lane]] = batch.target + static_cast<std::uint32_t>(lane);
    }
    (first.kind == TaylorKind::kHeld ? plan_.held : plan_.batches)
        .push_back(batch);
  }

  [[nodiscard]] static TaylorBatch NewBatch(TaylorRule rule,
                                            Op op,
                                            std::uint32_t count) {
    const bool is_wide = count >= kFew;
    return {.rule = rule,
            .op = op,
            .count = count,
            .lanes = is_wide ? RoundUp(count) : count,
            .width = is_wide ? TaylorBatch::kWidth : 1};
  }

  // Copies the quantities at `places`; returns the places of the copies.
  std::vector<std::uint32_t> AddCopy(std::span<const std::uint32_t> places) {
    TaylorBatch batch = NewBatch(TaylorRule::kCopy,
                                 Op::kNegate,
                                 static_cast<std::uint32_t>(places.size()));
    batch.operands[0] = AddPlaces(places, batch.lanes);
    batch.target = Allocate(batch);
    plan_.batches.push_back(batch);
    std::vector<std::uint32_t> copies(places.size());
    std::iota(copies.begin(), copies.end(), batch.target);
    return copies;
  }

  std::uint32_t AddPlaces(std::span<const std::uint32_t> places,
                          std::uint32_t lanes) {
    const auto begin = static_cast<std::uint32_t>(plan_.addresses.size());
    plan_.addresses.insert(plan_.addresses.end(), places.begin(), places.end());
    plan_.addresses.resize(begin + lanes, places.back());
    return begin;
  }

  std::uint32_t Allocate(const TaylorBatch& batch) {
    const bool is_steady = batch.rule == TaylorRule::kSteady;
    std::uint32_t& next = is_steady ? plan_.num_steady : plan_.row_size;
    next = batch.width == 1 ? next : RoundUp(next);
    const std::uint32_t begin = next | (is_steady ? 0U : kInRow);
    next += batch.lanes;
    return begin;
  }

  void PlaceLateOperands() {
    for (TaylorBatch& batch : plan_.batches) {
      const int late = LateOperand(batch.rule);
      if (late < 0) {
        continue;
      }
      const std::span<std::uint32_t> places =
          std::span(plan_.addresses)
              .subspan(batch.operands[static_cast<std::size_t>(late)],
                       batch.lanes);
      for (std::uint32_t& place : places) {
        place = addresses_[place];
      }
      if (!AreSideBySide(places.first(batch.count), batch.width)) {
        batch.width = 1;
      }
    }
  }

  void Finish() {
    PlaceLateOperands();
    // Reads of the last whole vector may reach beyond the row.
    plan_.row_size = RoundUp(plan_.row_size) + TaylorBatch::kWidth;
    plan_.num_steady = RoundUp(plan_.num_steady);
    const auto place = [this](std::uint32_t& address) {
      if ((address & kInRow) != 0) {
        address = (address & ~kInRow) + plan_.num_steady;
      }
    };
    std::ranges::for_each(plan_.addresses, place);
    std::ranges::for_each(plan_.derivatives, place);
    for (TaylorBatch& batch : plan_.batches) {
      place(batch.target);
    }
  }

  const TaylorGraph& graph_;
  std::vector<std::uint8_t> is_used_;
  std::vector<std::uint32_t> levels_;
  std::vector<std::uint32_t> addresses_;
  TaylorPlan plan_;
};

// Cost of a function in a series, beside linear rules and products.
double CostOfFunction(Op op) {
  constexpr double kElementary = 15;  // sin is half of a sin and cos.
  constexpr double kPower = 4;        // Mostly multiplied.
  return op >= Op::kExp && op <= Op::kTanh ? kElementary
         : op == Op::kPower                ? kPower
                                           : 0;
}

}  // namespace
}  // namespace symbolic::internal

double TaylorPlan::CostOfDerivatives() const noexcept {
  constexpr double kOperation = 0.12;
  constexpr double kQuotient = 0.7;
  double cost = 0;
  for (const TaylorBatch& batch : batches) {
    const bool is_slow = batch.rule == TaylorRule::kQuotient ||
                         batch.rule == TaylorRule::kRoot ||
                         batch.op == Op::kDivide || batch.op == Op::kSqrt;
    cost += batch.count * ((is_slow ? kQuotient : kOperation) +
                           (batch.rule == TaylorRule::kSteady
                                ? internal::CostOfFunction(batch.op)
                                : 0));
  }
  return cost;
}

double TaylorPlan::CostOfSeries(int order) const noexcept {
  constexpr double kStep = 60;
  constexpr double kTerm = 0.4;
  constexpr double kGatheredTerms = 4;
  constexpr double kProduct = 0.15;
  constexpr double kProducts = 0.4;
  double first = kStep;
  double next = num_states;
  for (const TaylorBatch& batch : batches) {
    const bool is_wide = batch.width > 1;
    const double vectors = static_cast<double>(batch.lanes) / batch.width;
    if (batch.rule == TaylorRule::kSteady) {
      first += batch.count * internal::CostOfFunction(batch.op);
    } else if (IsConvolution(batch.rule)) {
      next += vectors * order / 2 * (is_wide ? kProducts : kProduct);
    } else {
      next += vectors * (is_wide ? kGatheredTerms : kTerm);
    }
  }
  return first + order * next;
}

TaylorPlan MakeTaylorPlan(const TaylorTask& task) {
  internal::TaylorGraph graph;
  TaylorPlan none;
  const std::vector<internal::TaylorGraph::Id> derivatives =
      internal::TraceTaylor(task, graph, none.lack);
  return none.lack ? none
                   : internal::TaylorPlanner(task, graph).Make(derivatives);
}

}  // namespace orrery
