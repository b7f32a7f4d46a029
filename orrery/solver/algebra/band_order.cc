#include "orrery/solver/algebra/band_order.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

namespace orrery::solver::internal {
namespace {

// The graph of a matrix and its transpose: nodes with a common element are
// neighbours.
class MatrixGraph {
 public:
  explicit MatrixGraph(const SparsityPattern& pattern)
      : neighbours_(static_cast<std::size_t>(pattern.columns)),
        visit_(neighbours_.size(), 0) {
    ForEachElement(&pattern,
                   neighbours_.size(),
                   [&](std::size_t, std::size_t row, std::size_t column) {
                     if (row != column) {
                       neighbours_[row].push_back(static_cast<int>(column));
                       neighbours_[column].push_back(static_cast<int>(row));
                     }
                   });
    for (std::vector<int>& list : neighbours_) {
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    for (std::vector<int>& list : neighbours_) {
      std::ranges::sort(
          list, {}, [&](int node) { return std::pair(Degree(node), node); });
    }
  }

  [[nodiscard]] std::vector<int> Order() {
    std::vector<int> nodes(neighbours_.size());
    std::iota(nodes.begin(), nodes.end(), 0);
    std::ranges::sort(
        nodes, {}, [&](int node) { return std::pair(Degree(node), node); });
    std::vector<std::uint8_t> is_ordered(nodes.size(), 0);
    std::vector<int> order;
    for (const int node : nodes) {
      if (is_ordered[static_cast<std::size_t>(node)] != 0) {
        continue;
      }
      const Levels levels = Explore(FarEnd(node));
      for (const int member : levels.nodes) {
        is_ordered[static_cast<std::size_t>(member)] = 1;
        order.push_back(member);
      }
    }
    std::ranges::reverse(order);
    return order;
  }

 private:
  // All nodes connected with a start node, breadth first.
  struct Levels {
    std::vector<int> nodes;
    std::size_t last_begin = 0;  // Index of the first of the farthest ones.
    int depth = 0;
  };

  [[nodiscard]] std::size_t Degree(int node) const {
    return neighbours_[static_cast<std::size_t>(node)].size();
  }

  Levels Explore(int start) {
    ++visits_;
    Levels levels{.nodes = {start}};
    visit_[static_cast<std::size_t>(start)] = visits_;
    std::size_t level_end = 1;
    for (std::size_t i = 0; i < levels.nodes.size(); ++i) {
      if (i == level_end) {
        levels.last_begin = level_end;
        level_end = levels.nodes.size();
        ++levels.depth;
      }
      for (const int next :
           neighbours_[static_cast<std::size_t>(levels.nodes[i])]) {
        if (visit_[static_cast<std::size_t>(next)] != visits_) {
          visit_[static_cast<std::size_t>(next)] = visits_;
          levels.nodes.push_back(next);
        }
      }
    }
    return levels;
  }

  // Returns a node from which the greatest distance to another one is nearly as
  // large as possible.
  int FarEnd(int node) {
    Levels levels = Explore(node);
    for (;;) {
      const int candidate = *std::ranges::min_element(
          std::span(levels.nodes).subspan(levels.last_begin), {}, [&](int far) {
            return std::pair(Degree(far), far);
          });
      Levels others = Explore(candidate);
      if (others.depth <= levels.depth) {
        return node;
      }
      node = candidate;
      levels = std::move(others);
    }
  }

  std::vector<std::vector<int>> neighbours_;  // By degree.
  std::vector<int> visit_;                    // By node: its last search.
  int visits_ = 0;
};

}  // namespace

BandOrder OrderForBand(const SparsityPattern& pattern) {
  BandOrder given{.places = {}, .band = BandwidthsOf(pattern)};
  given.places.resize(static_cast<std::size_t>(pattern.columns));
  std::iota(given.places.begin(), given.places.end(), 0);
  BandOrder other{.places = given.places, .band = {}};
  const std::vector<int> order = MatrixGraph(pattern).Order();
  for (std::size_t place = 0; place < order.size(); ++place) {
    other.places[static_cast<std::size_t>(order[place])] =
        static_cast<int>(place);
  }
  ForEachElement(&pattern,
                 order.size(),
                 [&](std::size_t, std::size_t row, std::size_t column) {
                   const int below = other.places[row] - other.places[column];
                   other.band.lower = std::max(other.band.lower, below);
                   other.band.upper = std::max(other.band.upper, -below);
                 });
  const auto width = [](const Bandwidths& band) {
    return 2 * band.lower + band.upper;
  };
  return width(given.band) <= width(other.band) ? given : other;
}

}  // namespace orrery::solver::internal
