#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/methods/embedded_method.h"
#include "orrery/base/methods/taylor_steps.h"
#include "orrery/base/system/attendant.h"
#include "orrery/symbolic/tape/tape.h"
#include "orrery/symbolic/taylor/taylor_plan.h"

namespace orrery {

/// Machine code of a section: does to memory what `Tape::Run` does, bit for
/// bit, but for scratch. Returns a `Tape::Outcome`.
using NativeSection = std::uint8_t (*)(double* memory);

/// Numbers in memory: first, first + stride, ...
struct UniformNumbers {
  std::uint32_t first = 0;
  std::int32_t stride = 1;
  std::uint32_t count = 0;

  [[nodiscard]] std::uint32_t At(std::uint32_t k) const noexcept {
    return first + k * static_cast<std::uint32_t>(stride);
  }

  /// Whether they have the same bits.
  [[nodiscard]] bool AreSame(std::span<const double> memory) const noexcept;
};

/// Machine code that may run where some numbers in memory are uniform. That
/// changes at events only.
struct RelyingCode {
  std::vector<UniformNumbers> uniform;

  /// Whether what it relies on holds.
  [[nodiscard]] bool IsFor(std::span<const double> memory) const noexcept;
};

/// Machine code of a program's derivatives: from what is held between events,
/// parameters, inputs and time in memory, and the states x, it computes dx/dt.
/// Of all else in memory only what nobody relies on changes.
struct NativeSlopes : RelyingCode {
  /// Returns a `Tape::Outcome`.
  using Function = std::uint8_t (*)(double* memory,
                                    const double* x,
                                    double* slopes);

  Function function = nullptr;  ///< Null: there can be none.
};

/// The slots of memory from `begin` to `end`, without that.
struct SlotRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Whether `slot` is in one of `ranges`.
[[nodiscard]] inline bool Contains(std::span<const SlotRange> ranges,
                                   std::uint32_t slot) {
  return std::ranges::any_of(ranges, [slot](const SlotRange& range) {
    return range.begin <= slot && slot < range.end;
  });
}

/// Machine code of steps, for one memory or for several side by side in lanes:
/// number k of an array in lane l is at [k * lanes + l] then, memory included.
struct CodeOfSteps : RelyingCode {
  bool needs_times = false;  ///< dx/dt depends on time.
  /// What it reads of memory; what else it touches there is scratch.
  std::vector<SlotRange> slots;
};

/// Machine code of steps of an explicit Runge-Kutta method.
struct NativeSteps : CodeOfSteps {
  /// Takes `count` >= 1 steps of length h from x, which is then where they
  /// lead. Returns 0, or another number if f could not be computed or was not
  /// finite: x is meaningless then.
  /// @param times where each step begins; may be null unless `needs_times`.
  /// @param work (stages + 1) * states numbers.
  using Function = std::uint8_t (*)(double* memory,
                                    const double* times,
                                    std::int64_t count,
                                    double h,
                                    double* x,
                                    double* work);

  Function function = nullptr;  ///< Null: there can be none.

  /// @returns whether it has taken the steps.
  [[nodiscard]] bool Take(std::span<double> memory,
                          std::span<const double> times,
                          std::int64_t count,
                          double h,
                          std::span<double> x,
                          std::span<double> work) const {
    return function(
               memory.data(), times.data(), count, h, x.data(), work.data()) ==
           0;
  }
};

/// Machine code of adaptive steps.
struct NativeAdaptiveSteps : CodeOfSteps {
  /// Takes steps in all lanes that are going, until one of these has arrived or
  /// is stuck.
  using Function = void (*)(double* memory, const EmbeddedSteps* steps);

  Function function = nullptr;  ///< Null: there can be none.
};

/// Machine code of recurrences: does to numbers what `RunTaylor` does up to one
/// order, bit for bit.
using NativeTaylor = void (*)(double* numbers, double h);

/// Machine code of steps by them, in lanes: number k of lane l is at [k * lanes
/// + l]. Takes steps in all lanes that are going, until one of these has
/// arrived or is stuck.
/// @param numbers of the plan: of one lane as of `RunTaylor`, of several those
///     up to the first inputs.
using NativeTaylorSteps = void (*)(double* numbers, const TaylorSteps* steps);

struct Program;

/// What makes machine code of a tape's sections.
class SectionCompiler {
 public:
  SectionCompiler() = default;
  SectionCompiler(const SectionCompiler&) = delete;
  SectionCompiler& operator=(const SectionCompiler&) = delete;
  virtual ~SectionCompiler() = default;

  /// All are called by one thread at a time.
  /// @throws Error kUnsupported if machine code cannot be made here.
  virtual void Prepare() = 0;

