#include "orrery/devs/reference.h"

#include <algorithm>
#include <array>
#include <exception>
#include <numeric>
#include <string_view>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/values/record_text.h"
#include "orrery/devs/simulation/check_injection.h"

namespace orrery::devs {
namespace {

// Changes of structure, which the abstract simulators refuse.
class FixedStructure final : public Structure {
 public:
  explicit FixedStructure(const Model& caller) : caller_(caller) {}

  [[nodiscard]] const Coupled& around() const override {
    return *caller_.parent();
  }

  void Remove(const Model&) override { Refuse(); }

  void Couple(const Port&, const Port&) override { Refuse(); }

  void Uncouple(const Port&, const Port&) override { Refuse(); }

 private:
  void AddPart(std::string_view, std::unique_ptr<Model>) override { Refuse(); }

  [[noreturn]] static void Refuse() {
    throw Error(ErrorCode::kUnsupported,
                "cannot change the structure: the abstract simulators keep it; "
                "use devs::Simulator");
  }

  const Model& caller_;
};

using internal::Segment;

[[noreturn]] void FailAt(const Model& model,
                         Duration t,
                         const std::string& why) {
  throw Error(ErrorCode::kInvalidModel,
              "cannot go on with " + model.Path() + " at t = " + ToText(t) +
                  ": " + why);
}

// Calls a function of the user; adds the model's name to exceptions.
template <typename Function>
auto Call(const Model& model, Duration t, Function function) {
  try {
    return function();
  } catch (const std::exception& error) {
    FailAt(model, t, error.what());
  }
}

// Checks that tL <= t <= tN for (x,t).
void CheckInputTime(const Model& model,
                    Duration last_time,
                    Duration next_time,
                    Duration t) {
  if (t < last_time || t > next_time) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot give " + model.Path() +
                    " an input at t = " + ToText(t) +
                    ": its last event was at t = " + ToText(last_time) +
                    " and its next is at t = " + ToText(next_time) +
                    "; an input comes between the two");
  }
}

// Checks that t = tN for (*,t).
void CheckEventTime(const Model& model, Duration next_time, Duration t) {
  if (t != next_time) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot carry out an event of " + model.Path() + " at t = " +
                    ToText(t) + ": its next is at t = " + ToText(next_time) +
                    "; carry it out then");
  }
}

