#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/modeling/bag.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/simulation/observer.h"
#include "orrery/devs/simulation/simulator.h"

/// The abstract simulators of DEVS, as in the books: the definition of the
/// results of a model, against which the engine of `Simulator` is tested. They
/// are slow.
///
/// Each model has its own: a simulator if it is atomic, a coordinator if it is
/// coupled. They communicate only with those directly above and below. A
/// message down is a call. The replies (y,t) and (done,tN) are its result and
/// next_time(). tL is last_time(), tN is next_time(). At the top a root keeps
/// the time: ReferenceSimulator.
///
/// All their errors are Error kInvalidModel and name the model by path and the
/// times.
namespace orrery::devs {

/// The messages at all input or all output ports of a model, by the index of
/// the port. It only refers to memory of the senders.
class PortMail {
 public:
  explicit PortMail(std::uint32_t num_ports) : ports_(num_ports) {}

  [[nodiscard]] bool empty() const noexcept { return num_messages_ == 0; }

  [[nodiscard]] std::int64_t num_messages() const noexcept {
    return num_messages_;
  }

  [[nodiscard]] std::span<const internal::Segment> at(
      std::uint32_t port) const {
    return ports_[port];
  }

  /// Appends non-empty segments to those at the port.
  void Append(std::uint32_t port, std::span<const internal::Segment> segments);

  /// Converts to a list of segments for each port, for a Bag.
  [[nodiscard]] internal::Mail ToLists() const;

 private:
  std::vector<std::vector<internal::Segment>> ports_;
  std::int64_t num_messages_ = 0;
};

/// Owns the messages that one model sends, until it sends again.
class Sender {
 public:
  explicit Sender(std::uint32_t num_ports) : outputs_(num_ports) {}

  /// Deletes the old messages, and returns those that `send` puts into a bag.
  PortMail Send(const Model& owner, const std::function<void(Bag&)>& send);

 private:
  std::vector<internal::Segment> outputs_;
  internal::Outbox outbox_;
};

/// A transition of an atomic model.
struct TraceEntry {
  Duration time{};
  std::int64_t microstep = 0;  ///< Counted from 1, over the whole run.
  std::string path;
  Transition transition = Transition::kInternal;

  friend bool operator==(const TraceEntry&, const TraceEntry&) = default;
};

/// A message between two abstract simulators, as in the books.
struct SimulatorMessage {
  enum class Kind : std::uint8_t {
    kInput,    ///< (x,t), of classic DEVS, goes down.
    kCollect,  ///< (@,t), of parallel DEVS, goes down.
    kStar,     ///< (*,t) goes down; in parallel DEVS with all (q,t) before it.
    kOutput,   ///< (y,t) comes up.
    kDone,     ///< (done,tN) comes up.
  };

  Kind kind = Kind::kStar;
  /// Path of the lower model, whose simulator receives or sends it.
  std::string path;
  Duration time{};  ///< t or tN.
  Record content;   ///< The messages of x, q or y: a field for each.
};

/// "(x, 1 s) to gpt.processor: in.id = 0", "(done, 4 s) from gpt.processor";
/// the time is "infinity" if nothing is due any more.
[[nodiscard]] std::string TextOf(const SimulatorMessage& message);

/// Data that the abstract simulators of one run share.
struct ReferenceRun {
  std::uint64_t seed = 1;
  /// By atomic model: the priorities in classic DEVS; empty for SELECT.
  std::unordered_map<const Model*, std::size_t> rank;
  Statistics statistics;
  std::vector<TraceEntry> trace;
  std::unordered_map<const Model*, const void*> states;
  std::function<void(const SimulatorMessage&)> tell;  ///< May be empty.
};

/// The state of an atomic model, and the calls of its functions.
class AtomicRun {
 public:
  /// Makes the state; the first event is due after its time advance.
  AtomicRun(const Model& model, ReferenceRun& run);

  [[nodiscard]] Duration last_time() const noexcept { return last_time_; }

  [[nodiscard]] Duration next_time() const noexcept { return next_time_; }

  /// lambda(q).
  PortMail Output(Duration t);

