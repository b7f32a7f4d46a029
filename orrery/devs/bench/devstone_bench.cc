// Runs the models of DEVStone, and a loop written by hand that makes the same
// transitions without an engine.

#include "orrery/devs/bench/devstone.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/bench/apart.h"
#include "orrery/base/bench/report.h"
#include "orrery/devs/simulation/simulator.h"

namespace {

using orrery::BenchReport;
using orrery::Duration;
using orrery::MedianSeconds;
using orrery::MedianSecondsOfBoth;
using orrery::devs::Simulator;
using orrery::devs::devstone::Counts;
using orrery::devs::devstone::Expected;
using orrery::devs::devstone::Kind;
using orrery::devs::devstone::NameOf;
using orrery::devs::devstone::Stone;

// The nodes of a stone in arrays, each with its receivers. Relies on properties
// of this model: a step takes no time and sends one message.
class ByHand {
 public:
  using Nodes = std::vector<std::uint32_t>;

  ByHand(Kind kind, int width, int depth) {
    Nodes outer;  // Nodes that send into the level.
    for (int i = 1; i < depth; ++i) {
      outer = kind == Kind::kHomod ? AddTriangle(width - 1, outer)
                                   : AddChain(kind, width - 1);
    }
    entries_.push_back(AddNode());
    first_.push_back(0);
    for (const Nodes& to : targets_of_) {
      targets_.insert(targets_.end(), to.begin(), to.end());
      first_.push_back(targets_.size());
    }
    messages_.resize(targets_of_.size());
    arrived_.resize(targets_of_.size());
  }

  Counts Run() {
    Counts counts{.atomics = static_cast<std::int64_t>(targets_of_.size())};
    const auto send = [&](std::uint32_t node) {
      if (arrived_[node]++ == 0) {
        next_.push_back(node);
      }
    };
    std::ranges::for_each(entries_, send);
    while (!next_.empty()) {
      for (const std::uint32_t node : next_) {
        messages_[node] += arrived_[node];
        counts.messages += arrived_[node];
        arrived_[node] = 0;
      }
      counts.transitions += static_cast<std::int64_t>(next_.size());
      due_.swap(next_);
      next_.clear();
      for (const std::uint32_t node : due_) {
        for (std::size_t i = first_[node]; i < first_[node + 1]; ++i) {
          send(targets_[i]);
        }
      }
    }
    return counts;
  }

 private:
  std::uint32_t AddNode() {
    targets_of_.emplace_back();
    return static_cast<std::uint32_t>(targets_of_.size() - 1);
  }

  Nodes AddRow(int size) {
    Nodes row;
    for (int i = 0; i < size; ++i) {
      row.push_back(AddNode());
    }
    return row;
  }

  void Connect(const Nodes& from, const Nodes& to) {
    for (const std::uint32_t node : from) {
      Nodes& targets = targets_of_[node];
      targets.insert(targets.end(), to.begin(), to.end());
    }
  }

  Nodes AddChain(Kind kind, int size) {
    const Nodes row = AddRow(size);
    entries_.insert(entries_.end(), row.begin(), row.end());
    for (std::size_t i = 1; kind != Kind::kLi && i < row.size(); ++i) {
      targets_of_[row[i - 1]].push_back(row[i]);
    }
    return {};
  }

  // @returns the nodes that send into the level below.
  Nodes AddTriangle(int size, const Nodes& outer) {
    Nodes first = AddRow(size);
    Nodes above = AddRow(size);
    Connect(above, first);
    Nodes entries = first;
    entries.push_back(above[0]);
    for (int length = size - 1; length > 0; --length) {
      const Nodes row = AddRow(length);
      for (std::size_t j = 0; j < row.size(); ++j) {
        targets_of_[row[j]].push_back(above[j + 1]);
      }
      entries.push_back(row[0]);
      above = row;
    }
    Connect(outer, entries);
    if (outer.empty()) {
      entries_.insert(entries_.end(), entries.begin(), entries.end());
    }
    return first;
  }

