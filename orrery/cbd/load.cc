#include "orrery/cbd/load.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/cbd/netlist.h"
#include "orrery/cbd/netlist_reader.h"

namespace orrery {

namespace internal = cbd::internal;

namespace {

using internal::kNetlistBlockForms;
using internal::Netlist;
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
  /// Builds the whole model.
  Builder(FlatModel& flat, const Netlist& netlist)
      : flat_(flat), netlist_(&netlist), is_top_(true) {}

  /// Builds the netlist that is block `block` of the netlist of `outer`.
  Builder(const Builder& outer, const NetlistBlock& block)
      : flat_(outer.flat_),
        netlist_(block.netlist.get()),
        prefix_(outer.SignalName(block) + ".") {}

  void Build() {
    DeclareAll();
    StateAll();
  }

 private:
  [[nodiscard]] std::string SignalName(const NetlistBlock& block) const {
    return prefix_ + "b" + std::to_string(block.number);
  }

  void DeclareAll();
  void StateAll();
  void Declare(const NetlistBlock& block);
  Expr Parameter(const NetlistBlock& block,
                 std::size_t index,
                 const std::string& name);
  Expr Value(const NetlistBlock& block);
  Expr WeightedSum(const NetlistBlock& block);
  Expr SignedSum(const NetlistBlock& block);
  void State(const NetlistBlock& block);
  void StatePart(const NetlistBlock& block, Builder& part);

  /// The signal that feeds input `index`; 0 after an error in its line.
  Expr Input(const NetlistBlock& block, std::size_t index);

  /// The signal of the block with this number; 0 after an error in its line.
  [[nodiscard]] Expr SignalOf(std::uint64_t number) const {
    const auto found = signals_.find(number);
    return found == signals_.end() ? flat_.graph->Constant(0)
                                   : flat_.variables[found->second].symbol;
  }

  FlatModel& flat_;
  const Netlist* netlist_;
  std::string prefix_;  // Begin of all names: "b7." in block 7.
  bool is_top_ = false;
  // Indices of variables.
  std::unordered_map<std::uint64_t, std::size_t> signals_;
  std::map<std::uint64_t, std::unique_ptr<Builder>>
      parts_;  // By the number of the block.
};

void Builder::DeclareAll() {
  for (const NetlistBlock& block : netlist_->blocks) {
    if (block.type != NetlistBlockType::kNetlist) {
      Declare(block);
    } else if (block.netlist) {
      auto& part = parts_[block.number];
      part = std::make_unique<Builder>(*this, block);
      part->DeclareAll();
    }
  }
}

void Builder::StateAll() {
  for (const NetlistBlock& block : netlist_->blocks) {
    if (block.type != NetlistBlockType::kNetlist) {
      State(block);
    } else if (block.netlist) {
      StatePart(block, *parts_.at(block.number));
    }
  }
}

// Connects the inputs of a nested netlist, its blocks U, to their signals.
void Builder::StatePart(const NetlistBlock& block, Builder& part) {
  const std::vector<std::uint64_t>& inputs = block.netlist->inputs;
  for (std::size_t i = 0; i < std::min(inputs.size(), block.inputs.size());
       ++i) {
    flat_.equations.push_back({.left = part.SignalOf(inputs[i]),
                               .right = Input(block, i),
                               .span = block.span});
  }
  part.StateAll();
}

Expr Builder::Input(const NetlistBlock& block, std::size_t index) {
  const NetlistBlock::Input& input = block.inputs[index];
  const auto part = parts_.find(input.block);
  if (part == parts_.end()) {
    return SignalOf(input.block);
  }
  const std::vector<std::uint64_t>& outputs = part->second->netlist_->outputs;
  if (!input.output && outputs.size() != 1) {
    return flat_.graph->Constant(0);  // The input has an error.
  }
  return part->second->SignalOf(input.output.value_or(outputs.front()));
}

void Builder::Declare(const NetlistBlock& block) {
  Variable variable;
  variable.symbol = flat_.graph->Symbol({.name = SignalName(block)});
  if (is_top_ && block.type == NetlistBlockType::kOutput) {
    variable.causality = Causality::kOutput;
  } else if (block.type == NetlistBlockType::kInput) {
    variable.causality = is_top_ ? Causality::kInput : Causality::kLocal;
    variable.is_input = true;
  }
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
  if (block.type == NetlistBlockType::kInput) {
    return;  // The netlist around it states its equation.
  }
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
    case NetlistBlockType::kInput:
    case NetlistBlockType::kNetlist:
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
                  const FileSet& files,
                  Diagnostics& diagnostics) {
  FlatModel flat;
  flat.name = StemOf(source->name());
  const std::shared_ptr<const internal::Netlist> netlist =
      internal::NetlistReader(files, diagnostics).Read(source);
  Builder(flat, *netlist).Build();
  return flat;
}

}  // namespace orrery
