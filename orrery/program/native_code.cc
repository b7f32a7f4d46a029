#include "orrery/program/native_code.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/program/internal/code_costs.h"
#include "orrery/program/program.h"

namespace orrery {
namespace {

// What making code of so many instructions costs, in instructions of the
// interpreter (2 ns each): to set out, to look at each for what repeats itself,
// and to compile what is left; long code is mostly repetitions.
double CostOfCode(double size) {
  constexpr double kToSetOut = 5e6;
  constexpr double kToLookAt = 1e3;
  constexpr double kToCompile = 1e4;
  constexpr double kMostLeft = 2e4;
  return kToSetOut + kToLookAt * size + kToCompile * std::min(size, kMostLeft);
}

// How much is interpreted before others hear of it.
constexpr double kCostToTell = 5e4;

// What recurrences up to an order come to, in such instructions.
double CostOfTaylor(const TaylorPlan& plan, int order) {
  constexpr double kOfBatch = 8;
  return kOfBatch * static_cast<double>(plan.batches.size()) * order +
         plan.NumProducts(order, true);
}

// And the machine code that they become: loops, or written out if they are few.
double SizeOfTaylor(const TaylorPlan& plan) {
  constexpr double kOfBatch = 50;
  return kOfBatch * static_cast<double>(plan.batches.size());
}

// Whether steps of a plan are made as machine code: what takes little time
// besides them is worth it, and in lanes all is written out.
bool IsShort(const TaylorPlan& plan, int order, std::size_t lanes) {
  constexpr double kMostProducts = 4000;
  return plan.NumProducts(order, lanes > 1) <= kMostProducts;
}

}  // namespace

bool UniformNumbers::AreSame(std::span<const double> memory) const noexcept {
  const auto bits = [](const double& number) {
    return std::bit_cast<std::uint64_t>(number);
  };
  const double* number = &memory[first];
  const std::uint64_t of_first = bits(*number);
  for (std::uint32_t k = 1; k < count; ++k) {
    number += stride;
    if (bits(*number) != of_first) {
      return false;
    }
  }
  return true;
}

bool RelyingCode::IsFor(std::span<const double> memory) const noexcept {
  return std::ranges::all_of(uniform, [&](const UniformNumbers& numbers) {
    return numbers.AreSame(memory);
  });
}

NativeCode::NativeCode(std::shared_ptr<const Tape> tape,
                       std::unique_ptr<SectionCompiler> compiler)
    : tape_(std::move(tape)),
      compiler_(std::move(compiler)),
      entries_(tape_->num_sections()),
      is_function_made_(tape_->num_functions()) {
  internal::CodeCosts costs(*tape_);
  for (std::size_t section = 0; section < entries_.size(); ++section) {
    Entry& entry = entries_[section];
    entry.cost_of_run = costs.OfRun(section);
    entry.functions = costs.FunctionsOf(section);
    entry.runs_to_tell = static_cast<std::uint64_t>(
        std::max(1.0, kCostToTell / entry.cost_of_run));
  }
}

void NativeCode::Prepare() {
  if (!is_prepared_) {
    const std::scoped_lock lock(mutex_);
    compiler_->Prepare();
    is_prepared_ = true;
  }
}

NativeSection NativeCode::Make(std::size_t section) noexcept {
  const std::scoped_lock lock(mutex_);
  return Compile(section);
}

NativeSection NativeCode::MakeInLanes(const std::vector<std::size_t>& sections,
                                      std::size_t lanes) {
  const std::scoped_lock lock(mutex_);
  const auto [found, is_new] = in_lanes_.try_emplace({sections, lanes});
  if (is_new) {
    found->second = TryToMake<NativeSection>(
        [&] { return compiler_->CompileInLanes(sections, lanes); });
  }
  return found->second;
}

void NativeCode::Add(std::size_t section, std::uint64_t runs) noexcept {
  Entry& entry = entries_[section];
  entry.spent.fetch_add(entry.cost_of_run * static_cast<double>(runs),
                        std::memory_order_relaxed);
}

NativeSection NativeCode::Offer(std::size_t section) noexcept {
  if (const NativeSection code = Find(section)) {
    return code;
  }
  const auto spent = entries_[section].spent.load(std::memory_order_relaxed);
  if (spent < CostOfCode(static_cast<double>(tape_->size(section))) ||
      !can_compile_) {
    return nullptr;
  }
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || spent < CostOfCode(SizeToCompile(section))) {
    return nullptr;
  }
  return Compile(section);
}

