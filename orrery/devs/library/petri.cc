#include "orrery/devs/library/petri.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "orrery/base/error.h"

namespace orrery::devs {
namespace {

std::string PortName(const char* name, std::size_t number) {
  return name + std::to_string(number);
}

void CheckArc(std::int64_t tokens) {
  if (tokens < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot add an arc to a transition: it is to carry " +
                    std::to_string(tokens) + " tokens; give 1 or more");
  }
}

bool ComesFirst(const Claim& a, const Claim& b) {
  return a.priority != b.priority ? a.priority > b.priority
                                  : a.from->position() < b.from->position();
}

}  // namespace

void PlaceMessage::Describe(Record& record) const {
  record.Add("tokens", tokens);
  if (to != nullptr) {
    record.Add("to", to->name());
    record.Add("is_granted", is_granted);
  }
}

void Claim::Describe(Record& record) const {
  record.Add("from", from->name());
  record.Add("tokens", tokens);
  record.Add("priority", priority);
}

PetriPlace::PetriPlace(std::int64_t tokens) : tokens_(tokens) {
  if (tokens < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make a place: it is to hold " + std::to_string(tokens) +
                    " tokens; give 0 or more");
  }
}

PetriPlace::State PetriPlace::Initial() const {
  return {.tokens = tokens_, .answers = {}, .claims = {}};
}

Duration PetriPlace::TimeAdvance(const State& s) const {
  return s.has_changed ? Duration::zero() : kPassive;
}

void PetriPlace::Output(const State& s, Bag& y) const {
  for (const PlaceMessage& answer : s.answers) {
    y.Send(out, answer);
  }
  y.Send(out, {.tokens = s.tokens});
}

void PetriPlace::Internal(State& s) const {
  s.answers.clear();
  s.has_changed = false;
}

void PetriPlace::External(State& s, Duration /*elapsed*/, const Bag& x) const {
  for (const std::int64_t tokens : x[put]) {
    s.tokens += tokens;
  }
  s.claims.clear();
  for (const Claim& wish : x[claim]) {
    s.claims.insert(
        std::upper_bound(s.claims.begin(), s.claims.end(), wish, &ComesFirst),
        wish);
  }
  for (const Claim& wish : s.claims) {
    const bool is_granted = s.tokens >= wish.tokens;
    s.tokens -= is_granted ? wish.tokens : 0;
    s.answers.push_back({.to = wish.from, .is_granted = is_granted});
  }
  s.has_changed = true;
}

void PetriPlace::Describe(const State& s, Record& record) const {
  record.Add("tokens", s.tokens);
}

PetriTransition::InputArc::InputArc(PetriTransition* owner,
                                    std::size_t number,
                                    std::int64_t arc_tokens)
    : offer(owner, PortName("offer", number)),
      claim(owner, PortName("claim", number)),
      give_back(owner, PortName("give_back", number)),
      tokens(arc_tokens) {}

PetriTransition::OutputArc::OutputArc(PetriTransition* owner,
                                      std::size_t number,
                                      std::int64_t arc_tokens)
    : put(owner, PortName("put", number)), tokens(arc_tokens) {}

PetriTransition::PetriTransition(Times delay, double priority)
    : delay_(std::move(delay)), priority_(priority) {
  if (std::isnan(priority)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make a transition: its priority is not a number; give "
                "one");
  }
}

const PetriTransition::InputArc& PetriTransition::AddInput(
    std::int64_t tokens) {
  CheckArc(tokens);
  return inputs_.emplace_back(this, inputs_.size(), tokens);
}

const PetriTransition::OutputArc& PetriTransition::AddOutput(
    std::int64_t tokens) {
  CheckArc(tokens);
  return outputs_.emplace_back(this, outputs_.size(), tokens);
}

PetriTransition::State PetriTransition::Initial(const Start& start) const {
  State s{.places = std::vector<Seen>(inputs_.size()),
          .random = start.Stream("delay")};
  Reconsider(s);
  return s;
}

