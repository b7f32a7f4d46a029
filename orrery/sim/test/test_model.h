#pragma once

#include <memory>
#include <optional>
#include <string>

#include "orrery/base/source_file.h"
#include "orrery/program/program.h"
#include "orrery/symbolic/expr_math.h"

namespace orrery {

struct FlatModel;

/// A model put together by hand and compiled.
class TestModel {
 public:
  explicit TestModel(const std::string& name);
  TestModel(TestModel&&) noexcept;
  TestModel& operator=(TestModel&&) noexcept;
  ~TestModel();

  Expr State(const std::string& name, double start, bool is_fixed = true);
  Expr Unknown(const std::string& name,
               std::optional<double> start = std::nullopt);
  Expr Parameter(const std::string& name, double value);
  Expr Parameter(const std::string& name, Expr value);
  Expr Input(const std::string& name);
  Expr Time();
  Expr Number(double value);
  Expr Der(Expr state);

  void Equate(Expr left, Expr right, const SourceSpan& span = {});
  void Equate(Expr left, double right);
  void Initially(Expr left, Expr right);

  /// @throws std::runtime_error with the compiler's findings.
  std::shared_ptr<const Program> Compiled();

 private:
  std::unique_ptr<FlatModel> flat_;
};

}  // namespace orrery
