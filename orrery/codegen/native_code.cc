#include "orrery/codegen/native_code.h"

#include <algorithm>
#include <exception>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/system/dynamic_library.h"
#include "orrery/codegen/llvm/llvm_compiler.h"
#include "orrery/codegen/plan/roll_up.h"
#include "orrery/codegen/plan/slopes_code.h"

namespace orrery {

namespace internal = codegen::internal;

namespace {

double PowerOf(double base, double exponent) {
  return EvaluateOp(Op::kPower, base, exponent, 0);
}

std::uint8_t CallOpaque(const OpaqueFunction* function,
                        const double* inputs,
                        double* outputs) {
  try {
    function->evaluate(std::span(inputs, function->num_inputs),
                       std::span(outputs, function->num_outputs));
    return static_cast<std::uint8_t>(Tape::Outcome::kDone);
  } catch (...) {
    return static_cast<std::uint8_t>(Tape::Outcome::kException);
  }
}

internal::LlvmCompile& Llvm() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): code.
  static internal::LlvmCompile* const compile =
      DynamicLibrary(ORRERY_LLVM, "make native code")
          .Find<internal::LlvmCompile>("OrreryLlvmCompile");
  return *compile;
}

class LlvmSections final : public SectionCompiler {
 public:
  explicit LlvmSections(std::shared_ptr<const Tape> tape)
      : tape_(std::move(tape)), functions_(tape_->num_functions()) {}

  void Prepare() override { Llvm(); }

  NativeSection Compile(std::size_t section) override {
    if (const auto made = made_.find(section); made != made_.end()) {
      return made->second;
    }
    const internal::IsWanted is_wanted = IsWanted();
    const SectionRange range = LikeSections(section);
    std::vector<internal::TapeCode> codes;
    for (std::size_t k = 0; k < range.count; ++k) {
      codes.push_back(
          internal::RollUp(tape_->CodeOf(range.first + k), is_wanted));
    }
    const std::vector<std::span<const Tape::Instruction>> parts(codes.begin(),
                                                                codes.end());
    const auto entries = MakeAll({.tape = tape_.get(),
                                  .code = parts.front(),
                                  .more = std::span(parts).subspan(1)});
    for (std::size_t k = 0; k < range.count; ++k) {
      made_[range.first + k] = reinterpret_cast<NativeSection>(entries[k]);
    }
    return made_[section];
  }

  NativeSection CompileInLanes(std::span<const std::size_t> sections,
                               std::size_t lanes) override {
    internal::TapeCode code;
    for (const std::size_t section : sections) {
      const auto part = tape_->CodeOf(section);
      code.insert(code.end(), part.begin(), part.end() - 1);
    }
    code.push_back({.op = TapeOp::kReturn});
    if (!internal::GoesInLanes(code)) {
      return nullptr;
    }
    code = internal::RollUp(code, IsWanted());
    return reinterpret_cast<NativeSection>(
        Make({.tape = tape_.get(),
              .code = code,
              .lanes = static_cast<std::uint32_t>(lanes)}));
  }

  NativeSlopes CompileSlopes(const Program& program,
                             std::span<const double> memory) override {
    NativeSlopes result;
    if (const auto code =
            internal::SlopesCode(program, memory, result.uniform)) {
      result.function = reinterpret_cast<NativeSlopes::Function>(
          Make({.tape = tape_.get(), .code = *code, .has_states = true}));
    }
    return result;
  }

  [[nodiscard]] std::size_t vector_width() const override {
    return internal::VectorWidth();
  }

  NativeSteps CompileSteps(const Program& program,
                           const ExplicitTableau& tableau,
                           std::size_t lanes,
                           std::span<const double> memory) override {
    internal::NativeStepsTask task{.tableau = &tableau,
                                   .num_states = program.state_slots.size(),
                                   .lanes = static_cast<std::uint32_t>(lanes)};
    return MakeSteps<NativeSteps>(program, memory, task);
  }

  NativeAdaptiveSteps CompileAdaptiveSteps(
      const Program& program,
      const EmbeddedMethod& method,
      std::size_t lanes,
      std::span<const double> memory) override {
    internal::NativeStepsTask task{.tableau = &method.tableau,
                                   .method = &method,
                                   .num_states = program.state_slots.size(),
                                   .lanes = static_cast<std::uint32_t>(lanes)};
    return MakeSteps<NativeAdaptiveSteps>(program, memory, task);
  }