std::vector<std::uint32_t> Iota(std::uint32_t size) {
  std::vector<std::uint32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

// Z: translates, by the couplings, the messages `mail_of(model)` of the parts
// and the coupled model itself into messages by receiver. Null is none.
template <typename MailOf>
std::map<const Model*, PortMail> Translate(const Coupled& model,
                                           MailOf mail_of) {
  std::map<const Model*, PortMail> result;
  for (const Coupling& coupling : model.couplings()) {
    const PortMail* const mail = mail_of(coupling.from->owner());
    if (mail == nullptr || mail->at(coupling.from->index()).empty()) {
      continue;
    }
    const Model& to = coupling.to->owner();
    result.try_emplace(&to, to.CountPorts(coupling.to->direction()))
        .first->second.Append(coupling.to->index(),
                              mail->at(coupling.from->index()));
  }
  return result;
}

using Kind = SimulatorMessage::Kind;

void Tell(ReferenceRun& run,
          Kind kind,
          const Model& model,
          Duration time,
          const PortMail* content = nullptr) {
  if (!run.tell) {
    return;
  }
  SimulatorMessage message{
      .kind = kind, .path = model.Path(), .time = time, .content = {}};
  if (content != nullptr && !content->empty()) {
    const auto direction =
        kind == Kind::kOutput ? PortDirection::kOut : PortDirection::kIn;
    const internal::Mail lists = content->ToLists();
    const auto ports = Iota(model.CountPorts(direction));
    const Bag bag(model, ports.data(), lists);
    for (const Port* port = model.first_port(); port != nullptr;
         port = port->next()) {
      if (port->direction() == direction) {
        bag.Describe(*port, message.content);
      }
    }
  }
  run.tell(message);
}

// Reports the messages that answer one from above.
template <typename Processor>
void TellAnswer(ReferenceRun& run,
                const Model& model,
                const Processor& processor,
                const PortMail* y,
                Duration t) {
  if (y != nullptr && !y->empty()) {
    Tell(run, Kind::kOutput, model, t, y);
  }
  Tell(run, Kind::kDone, model, processor.next_time());
}

void SendInput(ReferenceRun& run,
               ClassicProcessor& to,
               const Model& model,
               const PortMail& x,
               Duration t) {
  Tell(run, Kind::kInput, model, t, &x);
  to.OnInput(x, t);
  TellAnswer(run, model, to, nullptr, t);
}

PortMail SendStar(ReferenceRun& run,
                  ClassicProcessor& to,
                  const Model& model,
                  Duration t) {
  Tell(run, Kind::kStar, model, t);
  PortMail y = to.OnStar(t);
  TellAnswer(run, model, to, &y, t);
  return y;
}

PortMail SendCollect(ReferenceRun& run,
                     ParallelProcessor& to,
                     const Model& model,
                     Duration t) {
  Tell(run, Kind::kCollect, model, t);
  PortMail y = to.OnCollect(t);
  if (!y.empty()) {
    Tell(run, Kind::kOutput, model, t, &y);
  }
  return y;
}

void SendStar(ReferenceRun& run,
              ParallelProcessor& to,
              const Model& model,
              const PortMail& q,
              Duration t) {
  Tell(run, Kind::kStar, model, t, &q);
  to.OnStar(q, t);
  TellAnswer(run, model, to, nullptr, t);
}

template <typename Processor>
Duration NextTimeOf(const std::vector<std::unique_ptr<Processor>>& parts) {
  Duration next = kPassive;
  for (const auto& part : parts) {
    next = std::min(next, part->next_time());
  }
  return next;
}

template <typename Simulator, typename Coordinator, typename Processor>
void MakeParts(const Coupled& model,
               ReferenceRun& run,
               std::vector<std::unique_ptr<Processor>>& parts) {
  for (const auto& part : model.parts()) {
    if (part->ops() != nullptr) {
      parts.push_back(std::make_unique<Simulator>(*part, run));
    } else {
      parts.push_back(std::make_unique<Coordinator>(
          static_cast<const Coupled&>(*part), run));
    }
  }
}

void CollectAtomics(const Coupled& model, std::vector<const Model*>& atomics) {
  for (const auto& part : model.parts()) {
    if (part->ops() != nullptr) {
      atomics.push_back(part.get());
    } else {
      CollectAtomics(static_cast<const Coupled&>(*part), atomics);
    }
  }
}

}  // namespace

// Messages --------------------------------------------------------------------

std::string TextOf(const SimulatorMessage& message) {
  static constexpr std::array<std::string_view, 5> kNames = {
      "x", "@", "*", "y", "done"};
  const bool comes_up =
      message.kind == Kind::kOutput || message.kind == Kind::kDone;
  std::string text = "(";
  text += kNames[static_cast<std::size_t>(message.kind)];
  text += ", " + (message.time == kPassive ? "infinity" : ToText(message.time));
  text += comes_up ? ") from " : ") to ";
  text += message.path;
  std::string separator = ": ";
  for (const Record::Field& field : message.content.fields()) {
    text += separator + field.name + " = ";
    AppendJsonValue(text, field.value);
    separator = ", ";
  }
  return text;
}

void PortMail::Append(std::uint32_t port, std::span<const Segment> segments) {
  for (const Segment& segment : segments) {
    ports_[port].push_back(segment);
    num_messages_ += segment.count;
  }
}

internal::Mail PortMail::ToLists() const {
  internal::Mail mail;
  for (const std::vector<Segment>& port : ports_) {
    internal::SegmentList list;
    list.first = static_cast<std::uint32_t>(mail.segments.size());
    list.count = static_cast<std::uint32_t>(port.size());
    list.capacity = list.count;
    for (const Segment& segment : port) {
      list.num_messages += segment.count;
    }
    mail.lists.push_back(list);
    mail.segments.insert(mail.segments.end(), port.begin(), port.end());
  }
  return mail;
}

