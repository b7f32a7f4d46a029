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

/// Machine code of a section: changes memory as `Tape::Run` does, bit for bit,
/// but for scratch. Returns a `Tape::Outcome`.
using NativeSection = std::uint8_t (*)(double* memory);

/// Numbers in memory: first, first + stride, ...
struct UniformNumbers {
  std::uint32_t first = 0;
  std::int32_t stride = 1;
  std::uint32_t count = 0;

  [[nodiscard]] std::uint32_t At(std::uint32_t k) const noexcept {
    return first + k * static_cast<std::uint32_t>(stride);
  }

  /// True if all have the same bits.
  [[nodiscard]] bool AreSame(std::span<const double> memory) const noexcept;
};

/// Machine code that relies on some numbers in memory being uniform. That
/// changes at events only.
struct RelyingCode {
  std::vector<UniformNumbers> uniform;

  /// True if all of `uniform` are uniform in `memory`.
  [[nodiscard]] bool IsFor(std::span<const double> memory) const noexcept;
};

/// Machine code of a program's derivatives. From held values, parameters,
/// inputs and time in memory, and from the states x, it computes dx/dt. All
/// else that it changes in memory is scratch.
struct NativeSlopes : RelyingCode {
  /// Returns a `Tape::Outcome`.
  using Function = std::uint8_t (*)(double* memory,
                                    const double* x,
                                    double* slopes);

  Function function = nullptr;  ///< Null: there can be none.
};

/// The slots of memory from `begin` to `end`, exclusive.
struct SlotRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// True if `slot` is in one of `ranges`.
[[nodiscard]] inline bool Contains(std::span<const SlotRange> ranges,
                                   std::uint32_t slot) {
  return std::ranges::any_of(ranges, [slot](const SlotRange& range) {
    return range.begin <= slot && slot < range.end;
  });
}

/// Machine code of steps, for one memory or for several side by side in lanes.
/// With lanes, number k of an array in lane l is at [k * lanes + l]; so in
/// memory.
struct CodeOfSteps : RelyingCode {
  bool needs_times = false;  ///< dx/dt depends on time.
  /// Slots that it reads; all else that it touches in memory is scratch.
  std::vector<SlotRange> slots;
};

/// Machine code of steps of an explicit Runge-Kutta method.
struct NativeSteps : CodeOfSteps {
  /// Takes `count` >= 1 steps of length h from x and leaves the result in x.
  /// Returns 0, or another number if f could not be computed or was not finite;
  /// x is meaningless then.
  /// @param times begins of the steps; may be null unless `needs_times`.
  /// @param work (stages + 1) * states numbers.
  using Function = std::uint8_t (*)(double* memory,
                                    const double* times,
                                    std::int64_t count,
                                    double h,
                                    double* x,
                                    double* work);

  Function function = nullptr;  ///< Null: there can be none.

  /// @returns true if it has taken the steps.
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
  /// Takes steps in all active lanes, until one of these has arrived or is
  /// stuck.
  using Function = void (*)(double* memory, const EmbeddedSteps* steps);

  Function function = nullptr;  ///< Null: there can be none.
};

/// Machine code of recurrences: changes numbers as `RunTaylor` does up to one
/// order, bit for bit.
using NativeTaylor = void (*)(double* numbers, double h);

/// Machine code of steps by recurrences, in lanes: number k of lane l is at [k
/// * lanes + l]. Takes steps in all active lanes, until one of these has
/// arrived or is stuck.
/// @param numbers of the plan: for one lane those of `RunTaylor`, for several
///     those up to the first inputs.
using NativeTaylorSteps = void (*)(double* numbers, const TaylorSteps* steps);

struct Program;

/// Compiles a tape's sections to machine code.
class SectionCompiler {
 public:
  SectionCompiler() = default;
  SectionCompiler(const SectionCompiler&) = delete;
  SectionCompiler& operator=(const SectionCompiler&) = delete;
  virtual ~SectionCompiler() = default;

  /// All functions are called by one thread at a time.
  /// @throws Error kUnsupported if machine code cannot be made here.
  virtual void Prepare() = 0;

  /// @returns code that lives as long as the compiler.
  /// @throws Error kUnsupported if machine code cannot be made here.
  virtual NativeSection Compile(std::size_t section) = 0;

  /// Code that runs sections one after the other.
  /// @param lanes a power of 2; memories are side by side: number k of the one
  ///     in lane l is at [k * lanes + l].
  /// @returns null if formulas have branches or calls.
  /// @throws Error kUnsupported if machine code cannot be made here.
  virtual NativeSection CompileInLanes(std::span<const std::size_t> sections,
                                       std::size_t lanes) = 0;

