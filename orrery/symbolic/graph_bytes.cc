#include "orrery/symbolic/graph_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/symbolic/statement.h"

namespace orrery {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 40U;

// The fields of a loop's values, for both kinds of stream.
template <typename Stream, typename Values>
void Fields(Stream& stream, Values& range) {
  stream.Number(range.start);
  stream.Number(range.step);
  stream.Number(range.count);
}

// The fields of a node, for both kinds of stream.
template <typename Stream, typename Node>
void NodeFields(Stream& stream, Node& node) {
  stream.Choice(node.op, Op::kTransport);
  stream.Choice(node.type, ValueType::kBoolean);
  stream.Number(node.traits);
  stream.Number(node.shape);
  stream.Number(node.payload);
  stream.Number(node.first);
  stream.Number(node.count);
}

bool IsShape(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0 || (extent > 0 && count > kMostElements / extent)) {
      return false;
    }
    count *= extent;
  }
  return true;
}

}  // namespace

void GraphBytes::Write(ByteWriter& out, const ExprGraph& graph) {
  out.Count(graph.shapes_.size(), 8);
  for (const Shape& shape : graph.shapes_) {
    out.Numbers(shape);
  }
  out.Numbers(graph.constants_);
  out.Count(graph.arrays_.size(), 8);
  for (const std::vector<double>& array : graph.arrays_) {
    out.Numbers(array);
  }
  out.Count(graph.symbol_names_.size(), 8);
  for (const std::string& name : graph.symbol_names_) {
    out.Text(name);
  }
  out.Count(graph.iterators_.size(), 32);
  for (const ExprGraph::IteratorInfo& iterator : graph.iterators_) {
    out.Text(iterator.name);
    Fields(out, iterator.range);
  }
  WriteFunctions(out, graph);
  out.Numbers(std::vector<std::uint32_t>(
      graph.operands_.data(), graph.operands_.data() + graph.operands_.size()));
  out.Count(graph.nodes_.size(), 19);
  for (std::size_t id = 0; id < graph.nodes_.size(); ++id) {
    NodeFields(out, graph.nodes_[id]);
  }
  for (std::size_t i = 0; i < graph.symbol_names_.size(); ++i) {
    out.Number(graph.symbol_nodes_[i]);
  }
}

// Symbols of functions are of the graph that calls them.
void GraphBytes::WriteFunctions(ByteWriter& out, const ExprGraph& graph) {
  out.Count(graph.functions_.size(), 16);
  for (const auto& function : graph.functions_) {
    out.Text(function->name);
    out.Count(function->outputs.size(), 4);
    for (const Function::Variable& output : function->outputs) {
      ORRERY_CHECK(&output.symbol.graph() == &graph);
      out.Number(output.symbol.id());
    }
  }
  out.Count(graph.opaques_.size(), 24);
  for (const auto& function : graph.opaques_) {
    out.Text(function->name);
    out.Number(function->num_inputs);
    out.Number(function->num_outputs);
  }
}

std::shared_ptr<ExprGraph> GraphBytes::Read(ByteReader& in) {
  auto graph = std::make_shared<ExprGraph>();
  ReadTables(in, *graph);
  ReadFunctions(in, *graph);
  ReadNodes(in, *graph);
  ReadSymbols(in, *graph);
  return graph;
}

void GraphBytes::ReadTables(ByteReader& in, ExprGraph& graph) {
  std::size_t count = 0;
  in.Count(count, 8);
  in.Expect(count > 0, "no shape of scalars");
  graph.shapes_.resize(count);
  for (Shape& shape : graph.shapes_) {
    in.Numbers(shape);
    in.Expect(IsShape(shape), "a shape of no array");
  }
  in.Expect(graph.shapes_.front().empty(), "no shape of scalars");
  in.Numbers(graph.constants_);
  in.Count(count, 8);
  graph.arrays_.resize(count);
  for (std::vector<double>& array : graph.arrays_) {
    in.Numbers(array);
  }
  in.Count(count, 8);
  graph.symbol_names_.resize(count);
  for (std::string& name : graph.symbol_names_) {
    in.Text(name);
  }
  in.Count(count, 32);
  graph.iterators_.resize(count);
  for (ExprGraph::IteratorInfo& iterator : graph.iterators_) {
    in.Text(iterator.name);
    Fields(in, iterator.range);
  }
}

