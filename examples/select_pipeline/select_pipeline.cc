// A pipeline in classic DEVS whose result depends on SELECT. Each of two stages
// takes as long for a part as the source, so that all three are due at once. If
// the source comes first, its part finds the first stage busy and is lost. If
// the last stage comes first, no part is lost.

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <span>

#include "orrery/devs/library.h"
#include "orrery/devs/simulator.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;

struct Pipeline : devs::Coupled {
  devs::Generator<>& source = Add<devs::Generator<>>("source", 1s);
  devs::Processor<>& press = Add<devs::Processor<>>("press", 1s);
  devs::Processor<>& drill = Add<devs::Processor<>>("drill", 1s);
  devs::Sink<>& store = Add<devs::Sink<>>("store");

  Pipeline() : Coupled("pipeline") {
    Couple(source.out, press.in);
    Couple(press.out, drill.in);
    Couple(drill.out, store.in);
  }
};

struct Result {
  std::int64_t stored = 0;
  std::int64_t lost = 0;

  friend bool operator==(const Result&, const Result&) = default;
};

Result RunOf(const char* what,
             const Pipeline& pipeline,
             const devs::Options& options) {
  devs::Simulator run(pipeline, options);
  run.RunUntil(101s);
  const Result result{
      .stored = run.state(pipeline.store).count,
      .lost = run.state(pipeline.press).lost + run.state(pipeline.drill).lost};
  std::printf("%-22s %3d stored, %2d lost\n",
              what,
              static_cast<int>(result.stored),
              static_cast<int>(result.lost));
  return result;
}

}  // namespace

int main() {
  const devs::Options classic{.formalism = devs::Formalism::kClassic};
  const Result all{.stored = 99, .lost = 0};
  const Result half{.stored = 50, .lost = 50};

  Pipeline pipeline;
  bool is_right = RunOf("source first", pipeline, classic) == half;

  // A function of the imminent parts: the last one.
  pipeline.SetSelect(
      [](std::span<const devs::Model* const> due) -> const devs::Model& {
        return *due.back();
      });
  is_right = RunOf("last stage first", pipeline, classic) == all && is_right;

  // A list of the coupled model.
  const std::array<const devs::Model*, 2> order = {&pipeline.drill,
                                                   &pipeline.press};
  pipeline.SetPriority(order);
  is_right = RunOf("the same by a list", pipeline, classic) == all && is_right;

  // One list for all models of a run, which overrides those of the models.
  devs::Options priority = classic;
  priority.priority = {&pipeline.source, &pipeline.press, &pipeline.drill};
  is_right =
      RunOf("source first, by run", pipeline, priority) == half && is_right;

  // Parallel DEVS has no such choice: all move at once, and a processor that
  // gives away its part takes the next.
  is_right = RunOf("parallel", pipeline, {}) == all && is_right;
  return is_right ? 0 : 1;
}