  /// @returns code that lives as long as the compiler.
  /// @throws Error kUnsupported likewise.
  virtual NativeSection Compile(std::size_t section) = 0;

  /// Code that runs sections one after the other.
  /// @param lanes memories side by side: number k of one in lane l is at [k *
  ///     lanes + l]. A power of 2.
  /// @returns null if formulas have branches or calls.
  /// @throws Error kUnsupported likewise.
  virtual NativeSection CompileInLanes(std::span<const std::size_t> sections,
                                       std::size_t lanes) = 0;

  /// @param memory with which the code is going to run.
  /// @returns none if the program's derivatives are more than a sequence of
  ///     formulas.
  /// @throws Error kUnsupported likewise.
  virtual NativeSlopes CompileSlopes(const Program& program,
                                     std::span<const double> memory) = 0;

  /// How many numbers a vector of this processor has; 1: lanes do not pay.
  [[nodiscard]] virtual std::size_t vector_width() const = 0;

  /// Likewise.
  /// @param lanes a power of 2. Formulas with branches have code for one only.
  virtual NativeSteps CompileSteps(const Program& program,
                                   const ExplicitTableau& tableau,
                                   std::size_t lanes,
                                   std::span<const double> memory) = 0;

  /// Likewise.
  virtual NativeAdaptiveSteps CompileAdaptiveSteps(
      const Program& program,
      const EmbeddedMethod& method,
      std::size_t lanes,
      std::span<const double> memory) = 0;

  /// @returns code that lives as long as the compiler.
  /// @throws Error kUnsupported likewise.
  virtual NativeTaylor CompileTaylor(const TaylorPlan& plan, int order) = 0;

  /// Likewise.
  /// @param lanes a power of 2.
  virtual NativeTaylorSteps CompileTaylorSteps(const TaylorPlan& plan,
                                               int order,
                                               std::size_t lanes) = 0;
};

/// The machine code of a program's tape. A section is compiled when the
/// interpreter has spent about as much on it, in all runs together, as its
/// compilation costs: so nothing takes more than twice as long as it would if
/// one had known before. With an attendant, code is made beside the runs, which
/// take it over when it is there: it computes the same bits. Shared by the
/// threads that run the program; made by `std::make_shared`.
class NativeCode : public std::enable_shared_from_this<NativeCode> {
 public:
  NativeCode(std::shared_ptr<const Tape> tape,
             std::unique_ptr<SectionCompiler> compiler);

  /// Code is made beside the runs from now on; the first call counts. What is
  /// made of a program that no `shared_ptr` holds is made in its run all the
  /// same.
  void MakeBeside(std::shared_ptr<Attendant> attendant);

  /// Null if there is none, or none yet.
  [[nodiscard]] NativeSection Find(std::size_t section) const noexcept {
    return entries_[section].code.load(std::memory_order_acquire);
  }

  /// Makes sure that there can be code.
  /// @throws Error kUnsupported as `SectionCompiler::Prepare`.
  void Prepare();

  // What is called Make waits for the code; without code, as where there can be
  // none, if the attendant says that the work is not to go on. What is called
  // Offer waits only without an attendant.

  /// The code of a section, made now if need be; null if it cannot be made.
  NativeSection Make(std::size_t section);

  /// The code of sections for memories in lanes, made now if need be; null if
  /// there can be none.
  /// @param lanes as of SectionCompiler.
  NativeSection MakeInLanes(const std::vector<std::size_t>& sections,
                            std::size_t lanes);

  /// Hears that the interpreter has run a section `runs` times more.
  void Add(std::size_t section, std::uint64_t runs) noexcept;

  /// The code of a section, made now if that pays.
  /// @returns null if it does not pay yet, cannot be made, or is being made.
  NativeSection Offer(std::size_t section);

  /// The code of the derivatives of the program that this is part of, for this
  /// memory, made now if need be; without a function if there can be none.
  /// Parts that are alike in all numbers but their states are the usual case:
  /// the code relies on that, until it does not hold for some memory.
  const NativeSlopes& MakeSlopes(const Program& program,
                                 std::span<const double> memory);

  /// Likewise the code of steps by `tableau`, which is a constant.
  /// @param lanes as of SectionCompiler; `memory` is that of one lane.
  const NativeSteps& MakeSteps(const Program& program,
                               const ExplicitTableau& tableau,
                               std::size_t lanes,
                               std::span<const double> memory);

  /// That of one lane; null if it is being made.
  const NativeSteps* OfferSteps(const Program& program,
                                const ExplicitTableau& tableau,
                                std::span<const double> memory);

