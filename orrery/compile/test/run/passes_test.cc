#include "orrery/compile/passes.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/source_file.h"
#include "orrery/compile/compile.h"
#include "orrery/modelica/load.h"

namespace orrery {

namespace internal = compile::internal;

namespace {

using internal::Compilation;
using internal::kNone;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

FlatModel FlatModelOf(std::shared_ptr<const SourceFile> text) {
  Diagnostics diagnostics;
  auto flat = modelica::Flatten(std::move(text), "", diagnostics);
  EXPECT_TRUE(flat.has_value());
  return flat ? std::move(*flat) : FlatModel();
}

FlatModel FlatModelOf(const std::string& body) {
  return FlatModelOf(
      std::make_shared<SourceFile>("test.mo", "model A\n" + body + "end A;\n"));
}

// Invariants of the working form. Each gives the names of what breaks it.

std::vector<std::string> ScalarsWithoutTheirKey(const Compilation& its) {
  std::vector<std::string> broken;
  for (std::uint32_t i = 0; i < its.system.scalars.size(); ++i) {
    if (its.system.ScalarAt(its.system.scalars[i].key) != i) {
      broken.push_back(its.system.NameOf(i));
    }
  }
  return broken;
}

std::vector<std::string> OneSidedPartners(const Compilation& its) {
  const auto& scalars = its.system.scalars;
  std::vector<std::string> broken;
  for (std::uint32_t i = 0; i < scalars.size(); ++i) {
    const std::uint32_t derivative = scalars[i].derivative;
    const std::uint32_t pre = scalars[i].pre;
    if ((derivative != kNone && scalars[derivative].derivative_of != i) ||
        (pre != kNone && scalars[pre].pre_of != i)) {
      broken.push_back(its.system.NameOf(i));
    }
  }
  return broken;
}

std::vector<std::string> AliasesOfAliases(const Compilation& its) {
  const auto& aliases = its.system.aliases;
  std::vector<std::string> broken;
  for (std::uint32_t i = 0; i < aliases.size(); ++i) {
    if (aliases[aliases[i].scalar].scalar != aliases[i].scalar) {
      broken.push_back(its.system.NameOf(i));
    }
  }
  return broken;
}

std::vector<std::string> RowsMatchedOneWay(const Compilation& its) {
  const internal::Matching& matching = its.matched.matching;
  std::vector<std::string> broken;
  for (std::uint32_t row = 0; row < matching.column_of_row.size(); ++row) {
    const std::uint32_t column = matching.column_of_row[row];
    if (column != kNone && matching.row_of_column[column] != row) {
      broken.push_back(its.system.TextOf(its.matched.problem.equations[row]));
    }
  }
  return broken;
}

// Walks along sorted equations and finds quantities that are used before they
// are defined, or are defined twice.
class OrderCheck {
 public:
  explicit OrderCheck(Compilation& its) : its_(its) {}

  std::vector<std::string> Broken() {
    for (const auto& step : its_.compiled.equations) {
      ForEachDefined(step, [&](std::uint32_t scalar) {
        if (defined_at_.contains(scalar)) {
          broken_.push_back("twice: " + its_.system.NameOf(scalar));
        }
        defined_at_[scalar] = num_steps_;
      });
      ++num_steps_;
    }
    int at = 0;
    for (const auto& step : its_.compiled.equations) {
      if (const auto* its = std::get_if<internal::ExplicitEquation>(&step)) {
        Check(its->value, at - 1);
      } else {
        for (const auto& inner :
             std::get<internal::AlgebraicLoop>(step).inner) {
          Check(inner.value, at);
        }
      }
      ++at;
    }
    return broken_;
  }

 private:
  template <typename Use>
  static void ForEachDefined(const internal::SortedEquation& step, Use use) {
    if (const auto* its = std::get_if<internal::ExplicitEquation>(&step)) {
      use(its->scalar);
      return;
    }
    const auto& loop = std::get<internal::AlgebraicLoop>(step);
    std::ranges::for_each(loop.torn, use);
    for (const auto& inner : loop.inner) {
      use(inner.scalar);
    }
  }

  void Check(Expr value, int last) {
    const std::vector<Expr> formulas = {value};
    for (const std::uint32_t scalar : its_.system.walk.Scalars(formulas)) {
      const auto found = defined_at_.find(scalar);
      if (found != defined_at_.end() && found->second > last) {
        broken_.push_back("too early: " + its_.system.NameOf(scalar));
      }
    }
  }

