// The translation of a model that its user stops.
#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/source_file.h"
#include "orrery/base/system/stop_scope.h"
#include "orrery/sdk/model/model.h"

namespace orrery {
namespace {

/// Goes on for a number of questions.
class Patient : public Attendant {
 public:
  explicit Patient(int questions) : left_(questions) {}

  [[nodiscard]] bool goes_on() const noexcept override {
    return left_ > 0 && left_-- > 0;
  }

  void Post(std::function<void()> task) override { task(); }

  [[nodiscard]] bool Await() override { return goes_on(); }

  [[nodiscard]] int left() const noexcept { return left_; }

 private:
  mutable std::atomic<int> left_;
};

constexpr int kAlways = std::numeric_limits<int>::max();

// Components, loops, a function, an event, and nonlinear equations.
const char* const kText = R"(
model Chain
  function f
    input Real x[:];
    output Real y;
  algorithm
    y := 0;
    for i in 1:size(x, 1) loop
      y := y + i*x[i]^2;
    end for;
  end f;
  model Cell
    parameter Real k = 1;
    Real q(start = 0, fixed = true);
  equation
    der(q) = 1 - k*q;
  end Cell;
  Cell a, b(k = 2), c(k = 3), d(k = 4);
  parameter Integer n = 40;
  Real x[n](each start = 1, each fixed = true);
  Real z[n](each start = 1);
  Real y = f(x);
  discrete Real hit(start = 0, fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = z[i] - i*x[i];
    z[i]^3 + sum(z[j]/(i + j) for j in 1:n) = x[i];
  end for;
  when y < 0.5 then
    hit = time;
  end when;
end Chain;
)";

Model Load() {
  return LoadText(std::make_shared<SourceFile>("chain.mo", kText));
}

// How often work asks whether it goes on.
int QuestionsOf(const std::function<void()>& work) {
  const Patient attendant(kAlways);
  const StopScope scope(attendant);
  work();
  return kAlways - attendant.left();
}

TEST(StoppedTranslationTest, FlatteningEndsWhereverItIsStopped) {
  const int questions = QuestionsOf([] { static_cast<void>(Load()); });
  EXPECT_GT(questions, 5);
  for (const int after : {0, 1, questions / 2, questions - 1}) {
    const Patient attendant(after);
    const StopScope scope(attendant);
    EXPECT_THROW(static_cast<void>(Load()), Stopped) << after;
  }
}

TEST(StoppedTranslationTest, AModelIsCompiledAfterManyStoppedAttempts) {
  const std::string whole = EquationsAsText(*Compile(Load()));
  const int questions =
      QuestionsOf([] { static_cast<void>(Compile(Load())); }) -
      QuestionsOf([] { static_cast<void>(Load()); });
  EXPECT_GT(questions, 100);
  const Model model = Load();
  // The first attempts have made formulas that later ones need not make.
  for (int after = 0; after < questions * 9 / 10; after += questions / 10) {
    const Patient attendant(after);
    const StopScope scope(attendant);
    EXPECT_THROW(static_cast<void>(Compile(model)), Stopped) << after;
  }
  EXPECT_EQ(EquationsAsText(*Compile(model)), whole);
}

}  // namespace
}  // namespace orrery
