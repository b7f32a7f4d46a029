// Conway's Game of Life as a space of 512 x 512 atomic models, of which only
// changing ones have transitions: the R-pentomino comes to rest after 1103
// generations with 116 cells alive. Gardner, Scientific American 223 (1970),
// October, 120.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/simulator.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;
using orrery::Duration;

constexpr std::size_t kSize = 512;
constexpr std::size_t kGenerations = 1103;

// Cells of a torus, numbered row by row.
std::size_t Neighbour(std::size_t cell, std::size_t direction) {
  // Directions 0 to 8, without the middle 4.
  const std::size_t d = direction < 4 ? direction : direction + 1;
  const std::size_t row = (cell / kSize + kSize - 1 + d / 3) % kSize;
  const std::size_t column = (cell % kSize + kSize - 1 + d % 3) % kSize;
  return row * kSize + column;
}

bool IsAliveNext(bool is_alive, int neighbours) {
  return neighbours == 3 || (is_alive && neighbours == 2);
}

// One generation a second. A cell tells its neighbours of its birth (+1) or
// death (-1), and is passive as long as nothing around it changes.
class Cell : public devs::Atomic<Cell> {
 public:
  struct State {
    bool is_alive;
    int neighbours;
  };

  devs::In<int> change{this, "change"};
  devs::Out<int> changed{this, "changed"};

  Cell(bool is_alive, int neighbours)
      : first_{.is_alive = is_alive, .neighbours = neighbours} {}

  [[nodiscard]] State Initial() const { return first_; }

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    return IsAliveNext(s.is_alive, s.neighbours) == s.is_alive ? devs::kPassive
                                                               : Duration(1s);
  }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(changed, s.is_alive ? -1 : 1);
  }

  void Internal(State& s) const { s.is_alive = !s.is_alive; }

  // All changes come at whole seconds, at which the time advance begins again.
  void External(State& s, Duration, const devs::Bag& x) const {
    for (const int delta : x[change]) {
      s.neighbours += delta;
    }
  }

 private:
  State first_;
};

using Board = std::vector<bool>;

int CountNeighbours(const Board& board, std::size_t cell) {
  int count = 0;
  for (std::size_t d = 0; d < 8; ++d) {
    count += board[Neighbour(cell, d)] ? 1 : 0;
  }
  return count;
}

struct Space : devs::Coupled {
  std::vector<const Cell*> cells;

  explicit Space(const Board& board) : Coupled("life") {
    std::vector<Cell*> parts;
    for (std::size_t i = 0; i < board.size(); ++i) {
      const bool is_alive = board[i];
      parts.push_back(
          &Add<Cell>(std::to_string(i), is_alive, CountNeighbours(board, i)));
    }
    for (std::size_t i = 0; i < board.size(); ++i) {
      for (std::size_t d = 0; d < 8; ++d) {
        Couple(parts[i]->changed, parts[Neighbour(i, d)]->change);
      }
    }
    cells.assign(parts.begin(), parts.end());
  }
};

}  // namespace

int main() {
  Board board(kSize * kSize);
  const std::size_t middle = kSize * kSize / 2 + kSize / 2;
  for (const std::size_t i : {middle - kSize,
                              middle - kSize + 1,
                              middle - 1,
                              middle,
                              middle + kSize}) {
    board[i] = true;
  }

  const Space space(board);
  devs::Simulator run(space);
  run.RunUntil(std::chrono::seconds(kGenerations));

  int population = 0;
  for (const Cell* cell : space.cells) {
    population += run.state(*cell).is_alive ? 1 : 0;
  }
  const devs::Statistics& counts = run.statistics();
  std::printf("%zu generations: %d cells alive, %.0f births and deaths\n",
              kGenerations,
              population,
              static_cast<double>(counts.internal + counts.confluent));
  return population == 116 ? 0 : 1;
}