// In instructions; the mutex is held.
double NativeCode::SizeToCompile(std::size_t section) const {
  std::size_t size = tape_->size(section);
  for (const std::uint32_t function : entries_[section].functions) {
    if (!is_function_made_[function]) {
      size += tape_->FunctionCode(function).size();
    }
  }
  return static_cast<double>(size);
}

// The mutex is held. Where there can be no code, the interpreter does as well.
template <typename Code, typename Makes>
Code NativeCode::TryToMake(const Makes& make) noexcept {
  if (can_compile_) {
    try {
      return make();
    } catch (...) {
      can_compile_ = false;
    }
  }
  return {};
}

// The mutex is held.
template <typename Code, typename Compiles>
const Code& NativeCode::FindOrMake(Variants<Code>& known,
                                   std::span<const double> memory,
                                   const Compiles& compile) {
  for (const Code& code : known) {
    if (code.IsFor(memory)) {
      return code;
    }
  }
  return known.emplace_back(TryToMake<Code>([&] {
    return compile(known.empty() ? memory : std::span<const double>());
  }));
}

const NativeSlopes& NativeCode::MakeSlopes(const Program& program,
                                           std::span<const double> memory) {
  const std::scoped_lock lock(mutex_);
  return FindOrMake(slopes_, memory, [&](std::span<const double> relied_on) {
    return compiler_->CompileSlopes(program, relied_on);
  });
}

const NativeSteps& NativeCode::MakeSteps(const Program& program,
                                         const ExplicitTableau& tableau,
                                         std::size_t lanes,
                                         std::span<const double> memory) {
  const std::scoped_lock lock(mutex_);
  return FindOrMake(steps_[{&tableau, lanes}],
                    memory,
                    [&](std::span<const double> relied_on) {
                      return compiler_->CompileSteps(
                          program, tableau, lanes, relied_on);
                    });
}

const NativeAdaptiveSteps& NativeCode::MakeAdaptiveSteps(
    const Program& program,
    const EmbeddedMethod& method,
    std::size_t lanes,
    std::span<const double> memory) {
  const std::scoped_lock lock(mutex_);
  return FindOrMake(adaptive_steps_[{&method, lanes}],
                    memory,
                    [&](std::span<const double> relied_on) {
                      return compiler_->CompileAdaptiveSteps(
                          program, method, lanes, relied_on);
                    });
}

NativeCode::Work NativeCode::WorkOfSlopes(const Program& program) const {
  Work work;
  for (const ScheduleStep& step : program.derivatives) {
    if (step.kind == ScheduleStep::Kind::kSection) {
      work.of_run += entries_[step.index].cost_of_run;
      work.size += static_cast<double>(tape_->size(step.index));
    }
  }
  return work;
}

const NativeSlopes* NativeCode::OfferSlopes(const Program& program,
                                            std::span<const double> memory) {
  const Work work = WorkOfSlopes(program);
  // A little before the sections themselves are compiled.
  const double cost_of_code = 0.5 * CostOfCode(work.size);
  return static_cast<double>(slopes_runs_) * work.of_run < cost_of_code
             ? nullptr
             : &MakeSlopes(program, memory);
}

bool NativeCode::DoLanesPay(const Program& program) const {
  // The share of machine code in the time of the interpreter, with the control
  // of the steps, and the stages that steps consist of.
  constexpr double kShare = 0.2;
  constexpr double kStages = 10;
  const Work work = WorkOfSlopes(program);
  return static_cast<double>(evaluations_) * kShare * work.of_run >
         CostOfCode(kStages * work.size);
}

const TaylorPlan& NativeCode::PlanOf(const std::function<TaylorPlan()>& make) {
  const std::scoped_lock lock(mutex_);
  if (!plan_) {
    plan_ = make();
  }
  return *plan_;
}

