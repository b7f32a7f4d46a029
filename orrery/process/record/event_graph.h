#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/process/record/event_row.h"
#include "orrery/process/record/event_visitors.h"

namespace orrery::process {

namespace internal {
[[noreturn]] void RefuseEventRow(std::size_t row, const std::string& why);
}  // namespace internal

/// The values to which an algebra of events folds a graph.
template <typename Algebra>
using EventValue = decltype(std::declval<Algebra&>().Empty());

/// The requirements on an algebra that folds a graph of events: a value for no
/// event, a value for one, and both ways to compose. An EventGraph is such an
/// algebra itself.
template <typename A, typename T>
concept EventAlgebra =
    requires(A& algebra, const T& atom, EventValue<A> a, EventValue<A> b) {
  { algebra.Atom(atom) } -> std::same_as<EventValue<A>>;
  {
    algebra.Sequentially(std::move(a), std::move(b))
    } -> std::same_as<EventValue<A>>;
  {
    algebra.Concurrently(std::move(a), std::move(b))
    } -> std::same_as<EventValue<A>>;
};

/// The events of a run with their causal order: a series-parallel graph of
/// atoms, composed one after the other (;) and beside each other (|).
///
/// Two graphs are equal if they differ only by grouping or by the sides of |.
/// The order in which | was composed is kept and shown nevertheless. The graph
/// is a value of two vectors, with 8 bytes an atom beside the atoms. No depth
/// overflows the stack.
///
/// To compose costs as much as the smaller graph has atoms, if the graphs are
/// moved in: n events in a row, in either direction, cost O(n), any graph of n
/// atoms at most O(n log n).
template <typename T>
class EventGraph {
 public:
  /// An empty graph.
  EventGraph() = default;

  static EventGraph Empty() { return {}; }

  static EventGraph Atom(T value) {
    EventGraph graph;
    graph.atoms_.push_back(std::move(value));
    return graph;
  }

  /// All events of `first` come before all events of `second`.
  static EventGraph Sequentially(EventGraph first, EventGraph second) {
    return Composed(
        EventJoin::kSequentially, std::move(first), std::move(second));
  }

  static EventGraph Concurrently(EventGraph a, EventGraph b) {
    return Composed(EventJoin::kConcurrently, std::move(a), std::move(b));
  }

  [[nodiscard]] bool empty() const { return atoms_.empty(); }

  [[nodiscard]] std::size_t num_atoms() const { return atoms_.size(); }

  /// Folds the graph with the algebra. The members of a row, or of a group side
  /// by side, are folded from the first on, however they were grouped.
  template <EventAlgebra<T> Algebra>
  [[nodiscard]] auto Evaluate(Algebra&& algebra) const {
    internal::EventEvaluation<T,
                              std::remove_reference_t<Algebra>,
                              EventValue<Algebra>>
        evaluation(algebra);
    Walk(evaluation);
    return std::move(evaluation).Result();
  }

  /// True for the same events in the same causal order. O(n log n), for atoms
  /// without std::hash O(n^2).
  friend bool operator==(const EventGraph& a, const EventGraph& b) requires
      std::equality_comparable<T> {
    if (a.num_atoms() != b.num_atoms()) {
      return false;
    }
    internal::EventClasses<T> classes;
    a.Walk(classes);
    const std::uint32_t number = classes.Taken();
    b.Walk(classes);
    return number == classes.Taken();
  }

  /// For example "a; ((b; (d | c)) | e)"; "" without events.
  /// @param print returns the text of an atom.
  template <std::invocable<const T&> Print>
  [[nodiscard]] std::string ToText(const Print& print) const {
    internal::EventText<T, Print> text(print);
    Walk(text);
    return std::move(text).Result();
  }

  /// The rows of a table: see EventRow.
  [[nodiscard]] std::vector<EventRow<T>> Flat() const {
    internal::EventRows<T> rows(num_atoms());
    Walk(rows);
    return std::move(rows).Result();
  }

  /// The graph of such rows. Joins of a higher level bind more strongly.
  /// @throws Error kInvalidArgument, with the number of the row, if the first
  ///     row is joined or another is not, or if at one level both ; and | join.
  static EventGraph FromFlat(std::vector<EventRow<T>> rows);

 private:
  using Join = EventJoin;

  // A reference to an atom (kFirst) or to a node, with the join of its sides.
  class Part {
   public:
    Part() = default;

    Part(Join join, std::size_t index)
        : bits_(static_cast<std::uint32_t>(index) << 2U |
                static_cast<std::uint32_t>(join)) {}

    [[nodiscard]] Join join() const { return static_cast<Join>(bits_ & 3U); }

    [[nodiscard]] std::size_t index() const { return bits_ >> 2U; }

   private:
    std::uint32_t bits_ = 0;
  };