  /// Likewise that of adaptive steps.
  const NativeAdaptiveSteps& MakeAdaptiveSteps(const Program& program,
                                               const EmbeddedMethod& method,
                                               std::size_t lanes,
                                               std::span<const double> memory);

  /// That of one lane; null if it is being made.
  const NativeAdaptiveSteps* OfferAdaptiveSteps(const Program& program,
                                                const EmbeddedMethod& method,
                                                std::span<const double> memory);

  /// As of SectionCompiler.
  [[nodiscard]] std::size_t vector_width() const {
    return compiler_->vector_width();
  }

  /// Hears that the derivatives were computed `evaluations` times more by
  /// machine code.
  void AddEvaluations(std::uint64_t evaluations) noexcept {
    evaluations_ += evaluations;
  }

  /// Whether code of steps in lanes pays, if there is as much to do as was done
  /// by machine code.
  [[nodiscard]] bool DoLanesPay(const Program& program) const;

  /// What the interpreter takes for the derivatives, in instructions of 2 ns.
  [[nodiscard]] double CostOfSlopes(const Program& program) const {
    return WorkOfSlopes(program).of_run;
  }

  /// Hears that the derivatives were computed `runs` times more otherwise.
  void AddSlopesRuns(std::uint64_t runs) noexcept { slopes_runs_ += runs; }

  /// Their code, as by MakeSlopes, if it pays; else, or if it is being made,
  /// null.
  const NativeSlopes* OfferSlopes(const Program& program,
                                  std::span<const double> memory);

  /// The recurrences of the program that this is part of, made by `make` when
  /// they are asked for first.
  const TaylorPlan& PlanOf(const std::function<TaylorPlan()>& make);

  /// The code of the recurrences of the program that this is part of, made now
  /// if need be; null if there can be none.
  /// @param plan as of PlanOf.
  NativeTaylor MakeTaylor(const TaylorPlan& plan, int order);

  /// Hears that these were run `runs` times more by the interpreter.
  void AddTaylorRuns(const TaylorPlan& plan,
                     int order,
                     std::uint64_t runs) noexcept;

  /// Their code, as by MakeTaylor, if it pays; else, or if it is being made,
  /// null.
  NativeTaylor OfferTaylor(const TaylorPlan& plan, int order);

  /// Likewise that of steps, for plans that are smooth and short.
  /// @param lanes as of SectionCompiler.
  NativeTaylorSteps MakeTaylorSteps(const TaylorPlan& plan,
                                    int order,
                                    std::size_t lanes);

  /// That of one lane, if it pays; else, or if it is being made, null.
  NativeTaylorSteps OfferTaylorSteps(const TaylorPlan& plan, int order);

  /// How many runs of a section to interpret before telling of them.
  [[nodiscard]] std::uint64_t RunsToTell(std::size_t section) const noexcept {
    return entries_[section].runs_to_tell;
  }

 private:
  enum class Patience : std::uint8_t { kWaits, kGoesOn };

  struct Entry {
    std::atomic<NativeSection> code = nullptr;
    std::atomic<double> spent = 0;  // In instructions of the interpreter.
    double cost_of_run = 0;
    std::vector<std::uint32_t> functions;  // That are compiled with it.
    std::uint64_t runs_to_tell = 1;
    bool is_ordered = false;
  };

  // Code that was asked for.
  template <typename Code>
  struct Ordered {
    Code code = {};
    bool is_made = false;
  };

  // The code for one memory, then the code that relies on nothing.
  template <typename Code>
  using Variants = std::deque<Ordered<Code>>;

  // What the sections of the derivatives come to, in instructions.
  struct Work {
    double of_run = 0;
    double size = 0;
  };

  [[nodiscard]] Work WorkOfSlopes(const Program& program) const;
  [[nodiscard]] bool DoesTaylorPay(const TaylorPlan& plan) const;
  [[nodiscard]] double SizeToCompile(std::size_t section) const;
  void OrderSection(std::size_t section);
  [[nodiscard]] bool Await();
  [[nodiscard]] std::shared_ptr<Attendant> TheAttendant();

