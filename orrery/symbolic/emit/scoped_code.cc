#include "orrery/symbolic/emit/scoped_code.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/symbolic/emit/tape_builder.h"

namespace orrery::symbolic::internal {

ScopedCode::ScopedCode(
    TapeContext& context,
    TapeUnit& unit,
    const FormulaInfo& info,
    const std::unordered_map<std::uint32_t, Address>* variables)
    : context_(context),
      unit_(unit),
      info_(info),
      variables_(variables),
      scopes_(1),
      known_(info.size()) {}

// Scopes --------------------------------------------------------------------

std::uint32_t ScopedCode::ScopeOf(std::uint32_t number,
                                  std::uint32_t scope,
                                  std::uint32_t nest) const {
  std::uint32_t home = 0;
  for (const std::uint32_t iterator : info_.FreeIterators(number)) {
    const auto binding = bindings_.find(iterator);
    if (binding == bindings_.end() || binding->second.scope == kNoScope) {
      const ExprGraph& graph = info_.node(number).graph();
      throw Error(
          ErrorCode::kInternal,
          "cannot compile a formula: iterator '" +
              graph.IteratorName(Expr(&info_.node(number).graph(), iterator)) +
              "' is used outside its loop");
    }
    home = std::max(home, binding->second.scope);
  }
  if (nest != kNoNest && !info_.node(number).is_scalar()) {
    home = std::max(home, Innermost(nest));
  }
  if (!info_.IsGuarded(number)) {
    return home;
  }
  if (!info_.IsShared(number)) {
    return std::max(home, scopes_[scope].branch_scope);
  }
  const std::uint32_t branch = info_.BranchOf(number);
  return branch == FormulaInfo::kNoBranch
             ? home
             : std::max(home, branch_scopes_.at(branch));
}

std::uint32_t ScopedCode::OpenScope(std::uint32_t parent) {
  Scope scope;
  scope.parent = parent;
  scope.branch_scope = scopes_[parent].branch_scope;
  scopes_.push_back(std::move(scope));
  return static_cast<std::uint32_t>(scopes_.size() - 1);
}

std::uint32_t ScopedCode::OpenLoop(std::uint32_t parent, std::int64_t count) {
  if (count > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorCode::kUnsupported,
                "cannot compile a loop of " + std::to_string(count) +
                    " passes; at most 2^31 - 1 are possible");
  }
  const std::uint32_t scope = OpenScope(parent);
  scopes_[scope].counter = unit_.temps.New();
  scopes_[scope].count = count;
  return scope;
}

std::uint32_t ScopedCode::OpenBranch(std::uint32_t parent,
                                     std::uint32_t branch) {
  const std::uint32_t scope = OpenScope(parent);
  scopes_[scope].branch_scope = scope;
  branch_scopes_[branch] = scope;
  return scope;
}

// Forgets the values known in the latest scope only; returns its code.
Code ScopedCode::CloseScope() {
  const auto closing = static_cast<std::uint32_t>(scopes_.size() - 1);
  Scope& scope = scopes_.back();
  for (std::size_t i = scope.values.size(); i-- > 0;) {
    const auto& [number, before] = scope.values[i];
    if (known_[number].scope == closing ||
        known_[number].address == kNoAddress) {
      known_[number] = before.scope < closing ? before : Known{};
    }
  }
  for (const ComputedKey& key : scope.computed) {
    computed_.erase(key);
  }
  for (std::size_t i = scope.bindings.size(); i-- > 0;) {
    bindings_[scope.bindings[i].first] = scope.bindings[i].second;
  }
  Code code = std::move(scope.code);
  scopes_.pop_back();
  return code;
}

void ScopedCode::CloseLoop(std::uint32_t node) {
  const std::uint32_t parent = scopes_.back().parent;
  const Address counter = scopes_.back().counter;
  const auto count = static_cast<std::uint32_t>(scopes_.back().count);
  const Code body = CloseScope();
  const auto size = static_cast<std::uint32_t>(body.size());
  if (size == 0) {
    return;
  }
  Emit(parent,
       {.op = TapeOp::kLoop, .target = counter, .a = count, .c = size + 1},
       node);
  CodeIn(parent).Append(body);
  Emit(parent,
       {.op = TapeOp::kNext, .target = counter, .a = count, .b = 0U - size},
       node);
}

// Binds `iterator` to the loop of `scope`.
void ScopedCode::Bind(Expr iterator, std::uint32_t scope) {
  const Binding before = bindings_[iterator.id()];
  if (before.scope == scope) {
    return;
  }
  scopes_[scope].bindings.emplace_back(iterator.id(), before);
  bindings_[iterator.id()] = {.scope = scope};
  if (before.scope == kNoScope) {
    return;
  }
  // For a loop within a loop of the same iterator, hides the values of the
  // outer one.
  for (std::uint32_t number = 0; number < info_.size(); ++number) {
    const auto& free = info_.FreeIterators(number);
    if (std::ranges::binary_search(free, iterator.id()) &&
        known_[number].address != kNoAddress) {
      scopes_[scope].values.emplace_back(number, known_[number]);
      known_[number] = {};
    }
  }
}

// Opens a loop for each dimension of `shape`, the last innermost.
std::uint32_t ScopedCode::OpenNest(std::uint32_t parent, const Shape& shape) {
  std::vector<std::uint32_t> nest;
  for (const std::int64_t extent : shape) {
    parent = OpenLoop(parent, extent);
    nest.push_back(parent);
  }
  nests_.push_back(std::move(nest));
  return static_cast<std::uint32_t>(nests_.size() - 1);
}

