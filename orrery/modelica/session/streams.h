#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "orrery/base/containers/disjoint_sets.h"
#include "orrery/base/diagnostic.h"
#include "orrery/base/text/shared_text.h"
#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

struct Component;
struct Session;

/// The sets of connected stream variables, and their mixing equations
/// (specification 3.6, chapter 15).
///
/// inStream and actualStream depend on all connections. Until these are known,
/// each is a symbol; Resolve() adds its equation.
class StreamConnections {
 public:
  explicit StreamConnections(Session& session) : session_(session) {}

  /// A stream variable as a connection sees it.
  struct End {
    Component* stream = nullptr;
    bool is_outside = false;  ///< The connecting component's own connector.
  };

  enum class Question : std::uint8_t {
    kInStream,     ///< The mixture that would flow into the component.
    kActualStream  ///< That for inflow; its own value for outflow.
  };

  /// connect(..., ...) of connectors with a and b in them.
  void Join(const End& a,
            const End& b,
            const SourceSpan& span,
            const SharedText& path);

  /// The symbol of the operator's result.
  Expr Ask(Question question, Component& stream, const SourceSpan& user);

  /// Adds the equations of all sets of connected streams and of all symbols.
  void Resolve();

 private:
  struct StreamMember {
    End end;
    SourceSpan span;
    SharedText path;
  };

  struct Asked {
    Question question = Question::kInStream;
    Component* stream = nullptr;
    Expr symbol;
    SourceSpan user;
  };

  // The contribution of one member to the others of its set.
  struct Inflow {
    Expr value;
    Expr rate;
    double nominal = 1;  // The rate's nominal value.
  };

  using Key = std::pair<const Component*, bool>;

  std::size_t Add(const End& end,
                  const SourceSpan& span,
                  const SharedText& path);
  Expr InStream(Component& stream, const SourceSpan& user);
  void AddVariable(const Asked& asked);
  Expr FormulaOf(const Asked& asked);
  Expr Inflowing(std::size_t without);
  Inflow InflowOf(const StreamMember& member);
  bool MayEnter(const StreamMember& member);
  Expr Mixture(const std::vector<Inflow>& inflows);
  void Guarded(const std::function<void()>& work) const;

  Session& session_;
  std::vector<StreamMember> members_;
  DisjointSets joined_;  // Sets of members.
  std::map<Key, std::size_t> member_of_;
  std::vector<std::vector<std::size_t>> sets_;  // By their representatives.
  std::vector<Asked> asked_;
  std::map<Key, std::size_t> asked_of_;
};

}  // namespace orrery::modelica::internal