  template <typename Code>
  Code TryToMake(const std::function<Code()>& make) noexcept;
  template <typename Code>
  void Order(std::function<Code()> make,
             std::function<void(Code)> take,
             std::shared_ptr<const void> owner);
  template <typename Code>
  static std::function<void(Code)> Into(Ordered<Code>& ordered);
  template <typename Code>
  Code FindOrOrder(std::pair<Ordered<Code>&, bool> found,
                   std::function<Code()> make,
                   Patience patience);
  template <typename Map, typename Method>
  typename Map::mapped_type& VariantsOf(Map& map,
                                        const Method& method,
                                        std::size_t lanes);
  template <typename Code, typename Compile>
  const Code* FindOrOrder(Variants<Code>& known,
                          const Program& program,
                          std::span<const double> memory,
                          Compile compile,
                          Patience patience);
  const NativeSlopes* FindSlopes(const Program& program,
                                 std::span<const double> memory,
                                 Patience patience);
  const NativeSteps* FindSteps(const Program& program,
                               const ExplicitTableau& tableau,
                               std::size_t lanes,
                               std::span<const double> memory,
                               Patience patience);
  const NativeAdaptiveSteps* FindAdaptiveSteps(const Program& program,
                                               const EmbeddedMethod& method,
                                               std::size_t lanes,
                                               std::span<const double> memory,
                                               Patience patience);
  NativeTaylor FindTaylor(const TaylorPlan& plan, int order, Patience patience);
  NativeTaylorSteps FindTaylorSteps(const TaylorPlan& plan,
                                    int order,
                                    std::size_t lanes,
                                    Patience patience);

  std::shared_ptr<const Tape> tape_;
  std::unique_ptr<SectionCompiler> compiler_;
  std::vector<Entry> entries_;
  std::vector<bool> is_function_made_;    // By number, as code.
  std::shared_ptr<Attendant> attendant_;  // Null: nobody makes code beside.
  std::mutex making_;  // Of the compiler; taken before the other one.
  std::mutex mutex_;   // Of what was ordered; held shortly.
  std::atomic<bool> is_making_ = false;
  // By sections and lanes; null: there can be none.
  std::map<std::pair<std::vector<std::size_t>, std::size_t>,
           Ordered<NativeSection>>
      in_lanes_;
  Variants<NativeSlopes> slopes_;
  // By method and lanes.
  std::map<std::pair<const ExplicitTableau*, std::size_t>,
           Variants<NativeSteps>>
      steps_;
  std::map<std::pair<const EmbeddedMethod*, std::size_t>,
           Variants<NativeAdaptiveSteps>>
      adaptive_steps_;
  std::optional<TaylorPlan> plan_;
  std::map<int, Ordered<NativeTaylor>> taylor_;  // By order; null: none.
  // By order and lanes.
  std::map<std::pair<int, std::size_t>, Ordered<NativeTaylorSteps>>
      taylor_steps_;
  std::atomic<std::uint64_t> slopes_runs_ = 0;
  std::atomic<std::uint64_t> evaluations_ = 0;
  std::atomic<double> taylor_spent_ = 0;  // In instructions.
  std::atomic<bool> is_prepared_ = false;
  std::atomic<bool> can_compile_ = true;
};

/// Which code runs a program's equations; the results are the same.
enum class CodeChoice : std::uint8_t {
  kAuto,         ///< Interpreted, then native where that pays.
  kInterpreted,  ///< Nothing is compiled.
  kNative        ///< What runs is compiled before it runs.
};

/// The choice called `name`: auto, interpreted or native.
/// @throws Error kInvalidArgument that names these.
[[nodiscard]] CodeChoice CodeChoiceFromName(std::string_view name);

/// Runs a tape's sections in one run of a program.
class SectionRunner {
 public:
  /// @param native null: nothing is compiled. Must outlive the runner, as must
  ///     the tape.
  /// @param attendant with which `native` makes code beside the run; may be
  ///     null.
  /// @throws Error kUnsupported for kNative if there can be no native code.
  SectionRunner(const Tape& tape,
                NativeCode* native,
                CodeChoice choice,
                const std::shared_ptr<Attendant>& attendant = nullptr);
  SectionRunner(const SectionRunner&) = delete;
  SectionRunner& operator=(const SectionRunner&) = delete;

  /// Tells `native` of what was interpreted.
  ~SectionRunner();

  [[nodiscard]] const Tape& tape() const noexcept { return tape_; }

  /// Null: nothing is compiled.
  [[nodiscard]] NativeCode* native() const noexcept { return native_; }

  [[nodiscard]] CodeChoice choice() const noexcept { return choice_; }

  /// As `Tape::Run`, but for scratch. Allocates nothing unless it compiles.
  Tape::Outcome Run(std::size_t section, double* memory) noexcept {
    const NativeSection code = sections_[section].code;
    if (code != nullptr) {
      return static_cast<Tape::Outcome>(code(memory));
    }
    return Interpret(section, memory);
  }

 private:
  struct Section {
    NativeSection code = nullptr;
    std::uint64_t runs = 0;  // Interpreted, since `native_` was told.
  };

  Tape::Outcome Interpret(std::size_t section, double* memory) noexcept;

  const Tape& tape_;
  NativeCode* native_;
  CodeChoice choice_;
  std::vector<Section> sections_;
};

}  // namespace orrery