  NativeTaylor CompileTaylor(const TaylorPlan& plan, int order) override {
    return reinterpret_cast<NativeTaylor>(
        MakeTaylor({.plan = &plan, .order = order}));
  }

  NativeTaylorSteps CompileTaylorSteps(const TaylorPlan& plan,
                                       int order,
                                       std::size_t lanes) override {
    return reinterpret_cast<NativeTaylorSteps>(
        MakeTaylor({.plan = &plan,
                    .order = order,
                    .has_steps = true,
                    .lanes = static_cast<std::uint32_t>(lanes)}));
  }

 private:
  // True for results of sections in memory, false for scratch.
  [[nodiscard]] internal::IsWanted IsWanted() const {
    return [end = tape_->scratch()](std::uint32_t address) {
      return address < end;
    };
  }

  void* MakeTaylor(const internal::NativeTaylorTask& task) {
    return Make({.tape = tape_.get(), .taylor = &task});
  }

  template <typename Code>
  Code MakeSteps(const Program& program,
                 std::span<const double> memory,
                 internal::NativeStepsTask& task) {
    Code result;
    const auto code = internal::SlopesCode(program, memory, result.uniform);
    if (!code || (task.lanes > 1 && !internal::GoesInLanes(*code))) {
      return result;
    }
    result.slots = internal::SlotsRead(*code);
    result.needs_times = Contains(result.slots, program.time_slot);
    if (result.needs_times) {
      task.time_slot = program.time_slot;
    }
    result.function =
        reinterpret_cast<typename Code::Function>(Make({.tape = tape_.get(),
                                                        .code = *code,
                                                        .has_states = true,
                                                        .steps = &task}));
    return result;
  }

  struct SectionRange {
    std::size_t first = 0;
    std::size_t count = 1;
  };

  // The section with its neighbours that have the same operations, as handlers
  // of many equal parts. Together they must not take longer to compile than the
  // setup takes.
  [[nodiscard]] SectionRange LikeSections(std::size_t section) const {
    constexpr std::size_t kMostTogether = 500;  // Instructions.
    const auto is_like = [&](std::size_t other) {
      return !made_.contains(other) &&
             std::ranges::equal(tape_->CodeOf(section),
                                tape_->CodeOf(other),
                                {},
                                &Tape::Instruction::op,
                                &Tape::Instruction::op);
    };
    // A section for relations between plain quantities is empty.
    const std::size_t size = std::max<std::size_t>(tape_->size(section), 1);
    const std::size_t most = std::max<std::size_t>(kMostTogether / size, 1);
    SectionRange range = {.first = section};
    while (range.count < most &&
           range.first + range.count < tape_->num_sections() &&
           is_like(range.first + range.count)) {
      ++range.count;
    }
    while (range.count < most && range.first > 0 && is_like(range.first - 1)) {
      --range.first;
      ++range.count;
    }
    return range;
  }

  void* Make(const internal::NativeTask& task) { return MakeAll(task).front(); }

  std::span<void* const> MakeAll(internal::NativeTask task) {
    task.functions = functions_;
    std::string error;
    std::unique_ptr<internal::LlvmCode> code(
        Llvm()(task, {.power = PowerOf, .opaque = CallOpaque}, error));
    if (code == nullptr) {
      throw Error(ErrorCode::kUnsupported,
                  "cannot make native code: " + error +
                      "; let the equations be interpreted");
    }
    codes_.push_back(std::move(code));
    for (const internal::MadeFunction& made : codes_.back()->functions()) {
      functions_[made.number] = made.code;
    }
    return codes_.back()->entries();
  }

  std::shared_ptr<const Tape> tape_;
  std::vector<std::unique_ptr<internal::LlvmCode>> codes_;
  std::vector<void*> functions_;  // By number; null: not made yet.
  std::unordered_map<std::size_t, NativeSection> made_;
};

}  // namespace

std::shared_ptr<NativeCode> MakeNativeCode(std::shared_ptr<const Tape> tape) {
  auto compiler = std::make_unique<LlvmSections>(tape);
  return std::make_shared<NativeCode>(std::move(tape), std::move(compiler));
}

}  // namespace orrery