  struct Node {
    Part left;
    Part right;
  };

  static constexpr std::size_t kMostAtoms = std::size_t{1} << 30U;

  // Calls a visitor (event_visitors.h) for each group and atom.
  template <typename Visitor>
  void Walk(Visitor& visitor) const;

  class Assembly;

  static EventGraph Composed(Join join, EventGraph a, EventGraph b) {
    if (a.empty()) {
      return b;
    }
    if (b.empty()) {
      return a;
    }
    ORRERY_CHECK(a.num_atoms() + b.num_atoms() <= kMostAtoms);
    if (a.num_atoms() >= b.num_atoms()) {
      const Part left = a.root_;
      a.Add(join, left, a.Absorbed(std::move(b)));
      return a;
    }
    const Part right = b.root_;
    b.Add(join, b.Absorbed(std::move(a)), right);
    return b;
  }

  // Takes in the atoms and nodes of another graph, and returns its new root.
  Part Absorbed(EventGraph guest) {
    const auto moved = [num_atoms = atoms_.size(),
                        num_nodes = nodes_.size()](Part part) {
      const bool is_atom = part.join() == Join::kFirst;
      return Part(part.join(),
                  part.index() + (is_atom ? num_atoms : num_nodes));
    };
    for (const Node& node : guest.nodes_) {
      nodes_.push_back({moved(node.left), moved(node.right)});
    }
    atoms_.insert(atoms_.end(),
                  std::make_move_iterator(guest.atoms_.begin()),
                  std::make_move_iterator(guest.atoms_.end()));
    return moved(guest.root_);
  }

  void Add(Join join, Part left, Part right) {
    root_ = Part(join, nodes_.size());
    nodes_.push_back({left, right});
  }

  std::vector<T> atoms_;
  // One fewer than atoms, except for the empty graph.
  std::vector<Node> nodes_;
  Part root_;
};

template <typename T>
template <typename Visitor>
void EventGraph<T>::Walk(Visitor& visitor) const {
  struct Step {
    Part part;
    Join group = Join::kFirst;
    bool closes = false;
  };

  std::vector<Step> left;
  if (!empty()) {
    left.push_back({.part = root_});
  }
  while (!left.empty()) {
    const Step step = left.back();
    left.pop_back();
    const Join join = step.part.join();
    if (step.closes) {
      visitor.Close();
    } else if (join == Join::kFirst) {
      visitor.Atom(atoms_[step.part.index()]);
    } else {
      if (join != step.group) {
        visitor.Open(join);
        left.push_back({.closes = true});
      }
      const Node& node = nodes_[step.part.index()];
      left.push_back({.part = node.right, .group = join});
      left.push_back({.part = node.left, .group = join});
    }
  }
}

// Reads rows as an operator precedence parser reads operators.
template <typename T>
class EventGraph<T>::Assembly {
 public:
  void Add(EventRow<T> row) {
    ++num_rows_;
    if ((row.join == Join::kFirst) != (num_rows_ == 1)) {
      internal::RefuseEventRow(num_rows_,
                               num_rows_ == 1
                                   ? "it is joined, but none is above it"
                                   : "it is not joined to the one above it");
    }
    if (num_rows_ > 1) {
      const Part left = Closed(row.level, row.join);
      open_.push_back({row.level, row.join, left});
    }
    graph_.atoms_.push_back(std::move(row.atom));
  }

  EventGraph Result() && {
    if (num_rows_ > 0) {
      graph_.root_ = Closed(0, Join::kFirst);
    }
    return std::move(graph_);
  }

 private:
  struct Open {  // A join whose right side may go on.
    std::uint32_t level = 0;
    Join join = Join::kFirst;
    Part left;
  };

  // Closes all joins from the level on. Returns the part that becomes the left
  // side of `join` at that level.
  Part Closed(std::uint32_t level, Join join) {
    Part part(Join::kFirst, graph_.atoms_.size() - 1);
    while (!open_.empty() && open_.back().level >= level) {
      const Open& last = open_.back();
      if (join != Join::kFirst && last.level == level && last.join != join) {
        internal::RefuseEventRow(
            num_rows_, "both ; and | join at level " + std::to_string(level));
      }
      graph_.Add(last.join, last.left, part);
      part = graph_.root_;
      open_.pop_back();
    }
    return part;
  }

  EventGraph graph_;
  std::vector<Open> open_;
  std::size_t num_rows_ = 0;
};

template <typename T>
EventGraph<T> EventGraph<T>::FromFlat(std::vector<EventRow<T>> rows) {
  ORRERY_CHECK(rows.size() <= kMostAtoms);
  Assembly assembly;
  for (EventRow<T>& row : rows) {
    assembly.Add(std::move(row));
  }
  return std::move(assembly).Result();
}

}  // namespace orrery::process
