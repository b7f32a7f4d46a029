#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/modeling/coupled.h"

/// The models of DEVStone. Glinsky & Wainer, "DEVStone: a benchmarking
/// technique for studying performance of DEVS modeling and simulation
/// environments", DS-RT 2005; HOmod: Risco-Martin et al., "Reconsidering the
/// performance of DEVS modeling and simulation environments using the DEVStone
/// benchmark", Simulation 93 (2017) 459.
namespace orrery::devs::devstone {

/// Passes on each bag it gets, at once, as one message.
class Node : public Atomic<Node> {
 public:
  struct State {
    std::int64_t messages = 0;
    Duration sigma = kPassive;
  };

  In<int> in{this, "in"};
  Out<int> out{this, "out"};

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State&, Bag& y) const { y.Send(out, 0); }

  void Internal(State& s) const { s.sigma = kPassive; }

  void External(State& s, Duration, const Bag& x) const {
    s.messages += static_cast<std::int64_t>(x[in].size());
    s.sigma = Duration::zero();
  }
};

enum class Kind : std::uint8_t { kLi, kHi, kHo, kHomod };

[[nodiscard]] inline std::string_view NameOf(Kind kind) {
  switch (kind) {
    case Kind::kLi:
      return "LI";
    case Kind::kHi:
      return "HI";
    case Kind::kHo:
      return "HO";
    case Kind::kHomod:
      return "HOmod";
  }
  return "";
}

/// The common part of all kinds: width - 1 or more atomic models beside a model
/// of the same kind with a depth less.
class Stone : public Coupled {
 public:
  In<int> in1{this, "in1"};
  In<int> in2{this, "in2"};
  Out<int> out1{this, "out1"};
  Out<int> out2{this, "out2"};

  Stone(Kind kind, int width, int depth) {
    if (depth == 1) {
      auto& node = Add<Node>("node");
      Couple(in1, node.in);
      Couple(node.out, out1);
      return;
    }
    auto& inner = Add<Stone>("inner", kind, width, depth - 1);
    Couple(in1, inner.in1);
    Couple(inner.out1, out1);
    if (kind == Kind::kHomod) {
      AddTriangle(inner, width);
      return;
    }
    Node* before = nullptr;
    for (int i = 0; i < width - 1; ++i) {
      auto& node = Add<Node>("node" + std::to_string(i));
      Couple(kind == Kind::kHo ? in2 : in1, node.in);
      if (kind == Kind::kHo) {
        Couple(node.out, out2);
      }
      if (kind != Kind::kLi && before != nullptr) {
        Couple(before->out, node.in);
      }
      before = &node;
    }
    if (kind == Kind::kHo) {
      Couple(in1, inner.in2);
    }
  }

 private:
  // A square of two rows, with a coupling from each of the second to each of
  // the first, and a triangle of diagonals below it.
  void AddTriangle(Stone& inner, int width) {
    std::vector<std::vector<Node*>> rows(static_cast<std::size_t>(width));
    for (int i = 0; i < width; ++i) {
      auto& row = rows[static_cast<std::size_t>(i)];
      for (int j = i < 2 ? 0 : i - 1; j < width - 1; ++j) {
        row.push_back(
            &Add<Node>("node" + std::to_string(i) + "_" + std::to_string(j)));
      }
    }
    for (Node* node : rows[0]) {
      Couple(in2, node->in);
      Couple(node->out, inner.in2);
    }
    for (std::size_t i = 1; i < rows.size(); ++i) {
      Couple(in2, rows[i][0]->in);
    }
    for (Node* below : rows[1]) {
      for (Node* node : rows[0]) {
        Couple(below->out, node->in);
      }
    }
    for (std::size_t i = 2; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < rows[i].size(); ++j) {
        Couple(rows[i][j]->out, rows[i - 1][j + 1]->in);
      }
    }
  }
};

struct Counts {
  std::int64_t atomics = 0;
  /// Internal ones; there are as many external ones.
  std::int64_t transitions = 0;
  std::int64_t messages = 0;  ///< Messages that arrive at atomic models.

  friend bool operator==(const Counts&, const Counts&) = default;
};

/// The closed formulas, for one message at each input of the outermost model
/// (width and depth at least 2).
[[nodiscard]] inline Counts Expected(Kind kind,
                                     std::int64_t width,
                                     std::int64_t depth) {
  const std::int64_t w = width - 1;
  const std::int64_t d = depth - 1;
  const std::int64_t triangle = width * w / 2;
  switch (kind) {
    case Kind::kLi:
      return {.atomics = d * w + 1,
              .transitions = w * d + 1,
              .messages = w * d + 1};
    case Kind::kHi:
    case Kind::kHo:
      return {.atomics = d * w + 1,
              .transitions = triangle * d + 1,
              .messages = triangle * d + 1};
    case Kind::kHomod: {
      const std::int64_t s = depth - 2 + w * d * (depth - 2) / 2;
      return {.atomics = d * (w + triangle) + 1,
              .transitions = 1 + d * w * w +
                             (d + w * d * (depth - 2) / 2) * (w + triangle),
              .messages = 1 + 2 * w + 2 * s * w * w +
                          (s + 1) * (w * w + w * (width - 2) / 2)};
    }
  }
  return {};
}

}  // namespace orrery::devs::devstone