PortMail Sender::Send(const Model& owner,
                      const std::function<void(Bag&)>& send) {
  outbox_.DestroyMessages();
  outbox_.Clear();
  std::ranges::fill(outputs_, Segment{});
  Bag y(owner, &outbox_, outputs_.data(), 0);
  send(y);
  PortMail mail(static_cast<std::uint32_t>(outputs_.size()));
  for (const std::uint32_t port : outbox_.sent) {
    mail.Append(port, std::span(&outputs_[port], 1));
  }
  return mail;
}

// Atomic models ---------------------------------------------------------------

AtomicRun::AtomicRun(const Model& model, ReferenceRun& run)
    : model_(model),
      ops_(*model.ops()),
      run_(run),
      memory_(ops_.state_size / sizeof(std::max_align_t) + 1),
      state_(nullptr, Destroy{&ops_}),
      inputs_(Iota(model.CountPorts(PortDirection::kIn))),
      sender_(model.CountPorts(PortDirection::kOut)) {
  if (!ops_.has_external && !inputs_.empty()) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot run " + model.Path() +
                    ": it has inputs and takes none; give it void "
                    "External(State&, Duration elapsed, const Bag& x) const");
  }
  const Duration start = Duration::zero();
  Call(model, start, [&] {
    ops_.initialize(model_, Start(run_.seed, model_), memory_.data());
  });
  state_.reset(memory_.data());
  Schedule(start, Call(model, start, [&] {
             return ops_.advance(model_, state_.get());
           }));
  run_.states.emplace(&model_, state_.get());
}

PortMail AtomicRun::Output(Duration t) {
  return Call(model_, t, [&] {
    return sender_.Send(model_,
                        [&](Bag& y) { ops_.output(model_, state_.get(), y); });
  });
}

void AtomicRun::MoveInternal(Duration t) {
  FixedStructure fixed(model_);
  ++run_.statistics.internal;
  Transit(Transition::kInternal, t, [&] {
    return ops_.internal(model_, state_.get(), fixed);
  });
}

void AtomicRun::MoveExternal(const PortMail& x, Duration t) {
  ++run_.statistics.external;
  run_.statistics.messages += x.num_messages();
  const internal::Mail lists = x.ToLists();
  FixedStructure fixed(model_);
  Transit(Transition::kExternal, t, [&] {
    return ops_.external(
        model_, state_.get(), t - last_time_, Received(lists), fixed);
  });
}

void AtomicRun::MoveConfluent(const PortMail& x, Duration t) {
  ++run_.statistics.confluent;
  run_.statistics.messages += x.num_messages();
  const internal::Mail lists = x.ToLists();
  FixedStructure fixed(model_);
  Transit(Transition::kConfluent, t, [&] {
    return ops_.confluent(model_, state_.get(), Received(lists), fixed);
  });
}

void AtomicRun::Transit(Transition kind,
                        Duration t,
                        const std::function<Duration()>& function) {
  run_.trace.push_back({.time = t,
                        .microstep = run_.statistics.microsteps,
                        .path = model_.Path(),
                        .transition = kind});
  Schedule(t, Call(model_, t, function));
}

void AtomicRun::Schedule(Duration t, Duration advance) {
  if (advance < Duration::zero()) {
    FailAt(model_,
           t,
           "its time advance is " + ToText(advance) +
               "; a time advance is not negative");
  }
  last_time_ = t;
  next_time_ = advance < kPassive - t ? t + advance : kPassive;
}

// Classic DEVS ----------------------------------------------------------------

ClassicSimulator::ClassicSimulator(const Model& model, ReferenceRun& run)
    : model_(model), run_(run), q_(model, run) {}

void ClassicSimulator::OnInput(const PortMail& x, Duration t) {
  CheckInputTime(model_, last_time(), next_time(), t);
  q_.MoveExternal(x, t);
}

PortMail ClassicSimulator::OnStar(Duration t) {
  CheckEventTime(model_, next_time(), t);
  PortMail y = q_.Output(t);
  q_.MoveInternal(t);
  return y;
}

std::size_t ClassicSimulator::Rank() const {
  return run_.rank.at(&model_);
}

ClassicCoordinator::ClassicCoordinator(const Coupled& model, ReferenceRun& run)
    : model_(model), run_(run) {
  MakeParts<ClassicSimulator, ClassicCoordinator>(model, run, parts_);
  Finish(Duration::zero());
}

