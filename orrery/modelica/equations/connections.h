#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/equations/signal_sets.h"
#include "orrery/modelica/session/instances.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// A variable at an end of a connect-equation.
struct ConnectedSignal {
  Component* component = nullptr;
  Expr variable;  ///< The whole variable or elements of it.
};

/// A part of a reference that an expandable connector does not have.
struct MissingPart {
  Instance* bus = nullptr;
  ast::Identifier name;
  bool is_deeper = false;      ///< The reference continues behind this part.
  Shape extents;               ///< Its largest subscripts.
  std::size_t num_around = 0;  ///< Dimensions of the components around it.
};

/// An end of a connect-equation.
struct ConnectionEnd {
  std::vector<Instance*> instances;      ///< Connectors with elements;
  std::vector<ConnectedSignal> signals;  ///< or connectors of predefined types.
  std::vector<MissingPart> missing;
  std::string name;
  std::string type;
  Shape shape;
  bool is_outside = false;
  bool is_absent = false;
};

/// Finds both ends of a connection; none if one of them is absent, as the
/// connection then is. Beside an absent component, subscripts may be those of
/// elements that are absent likewise. Throws Abandoned.
[[nodiscard]] std::optional<std::pair<ConnectionEnd, ConnectionEnd>> FindEnds(
    LoweringContext& lowering, const ast::Connect& connect);

/// True for an end that is outside: a port of the connecting component itself.
struct ConnectionSides {
  bool is_first_outside = false;
  bool is_second_outside = false;
};

/// Lowers the connect-equations of one place. An error throws Abandoned.
class ConnectionLowering {
 public:
  ConnectionLowering(LoweringContext& lowering, SignalSets& signals)
      : lowering_(lowering), signals_(signals) {}

  void Connect(const ast::Connect& connect, const ast::Span& span);

  /// Connects the parts of two components of one type.
  void ConnectParts(Component& a,
                    Component& b,
                    ConnectionSides sides,
                    const ast::Span& span);

 private:
  void ConnectInstances(Instance& a,
                        Instance& b,
                        ConnectionSides sides,
                        const ast::Span& span);
  void ConnectComponents(Component& a,
                         Component& b,
                         ConnectionSides sides,
                         const ast::Span& span);
  void ConnectSignals(const ConnectedSignal& first,
                      const ConnectedSignal& second,
                      ConnectionSides sides,
                      const ast::Span& span);

  LoweringContext& lowering_;
  SignalSets& signals_;
};

}  // namespace orrery::modelica::internal