  std::vector<Nodes> targets_of_;
  std::vector<std::size_t> first_;
  Nodes targets_;
  Nodes entries_;
  std::vector<std::int64_t> messages_;
  std::vector<std::int64_t> arrived_;
  Nodes due_;
  Nodes next_;
};

void Enter(Simulator& run, const Stone& stone, Duration at) {
  run.Inject(stone.in1, 0, at);
  run.Inject(stone.in2, 0, at);
}

struct Case {
  Kind kind;
  int width;
  int depth;

  [[nodiscard]] std::string Name() const {
    return std::string(NameOf(kind)) + " " + std::to_string(width) + " x " +
           std::to_string(depth);
  }
};

// To be called before the process has memory to use again.
void MeasureMemory(BenchReport& report, const Case& c) {
  const Counts expected = Expected(c.kind, c.width, c.depth);
  const auto ours = orrery::MeasureApart([&c] {
    const Stone stone(c.kind, c.width, c.depth);
    Simulator run(stone);
    Enter(run, stone, Duration{});
    run.RunUntil(Duration{});
    return run.statistics().messages;
  });
  const auto by_hand = orrery::MeasureApart(
      [&c] { return ByHand(c.kind, c.width, c.depth).Run(); });
  const bool is_right = ours && ours->value == expected.messages && by_hand &&
                        by_hand->value == expected;
  report.Add(c.Name() + ", peak memory",
             is_right ? ours->peak_megabytes : 0,
             is_right ? by_hand->peak_megabytes : 0,
             "MB",
             is_right);
}

void Measure(BenchReport& report, const Case& c) {
  const std::string name = c.Name();
  const Counts expected = Expected(c.kind, c.width, c.depth);
  const auto transitions = 2 * static_cast<double>(expected.transitions);
  const int repeats = transitions < 1e8 ? 3 : 1;

  std::optional<Stone> stone;
  const double build =
      MedianSeconds([&] { stone.emplace(c.kind, c.width, c.depth); }, repeats);
  std::optional<Simulator> run;
  const double set_up = MedianSeconds([&] { run.emplace(*stone); }, repeats);
  const auto atomics = static_cast<double>(expected.atomics);
  report.Add(name + ", build", build / atomics * 1e9, {}, "ns/model", true);
  report.Add(name + ", flatten", set_up / atomics * 1e9, {}, "ns/model", true);

  // Repeats the run at later times.
  Duration now{};
  Counts by_hand;
  ByHand hand(c.kind, c.width, c.depth);
  const auto [ours, limit] = MedianSecondsOfBoth(
      [&] {
        Enter(*run, *stone, now);
        run->RunUntil(now);
        ++now;
      },
      [&] { by_hand = hand.Run(); },
      repeats);
  const auto& seen = run->statistics();
  const std::int64_t times = repeats + 1;
  report.Add(
      name,
      ours / transitions * 1e9,
      limit / transitions * 1e9,
      "ns/transition",
      seen.internal + seen.confluent == times * expected.transitions &&
          seen.external + seen.confluent == times * expected.transitions &&
          seen.messages == times * expected.messages && by_hand == expected);
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_smoke = orrery::IsSmokeRun(argc, argv);
  BenchReport report("devstone");
  const int size = is_smoke ? 10 : 200;
  std::vector<Case> cases = {
      {Kind::kLi, size, size},
      {Kind::kHi, size, size},
      {Kind::kHo, size, size},
      {Kind::kHomod, is_smoke ? 5 : 20, is_smoke ? 5 : 20}};
  if (!is_smoke) {
    cases.push_back({Kind::kHomod, 50, 50});
  }
  for (const Case& c : cases) {
    MeasureMemory(report, c);
  }
  for (const Case& c : cases) {
    Measure(report, c);
  }
  return report.ExitCode();
}