void ClassicCoordinator::OnInput(const PortMail& x, Duration t) {
  CheckInputTime(model_, last_time_, next_time_, t);
  SendDown(model_, x, t);
  Finish(t);
}

PortMail ClassicCoordinator::OnStar(Duration t) {
  CheckEventTime(model_, next_time_, t);
  const Model& chosen = Select(t);
  const PortMail y = SendStar(run_, *parts_[chosen.position()], chosen, t);
  SendDown(chosen, y, t);
  Finish(t);
  const auto translated = Translate(model_, [&](const Model& from) {
    return &from == &chosen ? &y : nullptr;
  });
  const auto up = translated.find(&model_);
  return up == translated.end()
             ? PortMail(model_.CountPorts(PortDirection::kOut))
             : up->second;
}

// Sends to the influencees of a part or, for an input, of the model itself.
void ClassicCoordinator::SendDown(const Model& source,
                                  const PortMail& mail,
                                  Duration t) {
  const auto translated = Translate(model_, [&](const Model& from) {
    return &from == &source ? &mail : nullptr;
  });
  for (const auto& part : model_.parts()) {
    const auto received = translated.find(part.get());
    if (received != translated.end()) {
      SendInput(run_, *parts_[part->position()], *part, received->second, t);
    }
  }
}

const Model& ClassicCoordinator::Select(Duration t) const {
  std::vector<const Model*> imminent;
  for (const auto& part : model_.parts()) {
    if (parts_[part->position()]->next_time() == t) {
      imminent.push_back(part.get());
    }
  }
  if (!run_.rank.empty()) {
    return **std::ranges::min_element(imminent, {}, [&](const Model* part) {
      return parts_[part->position()]->Rank();
    });
  }
  if (imminent.size() == 1 || model_.select() == nullptr) {
    return *imminent.front();
  }
  const Model& chosen = model_.select()(imminent);
  if (std::ranges::find(imminent, &chosen) == imminent.end()) {
    FailAt(model_,
           t,
           "its SELECT chooses " + chosen.Path() +
               ", in which nothing is due; choose among the models given");
  }
  return chosen;
}

std::size_t ClassicCoordinator::Rank() const {
  std::size_t rank = run_.rank.size();
  for (const auto& part : parts_) {
    if (part->next_time() == next_time_) {
      rank = std::min(rank, part->Rank());
    }
  }
  return rank;
}

void ClassicCoordinator::Finish(Duration t) {
  last_time_ = t;
  next_time_ = NextTimeOf(parts_);
}

// Parallel DEVS ---------------------------------------------------------------

ParallelSimulator::ParallelSimulator(const Model& model, ReferenceRun& run)
    : model_(model), q_(model, run) {}

PortMail ParallelSimulator::OnCollect(Duration t) {
  CheckEventTime(model_, next_time(), t);
  return q_.Output(t);
}

void ParallelSimulator::OnStar(const PortMail& q, Duration t) {
  CheckInputTime(model_, last_time(), next_time(), t);
  if (t < next_time()) {
    q_.MoveExternal(q, t);
  } else if (q.empty()) {
    q_.MoveInternal(t);
  } else {
    q_.MoveConfluent(q, t);
  }
}

ParallelCoordinator::ParallelCoordinator(const Coupled& model,
                                         ReferenceRun& run)
    : model_(model), run_(run) {
  MakeParts<ParallelSimulator, ParallelCoordinator>(model, run, parts_);
  next_time_ = NextTimeOf(parts_);
}

PortMail ParallelCoordinator::OnCollect(Duration t) {
  CheckEventTime(model_, next_time_, t);
  sent_.clear();
  for (const auto& part : model_.parts()) {
    ParallelProcessor& processor = *parts_[part->position()];
    if (processor.next_time() == t) {
      sent_.emplace(part.get(), SendCollect(run_, processor, *part, t));
    }
  }
  const auto translated = Translate(model_, [&](const Model& from) {
    const auto sent = sent_.find(&from);
    return sent == sent_.end() ? nullptr : &sent->second;
  });
  const auto up = translated.find(&model_);
  return up == translated.end()
             ? PortMail(model_.CountPorts(PortDirection::kOut))
             : up->second;
}