void GraphBytes::ReadFunctions(ByteReader& in, ExprGraph& graph) {
  std::size_t count = 0;
  in.Count(count, 16);
  for (std::size_t i = 0; i < count; ++i) {
    auto function = std::make_shared<Function>();
    in.Text(function->name);
    std::size_t num_outputs = 0;
    in.Count(num_outputs, 4);
    for (std::size_t k = 0; k < num_outputs; ++k) {
      std::uint32_t id = 0;
      in.Number(id);
      function->outputs.push_back({.symbol = graph.At(id), .initial = {}});
    }
    graph.functions_.push_back(std::move(function));
  }
  in.Count(count, 24);
  for (std::size_t i = 0; i < count; ++i) {
    auto function = std::make_shared<OpaqueFunction>();
    in.Text(function->name);
    in.Number(function->num_inputs);
    in.Number(function->num_outputs);
    graph.opaques_.push_back(std::move(function));
  }
}

void GraphBytes::ReadNodes(ByteReader& in, ExprGraph& graph) {
  std::vector<std::uint32_t> operands;
  in.Numbers(operands);
  graph.operands_.Append(operands);
  std::size_t count = 0;
  in.Count(count, 19);
  for (std::size_t id = 0; id < count; ++id) {
    ExprGraph::Node node;
    NodeFields(in, node);
    in.Expect(node.shape < graph.shapes_.size() &&
                  node.first <= operands.size() &&
                  node.count <= operands.size() - node.first,
              "a formula with parts outside");
    graph.nodes_.push_back(node);
    in.Expect(HasItsPayload(graph, node) && HasItsOperands(graph, id),
              "a formula that is none");
  }
}

bool GraphBytes::HasItsPayload(const ExprGraph& graph,
                               const ExprGraph::Node& node) {
  switch (node.op) {
    case Op::kConstant:
      return node.payload < graph.constants_.size();
    case Op::kArrayConstant:
      return node.payload < graph.arrays_.size() &&
             static_cast<std::size_t>(NumElements(graph.shapes_[node.shape])) ==
                 graph.arrays_[node.payload].size();
    case Op::kSymbol:
      return node.payload < graph.symbol_names_.size();
    case Op::kIterator:
      return node.payload < graph.iterators_.size();
    case Op::kCall:
      return node.payload < graph.functions_.size();
    case Op::kOpaque:
      return node.payload < graph.opaques_.size();
    default:
      return true;
  }
}

namespace {

// The least number of operands, and whether there may be more.
std::pair<std::size_t, bool> NumOperands(Op op) {
  switch (op) {
    case Op::kMakeArray:
      return {1, true};
    case Op::kIndex:
      return {2, true};
    case Op::kBuild:
    case Op::kSum:
    case Op::kProduct:
    case Op::kMinimum:
    case Op::kMaximum:
    case Op::kSample:
      return {2, false};
    case Op::kCall:
    case Op::kOpaque:
      return {0, true};
    case Op::kOutput:
    case Op::kDer:
    case Op::kPre:
    case Op::kNoEvent:
      return {1, false};
    case Op::kDelay:
      return {3, false};
    case Op::kTransport:
      return {5, true};
    default:
      return {static_cast<std::size_t>(ElementwiseOperands(op)), false};
  }
}

}  // namespace

bool GraphBytes::HasItsOperands(const ExprGraph& graph, std::size_t id) {
  const ExprGraph::Node& node = graph.nodes_[id];
  const std::span operands(graph.operands_.data() + node.first, node.count);
  const auto [least, may_be_more] = NumOperands(node.op);
  if (node.count < least || (node.count > least && !may_be_more) ||
      std::ranges::any_of(
          operands, [id](std::uint32_t operand) { return operand >= id; })) {
    return false;
  }
  if (node.op == Op::kTransport) {
    return node.count % 2 == 1;  // As many values as places.
  }
  if (node.op >= Op::kBuild && node.op <= Op::kMaximum) {
    return graph.nodes_[operands[0]].op == Op::kIterator;
  }
  if (node.op == Op::kIndex) {
    return node.count - 1 <=
           graph.shapes_[graph.nodes_[operands[0]].shape].size();
  }
  if (node.op != Op::kOutput) {
    return true;
  }
  const ExprGraph::Node& call = graph.nodes_[operands[0]];
  return (call.op == Op::kCall &&
          node.payload < graph.functions_[call.payload]->outputs.size()) ||
         (call.op == Op::kOpaque &&
          node.payload < graph.opaques_[call.payload]->num_outputs);
}

void GraphBytes::ReadSymbols(ByteReader& in, ExprGraph& graph) {
  const auto is_symbol = [&graph](std::uint32_t id) {
    return id < graph.nodes_.size() && graph.nodes_[id].op == Op::kSymbol;
  };
  for (std::size_t i = 0; i < graph.symbol_names_.size(); ++i) {
    std::uint32_t id = 0;
    in.Number(id);
    in.Expect(is_symbol(id), "a symbol that is none");
    graph.symbol_nodes_.push_back(id);
  }
  for (const auto& function : graph.functions_) {
    for (const Function::Variable& output : function->outputs) {
      in.Expect(is_symbol(output.symbol.id()), "a symbol that is none");
    }
  }
}

}  // namespace orrery
