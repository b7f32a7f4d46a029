#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/modeling/coupled.h"

/// Random but reproducible networks whose models do anything that a model may
/// do: for comparisons of engines.
namespace orrery::devs::random_network {

using Number = std::uint64_t;

/// Mixes both numbers (the finalizer of SplitMix64).
[[nodiscard]] inline Number Mix(Number a, Number b) {
  Number z = a ^ (b + 0x9E3779B97F4A7C15U + (a << 6U) + (a >> 2U));
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

enum class Call : std::uint8_t { kOutput, kInternal, kExternal, kConfluent };

/// A call of a function of a model, with the state after it.
struct LogEntry {
  std::int64_t time = 0;
  Number model = 0;
  Call call = Call::kOutput;
  Number state = 0;  ///< Hash of the state after the call.

  friend auto operator<=>(const LogEntry&, const LogEntry&) = default;
};

using Log = std::vector<LogEntry>;

/// The ports of a model, for numbers and for texts.
struct Ports {
  std::vector<std::unique_ptr<In<Number>>> ins;
  std::vector<std::unique_ptr<In<std::string>>> text_ins;
  std::vector<std::unique_ptr<Out<Number>>> outs;
  std::vector<std::unique_ptr<Out<std::string>>> text_outs;

  Ports(Model* owner, std::mt19937_64& random) {
    const auto add = [&](auto& ports, const std::string& name) {
      using Port = typename std::remove_reference_t<
          decltype(ports)>::value_type::element_type;
      const auto count = random() % 3;
      for (std::size_t i = 0; i < count; ++i) {
        ports.push_back(
            std::make_unique<Port>(owner, name + std::to_string(i)));
      }
    };
    add(ins, "in");
    add(text_outs, "textOut");
    add(text_ins, "textIn");
    add(outs, "out");
  }
};

/// A model whose behaviour depends on its whole history.
class AtomBase {
 public:
  virtual ~AtomBase() = default;

  struct State {
    Number hash = 0;
    std::int64_t last = 0;
    Duration sigma{};
    int zeros = 0;  ///< Time advances of zero in a row at this time.
  };

  AtomBase(const AtomBase&) = delete;
  AtomBase& operator=(const AtomBase&) = delete;

  /// @param log may be null.
  AtomBase(Model* owner, Number number, Log* log, std::mt19937_64& random)
      : ports_(owner, random), number_(number), log_(log) {}

  [[nodiscard]] const Ports& ports() const { return ports_; }

  [[nodiscard]] Number number() const { return number_; }

  [[nodiscard]] State Initial() const {
    State s{.hash = Mix(number_, 0)};
    ChooseSigma(s);
    return s;
  }

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  /// Sends up to five messages, by random ports.
  void Output(const State& s, Bag& y) const {
    const std::size_t all = ports_.outs.size() + ports_.text_outs.size();
    for (Number i = 0; all > 0 && i < Mix(s.hash, 1) % 6; ++i) {
      const Number value = Mix(s.hash, i + 2);
      const std::size_t port = value % all;
      if (port < ports_.outs.size()) {
        y.Send(*ports_.outs[port], value);
      } else {
        y.Send(*ports_.text_outs[port - ports_.outs.size()],
               "a text of some length, " + std::to_string(value));
      }
    }
    Write(s.last + s.sigma.count(), Call::kOutput, s);
  }

  void Internal(State& s) const {
    Advance(s, s.sigma);
    s.hash = Mix(s.hash, 10);
    ChooseSigma(s);
    Write(s.last, Call::kInternal, s);
  }

  void External(State& s, Duration elapsed, const Bag& x) const {
    Advance(s, elapsed);
    Take(s, x);
    // Some inputs keep the time of the next event.
    if (s.hash % 4 == 0 && s.sigma != kPassive) {
      s.sigma -= elapsed;
    } else {
      ChooseSigma(s);
    }
    Write(s.last, Call::kExternal, s);
  }

 protected:
  void TakeBoth(State& s, const Bag& x) const {
    Advance(s, s.sigma);
    s.hash = Mix(s.hash, 11);
    Take(s, x);
    ChooseSigma(s);
    Write(s.last, Call::kConfluent, s);
  }

 private:
  static void Advance(State& s, Duration elapsed) {
    s.last += elapsed.count();
    s.zeros = elapsed == Duration::zero() ? s.zeros : 0;
  }

  void Take(State& s, const Bag& x) const {
    for (const auto& port : ports_.ins) {
      s.hash = Mix(s.hash, x[*port].size());
      for (const Number value : x[*port]) {
        s.hash = Mix(s.hash, value);
      }
    }
    for (const auto& port : ports_.text_ins) {
      for (const std::string& value : x[*port]) {
        s.hash = Mix(s.hash, std::hash<std::string>()(value));
      }
    }
  }

  // Chooses from few times, so that many coincide; at most three events at one
  // of them.
  static void ChooseSigma(State& s) {
    const Number choice = Mix(s.hash, 12) % 12;
    if (choice == 0) {
      s.sigma = kPassive;
    } else if (choice < 4 && s.zeros < 3) {
      ++s.zeros;
      s.sigma = Duration::zero();
    } else {
      s.sigma = Duration(1 + static_cast<std::int64_t>(choice % 4));
    }
  }

  void Write(std::int64_t time, Call call, const State& s) const {
    if (log_ != nullptr) {
      log_->push_back(
          {.time = time, .model = number_, .call = call, .state = s.hash});
    }
  }

  Ports ports_;
  Number number_;
  Log* log_;
};

/// A model with the default confluent transition.
class Atom : public Atomic<Atom>, public AtomBase {
 public:
  using State = AtomBase::State;

  Atom(Number number, Log* log, std::mt19937_64& random)
      : AtomBase(this, number, log, random) {}
};

/// A model with its own confluent transition.
class ConfluentAtom : public Atomic<ConfluentAtom>, public AtomBase {
 public:
  using State = AtomBase::State;

  ConfluentAtom(Number number, Log* log, std::mt19937_64& random)
      : AtomBase(this, number, log, random) {}

  void Confluent(State& s, const Bag& x) const { TakeBoth(s, x); }
};

enum class Choice : std::uint8_t { kFirst, kSelect, kList };

struct Shape {
  int depth = 2;
  int max_parts = 4;
  Choice choice = Choice::kFirst;
};

/// A coupled model of up to `max_parts` parts, which are atomic or, down to
/// `depth`, coupled. It has about half of all possible couplings.
class Network : public Coupled {
 public:
  Network(const Shape& shape, Log* log, std::mt19937_64& random)
      : ports_(this, random) {
    const auto count =
        1 + random() % static_cast<std::uint64_t>(shape.max_parts);
    for (std::uint64_t i = 0; i < count; ++i) {
      AddPart("part" + std::to_string(i), shape, log, random);
    }
    CoupleAll(random);
    if (shape.choice == Choice::kSelect) {
      SelectAnyhow(random());
    } else if (shape.choice == Choice::kList) {
      ListAnyhow(random);
    }
  }

  [[nodiscard]] const Ports& ports() const { return ports_; }

  /// Calls a function for all atomic models in it.
  template <typename Function>
  void ForEachAtomic(Function function) const {
    for (const auto& part : parts()) {
      if (part->ops() == nullptr) {
        static_cast<const Network&>(*part).ForEachAtomic(function);
      } else {
        function(*part);
      }
    }
  }

 private:
  void AddPart(const std::string& name,
               const Shape& shape,
               Log* log,
               std::mt19937_64& random) {
    if (shape.depth > 1 && random() % 2 == 0) {
      Shape inner = shape;
      --inner.depth;
      part_ports_.push_back(&Add<Network>(name, inner, log, random).ports());
    } else if (random() % 2 == 0) {
      part_ports_.push_back(&Add<Atom>(name, random(), log, random).ports());
    } else {
      part_ports_.push_back(
          &Add<ConfluentAtom>(name, random(), log, random).ports());
    }
  }

  void CoupleAll(std::mt19937_64& random) {
    std::vector<std::pair<const Port*, const Port*>> all;
    const auto collect = [&](const auto& from, const auto& to) {
      for (const auto& source : from) {
        for (const auto& target : to) {
          all.emplace_back(source.get(), target.get());
        }
      }
    };
    for (const Ports* part : part_ports_) {
      collect(ports_.ins, part->ins);
      collect(ports_.text_ins, part->text_ins);
      collect(part->outs, ports_.outs);
      collect(part->text_outs, ports_.text_outs);
      for (const Ports* other : part_ports_) {
        if (part != other) {
          collect(part->outs, other->ins);
          collect(part->text_outs, other->text_ins);
        }
      }
    }
    std::shuffle(all.begin(), all.end(), random);
    all.resize((all.size() + 1) / 2);
    for (const auto& [from, to] : all) {
      Couple(*from, *to);
    }
  }

  void SelectAnyhow(Number salt) {
    SetSelect([salt](std::span<const Model* const> imminent) -> const Model& {
      Number hash = salt;
      for (const Model* model : imminent) {
        hash = Mix(hash, model->position());
      }
      return *imminent[hash % imminent.size()];
    });
  }

  void ListAnyhow(std::mt19937_64& random) {
    std::vector<const Model*> order;
    for (const auto& part : parts()) {
      order.push_back(part.get());
    }
    std::shuffle(order.begin(), order.end(), random);
    order.resize(random() % (order.size() + 1));
    SetPriority(order);
  }

  Ports ports_;
  std::vector<const Ports*> part_ports_;
};

}  // namespace orrery::devs::random_network