void ParallelCoordinator::OnStar(const PortMail& q, Duration t) {
  CheckInputTime(model_, last_time_, next_time_, t);
  sent_.insert_or_assign(&model_, q);
  const auto translated = Translate(model_, [&](const Model& from) {
    const auto sent = sent_.find(&from);
    return sent == sent_.end() ? nullptr : &sent->second;
  });
  for (const auto& part : model_.parts()) {
    ParallelProcessor& processor = *parts_[part->position()];
    const auto received = translated.find(part.get());
    if (received != translated.end()) {
      SendStar(run_, processor, *part, received->second, t);
    } else if (processor.next_time() == t) {
      const PortMail none(part->CountPorts(PortDirection::kIn));
      SendStar(run_, processor, *part, none, t);
    }
  }
  sent_.clear();
  last_time_ = t;
  next_time_ = NextTimeOf(parts_);
}

// Root ------------------------------------------------------------------------

ReferenceSimulator::ReferenceSimulator(const Coupled& root, Options options)
    : root_(root),
      options_(std::move(options)),
      sender_(root.CountPorts(PortDirection::kIn)) {
  run_.seed = options_.seed;
  if (options_.formalism == Formalism::kParallel) {
    parallel_ = std::make_unique<ParallelCoordinator>(root_, run_);
    return;
  }
  RankModels();
  classic_ = std::make_unique<ClassicCoordinator>(root_, run_);
}

void ReferenceSimulator::RankModels() {
  if (options_.priority.empty()) {
    return;
  }
  for (const Model* model : options_.priority) {
    if (!run_.rank.emplace(model, run_.rank.size()).second) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot give " + model->Path() +
                      " two priorities: it is listed twice; list it once");
    }
  }
  std::vector<const Model*> atomics;
  CollectAtomics(root_, atomics);
  for (const Model* model : atomics) {
    run_.rank.emplace(model, run_.rank.size());
  }
}

Duration ReferenceSimulator::next_time() const {
  const Duration next =
      classic_ != nullptr ? classic_->next_time() : parallel_->next_time();
  return injections_.empty() ? next
                             : std::min(next, injections_.begin()->first);
}

void ReferenceSimulator::RunUntil(Duration end) {
  for (Duration next = next_time(); next <= end && next != kPassive;
       next = next_time()) {
    if (has_failed_) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot go on with " + root_.Path() +
                      ": its run has failed; start another");
    }
    has_failed_ = true;
    RunMicrostep(next);
    has_failed_ = false;
  }
  now_ = std::max(now_, end);
}

void ReferenceSimulator::RunMicrostep(Duration t) {
  microsteps_here_ = t == now_ ? microsteps_here_ + 1 : 1;
  now_ = t;
  ++run_.statistics.microsteps;
  if (microsteps_here_ > options_.max_microsteps) {
    FailAt(root_,
           t,
           "more than " + std::to_string(options_.max_microsteps) +
               " steps at this time; give a model a time advance above zero, "
               "or raise max_microsteps");
  }
  if (parallel_ != nullptr) {
    if (parallel_->next_time() == t) {
      SendCollect(run_, *parallel_, root_, t);
    }
    SendStar(run_, *parallel_, root_, TakeInjected(t), t);
  } else if (injections_.contains(t)) {
    SendInput(run_, *classic_, root_, TakeInjected(t), t);
  } else {
    SendStar(run_, *classic_, root_, t);
  }
}

PortMail ReferenceSimulator::TakeInjected(Duration t) {
  PortMail mail = sender_.Send(root_, [&](Bag& x) {
    const auto [begin, end] = injections_.equal_range(t);
    for (auto injection = begin; injection != end; ++injection) {
      injection->second(x);
    }
  });
  injections_.erase(t);
  return mail;
}

void ReferenceSimulator::InjectBy(const Port& port,
                                  Duration at,
                                  std::function<void(Bag&)> send) {
  internal::CheckInjection(root_, port, at, now_);
  injections_.emplace(at, std::move(send));
}

const void* ReferenceSimulator::StateOf(const Model& model) const {
  const auto state = run_.states.find(&model);
  if (state == run_.states.end()) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "cannot find " + model.Path() + " in a run of " + root_.Path() +
            ": it is no atomic model of it; give one that was added to it or "
            "its parts");
  }
  return state->second;
}

}  // namespace orrery::devs
