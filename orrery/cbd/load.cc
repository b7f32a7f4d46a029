#include "orrery/cbd/load.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/cbd/internal/netlist.h"

namespace orrery {
namespace {

using internal::kNetlistBlockForms;
using internal::NetlistBlock;
using internal::NetlistBlockType;

std::string StemOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  std::string_view name =
      slash == std::string_view::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.rfind('.');
  return std::string(dot == 0 ? name : name.substr(0, dot));
}

/// Turns the blocks of a netlist into variables and equations.
class Builder {
 public:
  explicit Builder(std::string name) { flat_.name = std::move(name); }

  FlatModel Build(const std::vector<NetlistBlock>& blocks);

 private:
  static std::string SignalName(const NetlistBlock& block) {
    return "b" + std::to_string(block.number);
  }

  void Declare(const NetlistBlock& block);
  Expr Parameter(const NetlistBlock& block,
                 std::size_t index,
                 const std::string& name);
  Expr Value(const NetlistBlock& block);
  Expr WeightedSum(const NetlistBlock& block);
  Expr SignedSum(const NetlistBlock& block);
  void State(const NetlistBlock& block);

  /// The signal that feeds input `index`; 0 where its line is at fault.
  Expr Input(const NetlistBlock& block, std::size_t index) {
    const auto found = signals_.find(block.inputs[index].block);
    return found == signals_.end() ? flat_.graph->Constant(0)
                                   : flat_.variables[found->second].symbol;
  }

  FlatModel flat_;
  std::unordered_map<std::uint64_t, std::size_t> signals_;  // In variables.
};

FlatModel Builder::Build(const std::vector<NetlistBlock>& blocks) {
  for (const NetlistBlock& block : blocks) {
    Declare(block);
  }
  for (const NetlistBlock& block : blocks) {
    State(block);
  }
  return std::move(flat_);
}

void Builder::Declare(const NetlistBlock& block) {
  Variable variable;
  variable.symbol = flat_.graph->Symbol({.name = SignalName(block)});
  variable.causality = block.type == NetlistBlockType::kOutput
                           ? Causality::kOutput
                           : Causality::kLocal;
  variable.notes.Edit().description =
      kNetlistBlockForms[static_cast<std::size_t>(block.type)].name;
  variable.notes.Edit().span = block.number_span;
  signals_.emplace(block.number, flat_.variables.size());
  flat_.variables.push_back(std::move(variable));
}

Expr Builder::Parameter(const NetlistBlock& block,
                        std::size_t index,
                        const std::string& name) {
  Variable variable;
  variable.symbol =
      flat_.graph->Symbol({.name = SignalName(block) + "." + name});
  variable.variability = Variability::kParameter;
  variable.binding = flat_.graph->Constant(block.numbers[index].value);
  variable.notes.Edit().span = block.numbers[index].span;
  flat_.variables.push_back(variable);
  return variable.symbol;
}

void Builder::State(const NetlistBlock& block) {
  const std::size_t place = signals_.at(block.number);
  const Expr signal = flat_.variables[place].symbol;
  Equation equation{.left = signal, .right = {}, .span = block.span};
  if (block.type == NetlistBlockType::kIntegrator) {
    const Expr start = Parameter(block, 0, "IC");
    flat_.variables[place].start = start;
    flat_.variables[place].fixed = true;
    equation.left = flat_.graph->Der(signal);
    equation.right = Input(block, 0);
  } else {
    equation.right = Value(block);
  }
  flat_.equations.push_back(std::move(equation));
}

Expr Builder::Value(const NetlistBlock& block) {
  switch (block.type) {
    case NetlistBlockType::kWeightedSum:
      return WeightedSum(block);
    case NetlistBlockType::kSummer:
      return SignedSum(block);
    case NetlistBlockType::kMinus:
      return -Input(block, 0);
    case NetlistBlockType::kMultiplier:
      return Input(block, 0) * Input(block, 1);
    case NetlistBlockType::kDivider:
      return Input(block, 0) / Input(block, 1);
    case NetlistBlockType::kConstant:
      return Parameter(block, 0, "P1");
    case NetlistBlockType::kOutput:
    case NetlistBlockType::kIntegrator:
      break;
  }
  return Input(block, 0);
}

Expr Builder::WeightedSum(const NetlistBlock& block) {
  Expr sum;
  for (std::size_t i = 0; i < block.inputs.size(); ++i) {
    const Expr weight = Parameter(block, i, "P" + std::to_string(i + 1));
    const Expr term = weight * Input(block, i);
    sum = sum ? sum + term : term;
  }
  return sum;
}

Expr Builder::SignedSum(const NetlistBlock& block) {
  Expr sum;
  for (std::size_t i = 0; i < block.inputs.size(); ++i) {
    const double sign = block.numbers[i].value;
    const Expr term = Input(block, i);
    if (sign > 0) {
      sum = sum ? sum + term : term;
    } else if (sign < 0) {
      sum = sum ? sum - term : -term;
    }
  }
  return sum ? sum : flat_.graph->Constant(0);
}

}  // namespace

FlatModel LoadCbd(const std::shared_ptr<const SourceFile>& source,
                  Diagnostics& diagnostics) {
  return Builder(StemOf(source->name()))
      .Build(internal::ParseNetlist(source, diagnostics));
}

}  // namespace orrery
