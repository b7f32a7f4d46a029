// Instances of one FMU at once: they share its code and nothing else.
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/source_file.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/library.h"
#include "orrery/fmi/stepping/stepped_fmu.h"
#include "orrery/fmi/writing/exported_fmu.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery::fmi {
namespace {

constexpr std::size_t kCount = 8;

constexpr const char* kModel = R"(model Swing
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Integer turns(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -k*x;
  when v > 0 then
    turns = pre(turns) + 1;
  end when;
end Swing;
)";

// The values of all variables after each of some steps, with this parameter.
std::vector<double> CourseOf(const std::shared_ptr<const Library>& library,
                             double k) {
  const Description& its = *library->fmu().description;
  std::vector<VariableIndex> variables;
  std::vector<std::size_t> places;
  std::vector<FmuSetting> settings;
  for (std::size_t i = 0; i < its.variables.size(); ++i) {
    variables.push_back(static_cast<VariableIndex>(i));
    places.push_back(i);
    if (its.variables[i].name == "k") {
      settings.push_back(
          {.variable = variables.back(), .values = std::vector<double>{k}});
    }
  }
  const auto groups = GroupByType(its, variables, places);
  SteppedFmu fmu(library, "instance", nullptr);
  fmu.EnterInitialization({.start = 0, .stop = 4}, settings);
  fmu.ExitInitialization(0);
  std::vector<double> course;
  std::vector<double> row(variables.size());
  for (int i = 0; i < 32; ++i) {
    fmu.StepTo(i * 0.125, (i + 1) * 0.125, 0.125, [](bool /*jump*/) {});
    for (const ReferenceGroup& group : groups) {
      fmu.instance().GetNumbers(group, row);
    }
    course.insert(course.end(), row.begin(), row.end());
  }
  return course;
}

TEST(ThreadsTest, EightInstancesOnEightThreadsComputeWhatOneDoes) {
  Diagnostics diagnostics;
  const Fmu fmu = ReadFmu(std::make_shared<const SourceFile>(
                              "own.fmu", ExportFmu(CompileText(kModel), {})),
                          diagnostics);
  const auto library =
      std::make_shared<const Library>(fmu, InterfaceKind::kCoSimulation);
  const auto k_of = [](std::size_t i) {
    return 1 + static_cast<double>(i);
  };

  std::array<std::vector<double>, kCount> courses;
  std::vector<std::thread> threads;
  threads.reserve(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    threads.emplace_back(
        [&, i] { courses.at(i) = CourseOf(library, k_of(i)); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }

  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(courses.at(i), CourseOf(library, k_of(i)));
  }
  EXPECT_NE(courses.front(), courses.back());
}

}  // namespace
}  // namespace orrery::fmi