  Compilation& its_;
  std::map<std::uint32_t, int> defined_at_;
  int num_steps_ = 0;
  std::vector<std::string> broken_;
};

void CheckInvariants(Compilation& its) {
  EXPECT_THAT(ScalarsWithoutTheirKey(its), IsEmpty());
  EXPECT_THAT(OneSidedPartners(its), IsEmpty());
  EXPECT_THAT(AliasesOfAliases(its), IsEmpty());
  EXPECT_THAT(RowsMatchedOneWay(its), IsEmpty());
  EXPECT_THAT(OrderCheck(its).Broken(), IsEmpty());
}

TEST(PassesTest, EachPassLeavesTheWorkingFormOfEveryExampleSound) {
  int num_models = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           ORRERY_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".mo") {
      continue;
    }
    SCOPED_TRACE(entry.path().string());
    Diagnostics diagnostics;
    const auto flat = modelica::Flatten(
        SourceFile::Read(entry.path().string()), "", diagnostics);
    if (!flat) {
      continue;  // It has several models.
    }
    const std::vector<internal::EquationLoop> loops;
    const internal::CompileWay way;
    Compilation compilation(*flat, loops, way, diagnostics);
    try {
      for (const internal::Pass& pass : internal::Passes()) {
        SCOPED_TRACE(std::string(pass.name));
        if (pass.run(compilation) == internal::Next::kStop) {
          break;
        }
        CheckInvariants(compilation);
      }
    } catch (const internal::Retry&) {
      // The driver goes on in another way.
    }
    ++num_models;
  }
  EXPECT_GE(num_models, 30);
}

class Log : public PassWatch {
 public:
  void OnPass(const PassReport& report) override {
    passes.emplace_back(report.pass);
    attempts = report.attempt;
    equations[passes.back()] = report.equations();
  }

  void OnRetry(std::string_view reason) override {
    reasons.emplace_back(reason);
  }

  std::vector<std::string> passes;
  std::vector<std::string> reasons;
  std::map<std::string, std::string> equations;
  int attempts = 0;
};

TEST(PassesTest, AWatchSeesEachPassOfOneAttemptInOrder) {
  const FlatModel flat = FlatModelOf(
      "  Real x(start = 1, fixed = true);\n"
      "  Real y;\n"
      "equation\n"
      "  der(x) = -y;\n"
      "  y = 2*x;\n");
  Log log;
  Diagnostics diagnostics;
  ASSERT_NE(Compile(flat, diagnostics, LoopForm::kKept, &log), nullptr);
  const std::vector<std::string_view> names = PassNames();
  EXPECT_TRUE(std::ranges::equal(log.passes, names));
  EXPECT_EQ(log.attempts, 1);
  EXPECT_THAT(log.reasons, IsEmpty());
}

TEST(PassesTest, TheEquationsBehindAPassShowWhatItDid) {
  const FlatModel flat = FlatModelOf(
      "  Real x(start = 1, fixed = true);\n"
      "  Real y, z;\n"
      "equation\n"
      "  der(x) = -y;\n"
      "  y = 2*x;\n"
      "  z = -y;\n");
  Log log;
  Diagnostics diagnostics;
  ASSERT_NE(Compile(flat, diagnostics, LoopForm::kKept, &log), nullptr);
  EXPECT_THAT(log.equations["scalarize"], HasSubstr("  x  state\n"));
  EXPECT_THAT(log.equations["aliases"], HasSubstr("  z  = -y\n"));
  EXPECT_THAT(log.equations["match"], HasSubstr("y = 2*x    [y]\n"));
  EXPECT_THAT(log.equations["parameters"], HasSubstr("  y = 2*x\n"));
  EXPECT_THAT(log.equations["sort-continuous"], HasSubstr("  y := 2*x\n"));
  EXPECT_THAT(log.equations["emit"], HasSubstr("der(x) = -y\n"));
}

TEST(PassesTest, AModelIsCompiledAnewForRelationsInANonlinearLoop) {
  const FlatModel flat = FlatModelOf(
      "  Real m, y;\n"
      "equation\n"
      "  y = if m > 0 then m^2 else -m^2;\n"
      "  m = time - 1 - y;\n");
  Log log;
  Diagnostics diagnostics;
  ASSERT_NE(Compile(flat, diagnostics, LoopForm::kKept, &log), nullptr);
  EXPECT_THAT(log.reasons,
              ElementsAre("relations have to be seen as they are"));
  EXPECT_EQ(log.attempts, 2);
}

TEST(PassesTest, LoopsThatCannotStayAreTakenApartInAnotherAttempt) {
  const FlatModel flat = FlatModelOf(
      "  Real u[30](each start = 1);\n"
      "  Real v[30];\n"
      "equation\n"
      "  for i in 1:30 loop\n"
      "    der(u[i]) = -v[i];\n"
      "  end for;\n"
      "  for i in 1:30 loop\n"
      "    v[i]^3 + v[i] = u[i];\n"
      "  end for;\n");
  Log log;
  Diagnostics diagnostics;
  ASSERT_NE(Compile(flat, diagnostics, LoopForm::kKept, &log), nullptr);
  EXPECT_THAT(log.reasons, Contains("loops have to be taken apart"));
}

}  // namespace
}  // namespace orrery