Duration PetriTransition::TimeAdvance(const State& s) const {
  switch (s.phase) {
    case Phase::kTiming:
      return s.sigma;
    case Phase::kFiring:
    case Phase::kGivingBack:
      return Duration::zero();
    case Phase::kDisabled:
    case Phase::kClaiming:
      break;
  }
  return kPassive;
}

void PetriTransition::Output(const State& s, Bag& y) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const InputArc& arc = inputs_[i];
    if (s.phase == Phase::kTiming) {
      y.Send(arc.claim,
             {.from = this, .tokens = arc.tokens, .priority = priority_});
    } else if (s.phase == Phase::kGivingBack && s.places[i].is_granted) {
      y.Send(arc.give_back, arc.tokens);
    }
  }
  if (s.phase == Phase::kFiring) {
    for (const OutputArc& arc : outputs_) {
      y.Send(arc.put, arc.tokens);
    }
  }
}

void PetriTransition::Internal(State& s) const {
  if (s.phase == Phase::kTiming) {
    s.sigma = Duration::zero();
    s.num_unanswered = inputs_.size();
    s.phase = inputs_.empty() ? Phase::kFiring : Phase::kClaiming;
    return;
  }
  if (s.phase == Phase::kFiring) {
    ++s.fired;
    s.has_clock = false;
  }
  for (Seen& place : s.places) {
    place.is_granted = false;
  }
  s.phase = Phase::kDisabled;
  Reconsider(s);
}

void PetriTransition::External(State& s, Duration elapsed, const Bag& x) const {
  if (s.phase == Phase::kTiming) {
    s.sigma -= elapsed;
  } else if (elapsed > Duration::zero()) {
    s.has_clock = false;
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    for (const PlaceMessage& message : x[inputs_[i].offer]) {
      if (message.to == nullptr) {
        s.places[i].tokens = message.tokens;
      } else if (message.to == this) {
        TakeAnswer(s, i, message);
      }
    }
  }
  if (s.phase == Phase::kTiming || s.phase == Phase::kDisabled) {
    Reconsider(s);
  }
}

void PetriTransition::TakeAnswer(State& s,
                                 std::size_t arc,
                                 const PlaceMessage& answer) const {
  s.places[arc].is_granted = answer.is_granted;
  if (--s.num_unanswered > 0) {
    return;
  }
  const bool is_granted =
      std::all_of(s.places.begin(), s.places.end(), [](const Seen& place) {
        return place.is_granted;
      });
  s.phase = is_granted ? Phase::kFiring : Phase::kGivingBack;
}

// A transition that was disabled and is enabled again in the same instant keeps
// its clock: it was disabled only between taking and giving back by others.
void PetriTransition::Reconsider(State& s) const {
  bool is_enabled = true;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    is_enabled = is_enabled && s.places[i].tokens >= inputs_[i].tokens;
  }
  if (!is_enabled) {
    s.phase = Phase::kDisabled;
    return;
  }
  s.phase = Phase::kTiming;
  if (!s.has_clock) {
    s.sigma = delay_.Draw(s.random);
    s.has_clock = true;
  }
}

void PetriTransition::Describe(const State& s, Record& record) const {
  record.Add("is_enabled", s.phase != Phase::kDisabled);
  record.Add("fired", s.fired);
}

PetriPlace& PetriNet::AddPlace(std::string_view name, std::int64_t tokens) {
  return Add<PetriPlace>(name, tokens);
}

PetriTransition& PetriNet::AddTransition(std::string_view name,
                                         Times delay,
                                         double priority) {
  return Add<PetriTransition>(name, std::move(delay), priority);
}

void PetriNet::Connect(const PetriPlace& from,
                       PetriTransition& to,
                       std::int64_t tokens) {
  const PetriTransition::InputArc& arc = to.AddInput(tokens);
  Couple(from.out, arc.offer);
  Couple(arc.claim, from.claim);
  Couple(arc.give_back, from.put);
}

void PetriNet::Connect(PetriTransition& from,
                       const PetriPlace& to,
                       std::int64_t tokens) {
  Couple(from.AddOutput(tokens).put, to.put);
}

}  // namespace orrery::devs
