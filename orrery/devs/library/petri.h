#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "orrery/devs/library/distribution.h"
#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/modeling/coupled.h"

namespace orrery::devs {

/// A message of a place: its tokens, for all transitions; and its answer to the
/// claim of one of them.
struct PlaceMessage {
  std::int64_t tokens = 0;
  const Model* to = nullptr;  ///< The transition that is answered, or null.
  bool is_granted = false;

  void Describe(Record& record) const;
};

/// A transition's claim for tokens.
struct Claim {
  const Model* from = nullptr;
  std::int64_t tokens = 0;
  double priority = 0;

  void Describe(Record& record) const;
};

/// A place of a timed Petri net. It sends its number of tokens at the start and
/// after each change. Simultaneous claims for more than its tokens are a
/// conflict: the transition of the higher priority comes first, of equal ones
/// the one declared first in its model.
class PetriPlace : public Atomic<PetriPlace> {
 public:
  struct State {
    std::int64_t tokens = 0;
    std::vector<PlaceMessage> answers;
    std::vector<Claim> claims;  ///< The claims being answered.
    bool has_changed = true;
  };

  In<Claim> claim{this, "claim"};
  In<std::int64_t> put{this, "put"};
  Out<PlaceMessage> out{this, "out"};

  /// @throws Error kInvalidArgument for a negative number of tokens.
  explicit PetriPlace(std::int64_t tokens = 0);

  [[nodiscard]] State Initial() const;
  [[nodiscard]] Duration TimeAdvance(const State& s) const;
  void Output(const State& s, Bag& y) const;
  void Internal(State& s) const;
  void External(State& s, Duration elapsed, const Bag& x) const;
  void Describe(const State& s, Record& record) const;

 private:
  std::int64_t tokens_;
};

/// A transition of a timed Petri net. It is enabled while each of its places
/// has the tokens of the arc. After its delay it takes them, and puts tokens to
/// its output places at once. It fires once at a time. Its delay begins anew
/// after it has fired, or was disabled at the end of an instant.
///
/// It takes tokens from all its places or none: it claims from each; if one
/// refuses, it gives back the granted tokens and is disabled until there are
/// tokens again. All places prefer the same transitions, so that some
/// transition always gets all its claims. In classic DEVS claims come one by
/// one: SELECT decides.
///
/// Merlin & Farber, IEEE Trans. Commun. 24 (1976) 1036; conflicts by priority
/// as in Ajmone Marsan, Conte & Balbo, ACM Trans. Comput. Syst. 2 (1984) 93.
class PetriTransition : public Atomic<PetriTransition> {
 public:
  enum class Phase : std::uint8_t {
    kDisabled,
    kTiming,
    kClaiming,
    kFiring,
    kGivingBack
  };

  struct Seen {
    std::int64_t tokens = 0;
    bool is_granted = false;
  };

  struct State {
    Phase phase = Phase::kDisabled;
    std::vector<Seen> places;  ///< One for each input arc.
    std::size_t num_unanswered = 0;
    bool has_clock = false;  ///< True if `sigma` is the rest of a delay.
    Duration sigma{};
    std::int64_t fired = 0;
    RandomStream random;
  };

  /// An arc from a place.
  struct InputArc {
    InputArc(PetriTransition* owner, std::size_t number, std::int64_t tokens);

    In<PlaceMessage> offer;
    Out<Claim> claim;
    Out<std::int64_t> give_back;
    std::int64_t tokens;
  };

  /// An arc to a place.
  struct OutputArc {
    OutputArc(PetriTransition* owner, std::size_t number, std::int64_t tokens);

    Out<std::int64_t> put;
    std::int64_t tokens;
  };

  /// @throws Error kInvalidArgument if the priority is not a number.
  explicit PetriTransition(Times delay = Duration::zero(), double priority = 0);

  /// Adds an arc, before the run.
  /// @throws Error kInvalidArgument for less than one token.
  const InputArc& AddInput(std::int64_t tokens);
  const OutputArc& AddOutput(std::int64_t tokens);

  [[nodiscard]] State Initial(const Start& start) const;
  [[nodiscard]] Duration TimeAdvance(const State& s) const;
  void Output(const State& s, Bag& y) const;
  void Internal(State& s) const;
  void External(State& s, Duration elapsed, const Bag& x) const;
  void Describe(const State& s, Record& record) const;

 private:
  void Reconsider(State& s) const;
  void TakeAnswer(State& s, std::size_t arc, const PlaceMessage& answer) const;

  Times delay_;
  double priority_;
  std::deque<InputArc> inputs_;
  std::deque<OutputArc> outputs_;
};

/// A Petri net: places, transitions, and arcs between them.
class PetriNet : public Coupled {
 public:
  using Coupled::Coupled;

  PetriPlace& AddPlace(std::string_view name, std::int64_t tokens = 0);

  /// @param priority in conflicts: the higher comes first.
  PetriTransition& AddTransition(std::string_view name,
                                 Times delay = Duration::zero(),
                                 double priority = 0);

  /// Adds an arc of some tokens.
  /// @throws Error kInvalidArgument for less than one token, kInvalidModel if
  ///     the two are not of this net.
  void Connect(const PetriPlace& from,
               PetriTransition& to,
               std::int64_t tokens = 1);
  void Connect(PetriTransition& from,
               const PetriPlace& to,
               std::int64_t tokens = 1);
};

}  // namespace orrery::devs