  /// @param memory with which the code is going to run.
  /// @returns none if the program's derivatives are more than a sequence of
  ///     formulas.
  /// @throws Error kUnsupported if machine code cannot be made here.
  virtual NativeSlopes CompileSlopes(const Program& program,
                                     std::span<const double> memory) = 0;

  /// Numbers in a vector of this processor; 1: lanes do not pay.
  [[nodiscard]] virtual std::size_t vector_width() const = 0;

  /// As CompileSlopes.
  /// @param lanes a power of 2; 1 for formulas with branches.
  virtual NativeSteps CompileSteps(const Program& program,
                                   const ExplicitTableau& tableau,
                                   std::size_t lanes,
                                   std::span<const double> memory) = 0;

  /// As CompileSteps.
  virtual NativeAdaptiveSteps CompileAdaptiveSteps(
      const Program& program,
      const EmbeddedMethod& method,
      std::size_t lanes,
      std::span<const double> memory) = 0;

  /// @returns code that lives as long as the compiler.
  /// @throws Error kUnsupported if machine code cannot be made here.
  virtual NativeTaylor CompileTaylor(const TaylorPlan& plan, int order) = 0;

  /// As CompileTaylor.
  /// @param lanes a power of 2.
  virtual NativeTaylorSteps CompileTaylorSteps(const TaylorPlan& plan,
                                               int order,
                                               std::size_t lanes) = 0;
};

/// The machine code of a program's tape. A section is compiled when the
/// interpreter has spent about as much on it, in all runs together, as its
/// compilation costs. So nothing takes more than twice as long as with
/// foresight. With an attendant, code is made beside the runs, which use it
/// once it exists: it computes the same bits. Shared by the threads that run
/// the program; made by `std::make_shared`.
class NativeCode : public std::enable_shared_from_this<NativeCode> {
 public:
  NativeCode(std::shared_ptr<const Tape> tape,
             std::unique_ptr<SectionCompiler> compiler);

  /// Lets code be made beside the runs from now on; only the first call counts.
  /// Code for a program that no `shared_ptr` owns is made in its run.
  void MakeBeside(std::shared_ptr<Attendant> attendant);

  /// Null if there is none, or none yet.
  [[nodiscard]] NativeSection Find(std::size_t section) const noexcept {
    return entries_[section].code.load(std::memory_order_acquire);
  }

  /// Makes sure that code can be made.
  /// @throws Error kUnsupported as `SectionCompiler::Prepare`.
  void Prepare();

  // Functions called Make wait for the code. They give none if there can be
  // none, or if the attendant ends the work. Functions called Offer wait only
  // without an attendant.

  /// The code of a section, made now if needed; null if it cannot be made.
  NativeSection Make(std::size_t section);

  /// The code of sections for memories in lanes, made now if needed; null if
  /// there can be none.
  /// @param lanes as in SectionCompiler.
  NativeSection MakeInLanes(const std::vector<std::size_t>& sections,
                            std::size_t lanes);

  /// Reports that the interpreter has run a section `runs` more times.
  void Add(std::size_t section, std::uint64_t runs) noexcept;

  /// The code of a section, made now if that pays.
  /// @returns null if it does not pay yet, cannot be made, or is being made.
  NativeSection Offer(std::size_t section);

  /// The code of the derivatives of the owning program, for this memory, made
  /// now if needed; without a function if there can be none. Usually a program
  /// has parts that differ in their states only. The code relies on that, until
  /// some memory violates it.
  const NativeSlopes& MakeSlopes(const Program& program,
                                 std::span<const double> memory);

  /// Likewise, the code of steps by `tableau`, which is a constant.
  /// @param lanes as in SectionCompiler; `memory` is that of one lane.
  const NativeSteps& MakeSteps(const Program& program,
                               const ExplicitTableau& tableau,
                               std::size_t lanes,
                               std::span<const double> memory);

  /// The code for one lane; null if it is being made.
  const NativeSteps* OfferSteps(const Program& program,
                                const ExplicitTableau& tableau,
                                std::span<const double> memory);

  /// Likewise, the code of adaptive steps.
  const NativeAdaptiveSteps& MakeAdaptiveSteps(const Program& program,
                                               const EmbeddedMethod& method,
                                               std::size_t lanes,
                                               std::span<const double> memory);

  /// The code for one lane; null if it is being made.
  const NativeAdaptiveSteps* OfferAdaptiveSteps(const Program& program,
                                                const EmbeddedMethod& method,
                                                std::span<const double> memory);

  /// See SectionCompiler.
  [[nodiscard]] std::size_t vector_width() const {
    return compiler_->vector_width();
  }

