#pragma once

#include <memory>

#include "orrery/base/files/byte_stream.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

/// A graph as bytes, for messages about its formulas. Bodies of functions and
/// the code of opaque ones are left out.
class GraphBytes {
 public:
  static void Write(ByteWriter& out, const ExprGraph& graph);

  /// @throws Error kInvalidModel if the bytes are those of no graph.
  [[nodiscard]] static std::shared_ptr<ExprGraph> Read(ByteReader& in);

 private:
  static void WriteFunctions(ByteWriter& out, const ExprGraph& graph);
  static void ReadTables(ByteReader& in, ExprGraph& graph);
  static void ReadNodes(ByteReader& in, ExprGraph& graph);
  static void ReadSymbols(ByteReader& in, ExprGraph& graph);
  static void ReadFunctions(ByteReader& in, ExprGraph& graph);
  [[nodiscard]] static bool HasItsPayload(const ExprGraph& graph,
                                          const ExprGraph::Node& node);
  [[nodiscard]] static bool HasItsOperands(const ExprGraph& graph,
                                           std::size_t id);
};

}  // namespace orrery