  /// q := delta_int(q).
  void MoveInternal(Duration t);

  /// q := delta_ext((q, t - tL), x).
  void MoveExternal(const PortMail& x, Duration t);

  /// q := delta_con(q, x).
  void MoveConfluent(const PortMail& x, Duration t);

 private:
  // Destroys a state, without freeing its memory.
  struct Destroy {
    const internal::AtomicOps* ops;

    void operator()(void* state) const { ops->destroy(state); }
  };

  void Transit(Transition kind,
               Duration t,
               const std::function<Duration()>& function);
  void Schedule(Duration t, Duration advance);

  // The bag refers to `lists`.
  [[nodiscard]] Bag Received(const internal::Mail& lists) const {
    return {model_, inputs_.data(), lists};
  }

  const Model& model_;
  const internal::AtomicOps& ops_;
  ReferenceRun& run_;
  std::vector<std::max_align_t> memory_;
  std::unique_ptr<void, Destroy> state_;
  std::vector<std::uint32_t> inputs_;  // 0, 1, 2, ...
  Sender sender_;
  Duration last_time_{};
  Duration next_time_ = kPassive;
};

/// An abstract simulator of classic DEVS. Zeigler, "Theory of Modelling and
/// Simulation", 1976; Zeigler, Praehofer & Kim, 2nd edition, 2000, chapter 8.
class ClassicProcessor {
 public:
  virtual ~ClassicProcessor() = default;
  ClassicProcessor(const ClassicProcessor&) = delete;
  ClassicProcessor& operator=(const ClassicProcessor&) = delete;

  [[nodiscard]] virtual Duration last_time() const = 0;
  [[nodiscard]] virtual Duration next_time() const = 0;

  /// (x,t): an input that is not empty.
  /// @throws Error unless tL <= t <= tN.
  virtual void OnInput(const PortMail& x, Duration t) = 0;

  /// (*,t): carries out the event, and returns its output y.
  /// @throws Error unless t = tN.
  virtual PortMail OnStar(Duration t) = 0;

  /// The least rank of the imminent atomic models in it.
  [[nodiscard]] virtual std::size_t Rank() const = 0;

 protected:
  ClassicProcessor() = default;
};

/// The abstract simulator of an atomic model.
class ClassicSimulator final : public ClassicProcessor {
 public:
  ClassicSimulator(const Model& model, ReferenceRun& run);

  [[nodiscard]] Duration last_time() const override { return q_.last_time(); }

  [[nodiscard]] Duration next_time() const override { return q_.next_time(); }

  void OnInput(const PortMail& x, Duration t) override;
  PortMail OnStar(Duration t) override;
  [[nodiscard]] std::size_t Rank() const override;

 private:
  const Model& model_;
  ReferenceRun& run_;
  AtomicRun q_;
};

/// The abstract simulator of a coupled model.
class ClassicCoordinator final : public ClassicProcessor {
 public:
  /// Makes the simulators of its parts, too.
  ClassicCoordinator(const Coupled& model, ReferenceRun& run);

  [[nodiscard]] Duration last_time() const override { return last_time_; }

  [[nodiscard]] Duration next_time() const override { return next_time_; }

  void OnInput(const PortMail& x, Duration t) override;
  PortMail OnStar(Duration t) override;
  [[nodiscard]] std::size_t Rank() const override;

 private:
  [[nodiscard]] const Model& Select(Duration t) const;
  void SendDown(const Model& source, const PortMail& mail, Duration t);
  void Finish(Duration t);

  const Coupled& model_;
  ReferenceRun& run_;
  std::vector<std::unique_ptr<ClassicProcessor>> parts_;
  Duration last_time_{};
  Duration next_time_ = kPassive;
};

/// An abstract simulator of parallel DEVS. Chow & Zeigler, "Parallel DEVS: a
/// parallel, hierarchical, modular modeling formalism", WSC 1994, 716-722;
/// Zeigler, Praehofer & Kim, 2nd edition, chapter 11. Messages in a bag are in
/// the order of couplings, then of sending.
class ParallelProcessor {
 public:
  virtual ~ParallelProcessor() = default;
  ParallelProcessor(const ParallelProcessor&) = delete;
  ParallelProcessor& operator=(const ParallelProcessor&) = delete;