void ScopedCode::CloseNest(std::uint32_t node) {
  for (std::size_t i = 0; i < nests_.back().size(); ++i) {
    CloseLoop(node);
  }
  nests_.pop_back();
}

void ScopedCode::Record(std::uint32_t number,
                        Address address,
                        std::uint32_t scope) {
  if (scope != 0) {
    scopes_[scope].values.emplace_back(number, known_[number]);
  }
  known_[number] = {.address = address, .scope = scope};
}

// True if code of `scope` can use a value that was computed.
bool ScopedCode::IsKnown(std::uint32_t number, std::uint32_t scope) const {
  // Greatest number of scopes between here and the one where a guarded value
  // was computed. The value may be computed again, so that a short search is
  // enough.
  constexpr int kMaxDistance = 16;
  if (known_[number].address == kNoAddress) {
    return false;
  }
  if (!info_.IsGuarded(number) || known_[number].scope == 0) {
    return true;
  }
  for (int i = 0; i < kMaxDistance && scope != 0; ++i) {
    if (scope == known_[number].scope) {
      return true;
    }
    scope = scopes_[scope].parent;
  }
  return false;
}

// Code ----------------------------------------------------------------------

Address ScopedCode::Compute(std::uint32_t scope,
                            Tape::Instruction instruction,
                            std::uint32_t node) {
  const ComputedKey key = {
      scope, instruction.op, instruction.a, instruction.b, instruction.c};
  const auto known = computed_.find(key);
  if (known != computed_.end()) {
    return known->second;
  }
  instruction.target = unit_.temps.New();
  Emit(scope, instruction, node);
  computed_.emplace(key, instruction.target);
  scopes_[scope].computed.push_back(key);
  return instruction.target;
}

void ScopedCode::CopyArray(std::uint32_t scope,
                           Address target,
                           Address source,
                           Expr of) {
  const auto count = static_cast<std::uint32_t>(NumElements(of.shape()));
  if (of.is_scalar()) {
    Emit(scope, {.op = TapeOp::kCopy, .target = target, .a = source}, of.id());
  } else if (count > 0) {
    Emit(scope,
         {.op = TapeOp::kCopyArray, .target = target, .a = source, .c = count},
         of.id());
  }
}

// Lets the last instruction write its result to `target`, if it has just
// computed `number`.
bool ScopedCode::Rename(std::uint32_t number, Address target) {
  Code& code = unit_.code;
  if (known_[number].scope != 0) {
    return false;
  }
  Tape::Instruction& last = code.instructions.back();
  if (!IsElementwise(last.op) || last.target != known_[number].address ||
      (last.target & kRegionMask) != kTempRegion) {
    return false;
  }
  last.target = target;
  known_[number].address = target;
  return true;
}

// Addresses of elements -----------------------------------------------------

Address ScopedCode::AddressOfSymbol(Expr symbol) const {
  if (variables_ != nullptr) {
    const auto found = variables_->find(symbol.id());
    if (found != variables_->end()) {
      return found->second;
    }
  }
  if (symbol.op() == Op::kSymbol && &symbol.graph() == context_.graph) {
    const std::uint32_t ordinal = symbol.graph().SymbolOrdinal(symbol);
    if (ordinal < context_.slots.size() &&
        context_.slots[ordinal] != TapeBuilder::kNoSlot) {
      return kSlotRegion | context_.slots[ordinal];
    }
  }
  throw Error(ErrorCode::kInternal,
              "cannot compile a formula: '" + symbol.graph().NameOf(symbol) +
                  "' has no slot");
}

// Returns the address of an array in memory.
Address ScopedCode::BaseOf(std::uint32_t number) const {
  const Expr node = info_.node(number);
  if (node.op() == Op::kSymbol) {
    return AddressOfSymbol(node);
  }
  if (node.op() == Op::kArrayConstant) {
    return context_.constants.Array(node.graph().ArrayValues(node));
  }
  ORRERY_CHECK(known_[number].address != kNoAddress);
  return known_[number].address;
}

// Adds the last counters of the nest, one for each dimension of `shape`.
void ScopedCode::AddCounters(std::uint32_t nest,
                             const Shape& shape,
                             std::vector<Term>& terms) const {
  const std::vector<std::uint32_t>& loops = nests_[nest];
  std::int64_t stride = 1;
  for (std::size_t k = shape.size(); k-- > 0;) {
    const std::uint32_t loop = loops[loops.size() - shape.size() + k];
    terms.push_back({.scope = loop,
                     .counter = scopes_[loop].counter,
                     .coefficient = stride});
    stride *= shape[k];
  }
}

// Returns the sum of the terms as an index; adds each term in its own loop.
Address ScopedCode::EmitTerms(std::vector<Term> terms, std::uint32_t node) {
  std::ranges::sort(terms, [](const Term& a, const Term& b) {
    return std::pair(a.scope, a.counter) < std::pair(b.scope, b.counter);
  });
  Address sum = kNoAddress;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    Term term = terms[i];
    while (i + 1 < terms.size() && terms[i + 1].counter == term.counter) {
      term.coefficient += terms[++i].coefficient;
    }
    if (term.coefficient == 0) {
      continue;
    }
    const auto factor = static_cast<std::uint32_t>(term.coefficient);
    if (sum != kNoAddress) {
      sum = Compute(
          term.scope,
          {.op = TapeOp::kIndexAdd, .a = term.counter, .b = factor, .c = sum},
          node);
    } else if (term.coefficient == 1) {
      sum = term.counter;
    } else {
      sum = Compute(term.scope,
                    {.op = TapeOp::kIndexScale, .a = term.counter, .b = factor},
                    node);
    }
  }
  return sum;
}

}  // namespace orrery::symbolic::internal