NativeTaylor NativeCode::MakeTaylor(const TaylorPlan& plan, int order) {
  const std::scoped_lock lock(mutex_);
  const auto [found, is_new] = taylor_.try_emplace(order, nullptr);
  if (is_new) {
    found->second = TryToMake<NativeTaylor>(
        [&] { return compiler_->CompileTaylor(plan, order); });
  }
  return found->second;
}

NativeTaylorSteps NativeCode::MakeTaylorSteps(const TaylorPlan& plan,
                                              int order,
                                              std::size_t lanes) {
  const std::scoped_lock lock(mutex_);
  const auto [found, is_new] = taylor_steps_.try_emplace({order, lanes});
  if (is_new && !plan.has_breaks && IsShort(plan, order, lanes)) {
    found->second = TryToMake<NativeTaylorSteps>(
        [&] { return compiler_->CompileTaylorSteps(plan, order, lanes); });
  }
  return found->second;
}

void NativeCode::AddTaylorRuns(const TaylorPlan& plan,
                               int order,
                               std::uint64_t runs) noexcept {
  taylor_spent_.fetch_add(CostOfTaylor(plan, order) * static_cast<double>(runs),
                          std::memory_order_relaxed);
}

NativeTaylor NativeCode::OfferTaylor(const TaylorPlan& plan, int order) {
  return DoesTaylorPay(plan) ? MakeTaylor(plan, order) : nullptr;
}

NativeTaylorSteps NativeCode::OfferTaylorSteps(const TaylorPlan& plan,
                                               int order) {
  return DoesTaylorPay(plan) ? MakeTaylorSteps(plan, order, 1) : nullptr;
}

bool NativeCode::DoesTaylorPay(const TaylorPlan& plan) const {
  return taylor_spent_.load(std::memory_order_relaxed) >=
         CostOfCode(SizeOfTaylor(plan));
}

// The mutex is held.
NativeSection NativeCode::Compile(std::size_t section) noexcept {
  Entry& entry = entries_[section];
  NativeSection code = entry.code.load(std::memory_order_relaxed);
  if (code == nullptr) {
    code =
        TryToMake<NativeSection>([&] { return compiler_->Compile(section); });
    entry.code.store(code, std::memory_order_release);
    for (const std::uint32_t function : entry.functions) {
      is_function_made_[function] = true;
    }
  }
  return code;
}

CodeChoice CodeChoiceFromName(std::string_view name) {
  if (name == "auto") {
    return CodeChoice::kAuto;
  }
  if (name == "interpreted") {
    return CodeChoice::kInterpreted;
  }
  if (name == "native") {
    return CodeChoice::kNative;
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot run code '" + std::string(name) +
                  "': no such kind; known: auto, interpreted, native");
}

SectionRunner::SectionRunner(const Tape& tape,
                             NativeCode* native,
                             CodeChoice choice)
    : tape_(tape),
      native_(choice == CodeChoice::kInterpreted ? nullptr : native),
      choice_(choice),
      sections_(tape.num_sections()) {
  if (choice == CodeChoice::kNative && native == nullptr) {
    throw Error(ErrorCode::kUnsupported,
                "cannot run native code: the program has none; let it be "
                "interpreted");
  }
  if (choice == CodeChoice::kNative) {
    native->Prepare();
  }
  if (native_ != nullptr) {
    for (std::size_t section = 0; section < sections_.size(); ++section) {
      sections_[section].code = native_->Offer(section);
    }
  }
}

SectionRunner::~SectionRunner() {
  if (native_ == nullptr) {
    return;
  }
  for (std::size_t section = 0; section < sections_.size(); ++section) {
    if (sections_[section].runs > 0) {
      native_->Add(section, sections_[section].runs);
    }
  }
}

Tape::Outcome SectionRunner::Interpret(std::size_t section,
                                       double* memory) noexcept {
  if (native_ == nullptr) {
    return tape_.Run(section, memory);
  }
  Section& entry = sections_[section];
  if (choice_ == CodeChoice::kNative) {
    entry.code = native_->Make(section);
  } else if (++entry.runs >= native_->RunsToTell(section)) {
    native_->Add(section, std::exchange(entry.runs, 0));
    entry.code = native_->Offer(section);
  }
  return entry.code == nullptr ? tape_.Run(section, memory)
                               : static_cast<Tape::Outcome>(entry.code(memory));
}

}  // namespace orrery