  /// Reports that machine code has computed the derivatives `evaluations` more
  /// times.
  void AddEvaluations(std::uint64_t evaluations) noexcept {
    evaluations_ += evaluations;
  }

  /// True if code of steps in lanes pays, provided that as many evaluations are
  /// to come as machine code has made.
  [[nodiscard]] bool DoLanesPay(const Program& program) const;

  /// Cost of interpreting the derivatives, in instructions of 2 ns.
  [[nodiscard]] double CostOfSlopes(const Program& program) const {
    return WorkOfSlopes(program).of_run;
  }

  /// Reports that the derivatives were computed `runs` more times otherwise.
  void AddSlopesRuns(std::uint64_t runs) noexcept { slopes_runs_ += runs; }

  /// The code of MakeSlopes, if it pays; null if not, or if it is being made.
  const NativeSlopes* OfferSlopes(const Program& program,
                                  std::span<const double> memory);

  /// The recurrences of the owning program, made by `make` on the first call.
  const TaylorPlan& PlanOf(const std::function<TaylorPlan()>& make);

  /// The code of the owning program's recurrences, made now if needed; null if
  /// there can be none.
  /// @param plan that of PlanOf.
  NativeTaylor MakeTaylor(const TaylorPlan& plan, int order);

  /// Reports that the interpreter has run these `runs` more times.
  void AddTaylorRuns(const TaylorPlan& plan,
                     int order,
                     std::uint64_t runs) noexcept;

  /// The code of MakeTaylor, if it pays; null if not, or if it is being made.
  NativeTaylor OfferTaylor(const TaylorPlan& plan, int order);

  /// Likewise, the code of steps, for plans that are smooth and short.
  /// @param lanes as in SectionCompiler.
  NativeTaylorSteps MakeTaylorSteps(const TaylorPlan& plan,
                                    int order,
                                    std::size_t lanes);

  /// The code for one lane, if it pays; null if not, or if it is being made.
  NativeTaylorSteps OfferTaylorSteps(const TaylorPlan& plan, int order);

  /// Interpreted runs of a section between two reports.
  [[nodiscard]] std::uint64_t RunsToTell(std::size_t section) const noexcept {
    return entries_[section].runs_to_tell;
  }

 private:
  enum class Patience : std::uint8_t { kWaits, kGoesOn };

  struct Entry {
    std::atomic<NativeSection> code = nullptr;
    std::atomic<double> spent = 0;  // In instructions of the interpreter.
    double cost_of_run = 0;
    std::vector<std::uint32_t> functions;  // Compiled with it.
    std::uint64_t runs_to_tell = 1;
    bool is_ordered = false;
  };

  // Code that was ordered.
  template <typename Code>
  struct Ordered {
    Code code = {};
    bool is_made = false;
  };

  // The code for one memory, then the code without assumptions.
  template <typename Code>
  using Variants = std::deque<Ordered<Code>>;

  // Cost and size of the derivatives' sections, in instructions.
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
  std::vector<bool> is_function_made_;    // By number: code exists.
  std::shared_ptr<Attendant> attendant_;  // Null: nobody makes code beside.
  std::mutex making_;  // For the compiler; locked before `mutex_`.
  std::mutex mutex_;   // For ordered code; held shortly.
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

/// The code that runs a program's equations; the results are the same.
enum class CodeChoice : std::uint8_t {
  kAuto,         ///< Interpreted, then native where that pays.
  kInterpreted,  ///< Nothing is compiled.
  kNative        ///< All code is compiled before it runs.
};

/// The choice called `name`: auto, interpreted or native.
/// @throws Error kInvalidArgument that names these.
[[nodiscard]] CodeChoice CodeChoiceFromName(std::string_view name);

/// Runs a tape's sections in one run of a program.
class SectionRunner {
 public:
  /// @param native null: nothing is compiled. Must outlive the runner, as must
  ///     the tape.
  /// @param attendant lets `native` make code beside the run; may be null.
  /// @throws Error kUnsupported for kNative if there can be no native code.
  SectionRunner(const Tape& tape,
                NativeCode* native,
                CodeChoice choice,
                const std::shared_ptr<Attendant>& attendant = nullptr);
  SectionRunner(const SectionRunner&) = delete;
  SectionRunner& operator=(const SectionRunner&) = delete;

  /// Reports interpreted runs to `native`.
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
    std::uint64_t runs = 0;  // Interpreted, not yet reported.
  };

  Tape::Outcome Interpret(std::size_t section, double* memory) noexcept;

  const Tape& tape_;
  NativeCode* native_;
  CodeChoice choice_;
  std::vector<Section> sections_;
};

}  // namespace orrery
