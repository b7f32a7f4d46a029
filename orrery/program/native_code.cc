#include "orrery/program/native_code.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/program/code_costs.h"
#include "orrery/program/program.h"

namespace orrery {

namespace internal = program::internal;

namespace {

// Cost of making code for `size` instructions, in instructions of the
// interpreter (2 ns each): a fixed part, a search for repetitions, and the
// compilation of the rest. Long code is mostly repetitions.
double CostOfCode(double size) {
  constexpr double kToSetOut = 5e6;
  constexpr double kToLookAt = 1e3;
  constexpr double kToCompile = 1e4;
  constexpr double kMostLeft = 2e4;
  return kToSetOut + kToLookAt * size + kToCompile * std::min(size, kMostLeft);
}

// Work that is interpreted between two reports.
constexpr double kCostToTell = 5e4;

// Cost of recurrences up to an order, in such instructions.
double CostOfTaylor(const TaylorPlan& plan, int order) {
  constexpr double kOfBatch = 8;
  return kOfBatch * static_cast<double>(plan.batches.size()) * order +
         plan.NumProducts(order, true);
}

// Size of their machine code: loops, or straight code if they are few.
double SizeOfTaylor(const TaylorPlan& plan) {
  constexpr double kOfBatch = 50;
  return kOfBatch * static_cast<double>(plan.batches.size());
}

// True if steps of a plan are compiled. It pays if a step takes little time; in
// lanes all code is straight.
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

void NativeCode::MakeBeside(std::shared_ptr<Attendant> attendant) {
  const std::scoped_lock lock(mutex_);
  if (attendant_ == nullptr) {
    attendant_ = std::move(attendant);
  }
}

void NativeCode::Prepare() {
  if (!is_prepared_) {
    const std::scoped_lock lock(making_);
    compiler_->Prepare();
    is_prepared_ = true;
  }
}

NativeSection NativeCode::Make(std::size_t section) {
  bool is_new = false;
  {
    const std::scoped_lock lock(mutex_);
    is_new = !std::exchange(entries_[section].is_ordered, true);
  }
  if (is_new) {
    OrderSection(section);
  }
  if (Find(section) == nullptr) {
    static_cast<void>(Await());
  }
  return Find(section);
}

NativeSection NativeCode::MakeInLanes(const std::vector<std::size_t>& sections,
                                      std::size_t lanes) {
  const auto find = [&]() -> std::pair<Ordered<NativeSection>&, bool> {
    const std::scoped_lock lock(mutex_);
    const auto [found, is_new] = in_lanes_.try_emplace({sections, lanes});
    return {found->second, is_new};
  };
  return FindOrOrder<NativeSection>(
      find(),
      [this, sections, lanes] {
        return compiler_->CompileInLanes(sections, lanes);
      },
      Patience::kWaits);
}

void NativeCode::Add(std::size_t section, std::uint64_t runs) noexcept {
  Entry& entry = entries_[section];
  entry.spent.fetch_add(entry.cost_of_run * static_cast<double>(runs),
                        std::memory_order_relaxed);
}

NativeSection NativeCode::Offer(std::size_t section) {
  if (const NativeSection code = Find(section)) {
    return code;
  }
  Entry& entry = entries_[section];
  const auto spent = entry.spent.load(std::memory_order_relaxed);
  if (spent < CostOfCode(static_cast<double>(tape_->size(section))) ||
      !can_compile_) {
    return nullptr;
  }
  {
    const std::scoped_lock lock(mutex_);
    if (entry.is_ordered || (attendant_ == nullptr && is_making_) ||
        spent < CostOfCode(SizeToCompile(section))) {
      return nullptr;
    }
    entry.is_ordered = true;
  }
  OrderSection(section);
  return Find(section);
}

void NativeCode::OrderSection(std::size_t section) {
  Order<NativeSection>(
      [this, section] { return compiler_->Compile(section); },
      [this, section](NativeSection code) {
        entries_[section].code.store(code, std::memory_order_release);
        for (const std::uint32_t function : entries_[section].functions) {
          is_function_made_[function] = true;
        }
      },
      weak_from_this().lock());
}

// In instructions. The mutex is held.
double NativeCode::SizeToCompile(std::size_t section) const {
  std::size_t size = tape_->size(section);
  for (const std::uint32_t function : entries_[section].functions) {
    if (!is_function_made_[function]) {
      size += tape_->FunctionCode(function).size();
    }
  }
  return static_cast<double>(size);
}

// Without code, the interpreter does the work.
template <typename Code>
Code NativeCode::TryToMake(const std::function<Code()>& make) noexcept {
  if (can_compile_) {
    try {
      return make();
    } catch (...) {
      can_compile_ = false;
    }
  }
  return {};
}

// Makes code, in this thread or beside the runs.
// @param take gets the code, with the mutex held.
// @param owner keeps the code and its sources alive.
template <typename Code>
void NativeCode::Order(std::function<Code()> make,
                       std::function<void(Code)> take,
                       std::shared_ptr<const void> owner) {
  const std::shared_ptr<Attendant> attendant = TheAttendant();
  const bool is_beside = attendant != nullptr && owner != nullptr;
  auto task = [this,
               make = std::move(make),
               take = std::move(take),
               owner = std::move(owner)] {
    const std::scoped_lock making(making_);
    is_making_ = true;
    Code code = TryToMake(make);
    is_making_ = false;
    const std::scoped_lock lock(mutex_);
    take(std::move(code));
  };
  if (is_beside) {
    attendant->Post(std::move(task));
  } else {
    task();
  }
}

std::shared_ptr<Attendant> NativeCode::TheAttendant() {
  const std::scoped_lock lock(mutex_);
  return attendant_;
}

// Waits until all ordered code is made, by any thread.
bool NativeCode::Await() {
  if (const std::shared_ptr<Attendant> attendant = TheAttendant()) {
    return attendant->Await();
  }
  const std::scoped_lock making(making_);
  return true;
}

template <typename Code>
std::function<void(Code)> NativeCode::Into(Ordered<Code>& ordered) {
  return [&ordered](Code code) {
    ordered.code = std::move(code);
    ordered.is_made = true;
  };
}

// @param found the ordered code, and whether it is new.
template <typename Code>
Code NativeCode::FindOrOrder(std::pair<Ordered<Code>&, bool> found,
                             std::function<Code()> make,
                             Patience patience) {
  Ordered<Code>& ordered = found.first;
  const auto code = [&]() -> std::optional<Code> {
    const std::scoped_lock lock(mutex_);
    return ordered.is_made ? std::optional(ordered.code) : std::nullopt;
  };
  if (found.second) {
    Order<Code>(std::move(make), Into(ordered), weak_from_this().lock());
  }
  std::optional<Code> result = code();
  if (!result && patience == Patience::kWaits && Await()) {
    result = code();
  }
  return result.value_or(nullptr);
}

template <typename Map, typename Method>
typename Map::mapped_type& NativeCode::VariantsOf(Map& map,
                                                  const Method& method,
                                                  std::size_t lanes) {
  const std::scoped_lock lock(mutex_);
  return map[{&method, lanes}];
}

// @returns null if it is being made and nobody waits for it, or not any longer.
template <typename Code, typename Compile>
const Code* NativeCode::FindOrOrder(Variants<Code>& known,
                                    const Program& program,
                                    std::span<const double> memory,
                                    Compile compile,
                                    Patience patience) {
  for (;;) {
    Ordered<Code>* ordered = nullptr;
    bool is_first = false;
    {
      const std::scoped_lock lock(mutex_);
      for (const Ordered<Code>& each : known) {
        if (each.is_made && each.code.IsFor(memory)) {
          return &each.code;
        }
      }
      if (known.empty() || known.back().is_made) {
        is_first = known.empty();
        ordered = &known.emplace_back();
      }
    }
    if (ordered != nullptr) {
      std::vector<double> relied_on;
      if (is_first) {
        relied_on.assign(memory.begin(), memory.end());
      }
      Order<Code>(
          [&program, compile, relied_on = std::move(relied_on)] {
            return compile(program, std::span<const double>(relied_on));
          },
          Into(*ordered),
          program.weak_from_this().lock());
    } else if ((patience == Patience::kGoesOn && TheAttendant() != nullptr) ||
               !Await()) {
      return nullptr;
    }
  }
}

const NativeSlopes& NativeCode::MakeSlopes(const Program& program,
                                           std::span<const double> memory) {
  static const NativeSlopes none;
  const NativeSlopes* const found =
      FindSlopes(program, memory, Patience::kWaits);
  return found == nullptr ? none : *found;
}

const NativeSlopes* NativeCode::FindSlopes(const Program& program,
                                           std::span<const double> memory,
                                           Patience patience) {
  return FindOrOrder(
      slopes_,
      program,
      memory,
      [this](const Program& of, std::span<const double> relied_on) {
        return compiler_->CompileSlopes(of, relied_on);
      },
      patience);
}

const NativeSteps& NativeCode::MakeSteps(const Program& program,
                                         const ExplicitTableau& tableau,
                                         std::size_t lanes,
                                         std::span<const double> memory) {
  static const NativeSteps none;
  const NativeSteps* const found =
      FindSteps(program, tableau, lanes, memory, Patience::kWaits);
  return found == nullptr ? none : *found;
}

const NativeSteps* NativeCode::OfferSteps(const Program& program,
                                          const ExplicitTableau& tableau,
                                          std::span<const double> memory) {
  return FindSteps(program, tableau, 1, memory, Patience::kGoesOn);
}

const NativeSteps* NativeCode::FindSteps(const Program& program,
                                         const ExplicitTableau& tableau,
                                         std::size_t lanes,
                                         std::span<const double> memory,
                                         Patience patience) {
  return FindOrOrder(
      VariantsOf(steps_, tableau, lanes),
      program,
      memory,
      [this, &tableau, lanes](const Program& of,
                              std::span<const double> relied_on) {
        return compiler_->CompileSteps(of, tableau, lanes, relied_on);
      },
      patience);
}

const NativeAdaptiveSteps& NativeCode::MakeAdaptiveSteps(
    const Program& program,
    const EmbeddedMethod& method,
    std::size_t lanes,
    std::span<const double> memory) {
  static const NativeAdaptiveSteps none;
  const NativeAdaptiveSteps* const found =
      FindAdaptiveSteps(program, method, lanes, memory, Patience::kWaits);
  return found == nullptr ? none : *found;
}

const NativeAdaptiveSteps* NativeCode::OfferAdaptiveSteps(
    const Program& program,
    const EmbeddedMethod& method,
    std::span<const double> memory) {
  return FindAdaptiveSteps(program, method, 1, memory, Patience::kGoesOn);
}

const NativeAdaptiveSteps* NativeCode::FindAdaptiveSteps(
    const Program& program,
    const EmbeddedMethod& method,
    std::size_t lanes,
    std::span<const double> memory,
    Patience patience) {
  return FindOrOrder(
      VariantsOf(adaptive_steps_, method, lanes),
      program,
      memory,
      [this, &method, lanes](const Program& of,
                             std::span<const double> relied_on) {
        return compiler_->CompileAdaptiveSteps(of, method, lanes, relied_on);
      },
      patience);
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
  // Slightly before the sections themselves are compiled.
  const double cost_of_code = 0.5 * CostOfCode(work.size);
  return static_cast<double>(slopes_runs_) * work.of_run < cost_of_code
             ? nullptr
             : FindSlopes(program, memory, Patience::kGoesOn);
}

bool NativeCode::DoLanesPay(const Program& program) const {
  // Time of machine code relative to the interpreter's, with step control, and
  // the number of stages in a step.
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
  return FindTaylor(plan, order, Patience::kWaits);
}

NativeTaylor NativeCode::FindTaylor(const TaylorPlan& plan,
                                    int order,
                                    Patience patience) {
  const auto find = [&]() -> std::pair<Ordered<NativeTaylor>&, bool> {
    const std::scoped_lock lock(mutex_);
    const auto [found, is_new] = taylor_.try_emplace(order);
    return {found->second, is_new};
  };
  return FindOrOrder<NativeTaylor>(
      find(),
      [this, &plan, order] { return compiler_->CompileTaylor(plan, order); },
      patience);
}

NativeTaylorSteps NativeCode::MakeTaylorSteps(const TaylorPlan& plan,
                                              int order,
                                              std::size_t lanes) {
  return FindTaylorSteps(plan, order, lanes, Patience::kWaits);
}

NativeTaylorSteps NativeCode::FindTaylorSteps(const TaylorPlan& plan,
                                              int order,
                                              std::size_t lanes,
                                              Patience patience) {
  if (plan.has_breaks || !IsShort(plan, order, lanes)) {
    return nullptr;
  }
  const auto find = [&]() -> std::pair<Ordered<NativeTaylorSteps>&, bool> {
    const std::scoped_lock lock(mutex_);
    const auto [found, is_new] = taylor_steps_.try_emplace({order, lanes});
    return {found->second, is_new};
  };
  return FindOrOrder<NativeTaylorSteps>(
      find(),
      [this, &plan, order, lanes] {
        return compiler_->CompileTaylorSteps(plan, order, lanes);
      },
      patience);
}

void NativeCode::AddTaylorRuns(const TaylorPlan& plan,
                               int order,
                               std::uint64_t runs) noexcept {
  taylor_spent_.fetch_add(CostOfTaylor(plan, order) * static_cast<double>(runs),
                          std::memory_order_relaxed);
}

NativeTaylor NativeCode::OfferTaylor(const TaylorPlan& plan, int order) {
  return DoesTaylorPay(plan) ? FindTaylor(plan, order, Patience::kGoesOn)
                             : nullptr;
}

NativeTaylorSteps NativeCode::OfferTaylorSteps(const TaylorPlan& plan,
                                               int order) {
  return DoesTaylorPay(plan)
             ? FindTaylorSteps(plan, order, 1, Patience::kGoesOn)
             : nullptr;
}

bool NativeCode::DoesTaylorPay(const TaylorPlan& plan) const {
  return taylor_spent_.load(std::memory_order_relaxed) >=
         CostOfCode(SizeOfTaylor(plan));
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
                             CodeChoice choice,
                             const std::shared_ptr<Attendant>& attendant)
    : tape_(tape),
      native_(choice == CodeChoice::kInterpreted ? nullptr : native),
      choice_(choice),
      sections_(tape.num_sections()) {
  if (choice == CodeChoice::kNative && native == nullptr) {
    throw Error(ErrorCode::kUnsupported,
                "cannot run native code: the program has none; let it be "
                "interpreted");
  }
  if (native_ != nullptr && attendant != nullptr) {
    native_->MakeBeside(attendant);
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