  [[nodiscard]] virtual Duration last_time() const = 0;
  [[nodiscard]] virtual Duration next_time() const = 0;

  /// (@,t): returns the output y of the imminent models; there is no
  /// transition.
  /// @throws Error unless t = tN.
  virtual PortMail OnCollect(Duration t) = 0;

  /// (*,t): makes the transitions of the imminent models and of those that
  /// receive messages; `q` are all (q,t) sent before it.
  /// @throws Error unless tL <= t <= tN.
  virtual void OnStar(const PortMail& q, Duration t) = 0;

 protected:
  ParallelProcessor() = default;
};

/// The abstract simulator of an atomic model.
class ParallelSimulator final : public ParallelProcessor {
 public:
  ParallelSimulator(const Model& model, ReferenceRun& run);

  [[nodiscard]] Duration last_time() const override { return q_.last_time(); }

  [[nodiscard]] Duration next_time() const override { return q_.next_time(); }

  PortMail OnCollect(Duration t) override;
  void OnStar(const PortMail& q, Duration t) override;

 private:
  const Model& model_;
  AtomicRun q_;
};

/// The abstract simulator of a coupled model.
class ParallelCoordinator final : public ParallelProcessor {
 public:
  /// Makes the simulators of its parts, too.
  ParallelCoordinator(const Coupled& model, ReferenceRun& run);

  [[nodiscard]] Duration last_time() const override { return last_time_; }

  [[nodiscard]] Duration next_time() const override { return next_time_; }

  PortMail OnCollect(Duration t) override;
  void OnStar(const PortMail& q, Duration t) override;

 private:
  const Coupled& model_;
  ReferenceRun& run_;
  std::vector<std::unique_ptr<ParallelProcessor>> parts_;
  // Sent by the parts, between @ and *.
  std::map<const Model*, PortMail> sent_;
  Duration last_time_{};
  Duration next_time_ = kPassive;
};

/// The root of the abstract simulators. Its functions are those of Simulator,
/// and the same options yield the same run.
class ReferenceSimulator {
 public:
  explicit ReferenceSimulator(const Coupled& root, Options options = {});

  [[nodiscard]] Duration now() const noexcept { return now_; }

  [[nodiscard]] Duration next_time() const;

  void RunUntil(Duration end);

  /// Calls `hear` for all messages from now on, in their order.
  void Tell(std::function<void(const SimulatorMessage&)> hear) {
    run_.tell = std::move(hear);
  }

  template <typename T>
  void Inject(const In<T>& port, T value, Duration at) {
    InjectBy(
        port, at, [index = port.index(), value = std::move(value)](Bag& x) {
          x.Put(index, value);
        });
  }

  template <typename M>
  [[nodiscard]] const typename M::State& state(const M& model) const {
    return *static_cast<const typename M::State*>(StateOf(model));
  }

  [[nodiscard]] const Statistics& statistics() const noexcept {
    return run_.statistics;
  }

  /// All transitions since the start; those of one microstep of parallel DEVS
  /// have no order.
  [[nodiscard]] std::span<const TraceEntry> trace() const noexcept {
    return run_.trace;
  }

 private:
  void InjectBy(const Port& port, Duration at, std::function<void(Bag&)> send);
  [[nodiscard]] const void* StateOf(const Model& model) const;
  void RankModels();
  void RunMicrostep(Duration t);
  PortMail TakeInjected(Duration t);

  const Coupled& root_;
  Options options_;
  ReferenceRun run_;
  std::unique_ptr<ClassicCoordinator> classic_;  // One of the two.
  std::unique_ptr<ParallelCoordinator> parallel_;
  Sender sender_;
  std::multimap<Duration, std::function<void(Bag&)>> injections_;
  Duration now_{};
  std::int64_t microsteps_here_ = 0;
  bool has_failed_ = false;
};

}  // namespace orrery::devs
