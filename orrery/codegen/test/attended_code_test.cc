// Native code that an attendant makes beside runs.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "orrery/base/system/attendant.h"
#include "orrery/codegen/test/native_program.h"
#include "orrery/sim/simulation.h"

namespace orrery {
namespace {

// Carries out tasks when it is asked whether to go on, each after `questions`
// questions.
class Later final : public Attendant {
 public:
  explicit Later(std::int64_t questions) : questions_(questions) {}

  [[nodiscard]] bool goes_on() const noexcept override {
    if (!tasks_.empty() && ++asked_ >= questions_) {
      asked_ = 0;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      task();
      ++num_done_;
    }
    return true;
  }

  void Post(std::function<void()> task) override {
    tasks_.push_back(std::move(task));
  }

  [[nodiscard]] bool Await() override { return false; }

  [[nodiscard]] int num_done() const noexcept { return num_done_; }

  // Drops what it has not done. A task holds the code, which holds its
  // attendant.
  void Drop() { tasks_.clear(); }

 private:
  std::int64_t questions_;
  mutable std::int64_t asked_ = 0;
  mutable int num_done_ = 0;
  mutable std::deque<std::function<void()>> tasks_;
};

constexpr std::int64_t kNever = INT64_MAX;

constexpr const char* kOscillators = R"(
      parameter Integer n = 12;
      Real x[n](start = {sin(i) for i in 1:n}, each fixed = true);
      Real v[n](each start = 0, each fixed = true);
    equation
      der(x) = v;
      for i in 1:n loop
        der(v[i]) = -i*x[i] + 0.1*cos(3*time)*exp(-x[i]*x[i]);
      end for;)";

constexpr const char* kLoop = R"(
      Real x(start = 1, fixed = true), y(start = 1);
      Real h(start = 1, fixed = true), w(start = 0, fixed = true);
    equation
      der(x) = -y + sin(5*time);
      y^3 + y = x;
      der(h) = w;
      der(w) = -9.81;
      when h < 0 then
        reinit(w, -pre(w));
      end when;)";

TEST(AttendedCodeTest, IsTakenOverAtAnyMomentWithTheSameBits) {
  for (const char* const model : {kOscillators, kLoop}) {
    for (const Method method : {Method::kAuto,
                                Method::kDormandPrince5,
                                Method::kRosenbrock,
                                Method::kRungeKutta4}) {
      SimulationOptions options{.stop = 60, .method = method, .interval = 1};
      if (method == Method::kRungeKutta4) {
        options.step = 1e-3;
      } else {
        options.tolerance = 1e-10;
      }
      options.code = CodeChoice::kInterpreted;
      const std::uint64_t bits = BitsOf(Simulate(ProgramOf(model), options));
      options.code = CodeChoice::kAuto;
      for (const std::int64_t questions : {1, 100, 10'000}) {
        const auto attendant = std::make_shared<Later>(questions);
        options.attendant = attendant;
        EXPECT_EQ(BitsOf(Simulate(ProgramOf(model), options)), bits)
            << model << questions;
        attendant->Drop();
      }
    }
  }
}

TEST(AttendedCodeTest, IsMadeBesideTheRun) {
  const auto attendant = std::make_shared<Later>(1);
  const RunResult run = Simulate(ProgramOf(kOscillators),
                                 {.stop = 200,
                                  .method = Method::kRungeKutta4,
                                  .step = 1e-3,
                                  .interval = 1,
                                  .attendant = attendant});
  EXPECT_TRUE(run.summary.completed());
  EXPECT_GT(attendant->num_done(), 0);
}

TEST(AttendedCodeTest, IsNotWaitedFor) {
  for (const CodeChoice code : {CodeChoice::kAuto, CodeChoice::kNative}) {
    const auto attendant = std::make_shared<Later>(kNever);
    const SimulationOptions options{.stop = 60,
                                    .method = Method::kRungeKutta4,
                                    .step = 1e-3,
                                    .interval = 1,
                                    .code = code,
                                    .attendant = attendant};
    SimulationOptions interpreted = options;
    interpreted.code = CodeChoice::kInterpreted;
    EXPECT_EQ(BitsOf(Simulate(ProgramOf(kOscillators), options)),
              BitsOf(Simulate(ProgramOf(kOscillators), interpreted)));
    attendant->Drop();
  }
}

}  // namespace
}  // namespace orrery
