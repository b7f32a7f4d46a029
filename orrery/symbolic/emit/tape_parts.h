#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::symbolic::internal {

/// An address while a tape is built. The two highest bits name the region of
/// memory, the others the place in it. The regions' places are known when all
/// sections have been built.
using Address = std::uint32_t;

inline constexpr Address kRegionMask = 0xc0000000;
inline constexpr Address kSlotRegion = 0;
inline constexpr Address kTempRegion = 0x40000000;
inline constexpr Address kConstantRegion = 0x80000000;
inline constexpr Address kFrameRegion = 0xc0000000;
inline constexpr Address kNoAddress = 0xffffffff;

/// Instructions, each with the formula behind it.
struct Code {
  std::vector<Tape::Instruction> instructions;
  std::vector<std::uint32_t> nodes;

  void Add(const Tape::Instruction& instruction, std::uint32_t node) {
    instructions.push_back(instruction);
    nodes.push_back(node);
  }

  void Append(const Code& other) {
    instructions.insert(instructions.end(),
                        other.instructions.begin(),
                        other.instructions.end());
    nodes.insert(nodes.end(), other.nodes.begin(), other.nodes.end());
  }

  [[nodiscard]] std::size_t size() const noexcept {
    return instructions.size();
  }
};

/// Numbers that instructions read, each stored once.
class ConstantPool {
 public:
  Address Scalar(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto [found, is_new] = known_.try_emplace(bits, Next());
    if (is_new) {
      values_.push_back(value);
    }
    return found->second;
  }

  /// @param values the elements of an array constant, in its graph.
  Address Array(std::span<const double> values) {
    const auto [found, is_new] = arrays_.try_emplace(values.data(), Next());
    if (is_new) {
      values_.insert(values_.end(), values.begin(), values.end());
    }
    return found->second;
  }

  [[nodiscard]] const std::vector<double>& values() const noexcept {
    return values_;
  }

 private:
  [[nodiscard]] Address Next() const noexcept {
    return kConstantRegion | static_cast<Address>(values_.size());
  }

  std::vector<double> values_;
  std::unordered_map<std::uint64_t, Address> known_;
  std::unordered_map<const double*, Address> arrays_;
};

/// The temporaries of a section or function. Each has its own range of
/// addresses in the temp region until they are packed.
class TempTable {
 public:
  Address New(std::size_t size = 1) {
    const auto start = static_cast<Address>(number_at_.size());
    number_at_.insert(
        number_at_.end(), size, static_cast<std::uint32_t>(starts_.size()));
    starts_.push_back(start);
    return kTempRegion | start;
  }

  /// Adds a temporary that keeps its place throughout the code.
  Address NewLasting() {
    lasting_.push_back(static_cast<std::uint32_t>(starts_.size()));
    return New();
  }

  [[nodiscard]] const std::vector<std::uint32_t>& lasting() const noexcept {
    return lasting_;
  }

  [[nodiscard]] std::size_t count() const noexcept { return starts_.size(); }

  /// Returns the number of the temporary that contains `address`.
  [[nodiscard]] std::uint32_t NumberOf(Address address) const noexcept {
    return number_at_[address & ~kRegionMask];
  }

  /// Returns its first address, without the region's bits.
  [[nodiscard]] Address StartOf(std::uint32_t temp) const noexcept {
    return starts_[temp];
  }

  [[nodiscard]] std::size_t SizeOf(std::uint32_t temp) const noexcept {
    const std::size_t end =
        temp + 1 < starts_.size() ? starts_[temp + 1] : number_at_.size();
    return end - starts_[temp];
  }

 private:
  std::vector<Address> starts_;           // Ascending.
  std::vector<std::uint32_t> number_at_;  // By address.
  std::vector<std::uint32_t> lasting_;
};

/// Addresses of a function's variables, and the functions that it calls.
struct FunctionFrame {
  std::shared_ptr<const Function> function;
  std::uint32_t unbound = 0;  // The function whose inputs are all in its frame.
  std::uint32_t times_bound = 0;
  std::unordered_map<std::uint32_t, Address> variables;  // By symbol's id.
  Address begin = 0;
  std::size_t size = 0;
  Address results = kNoAddress;  // A copy of the outputs, if recursive.
  std::vector<std::uint32_t> callees;
  /// Equal for functions that may call each other, directly or not.
  std::uint32_t cycle = kNoCycle;

  static constexpr std::uint32_t kNoCycle = 0xffffffff;
};

/// Sets the cycles of `root` and of all functions it may call.
void FindCycles(std::vector<FunctionFrame>& functions, std::uint32_t root);

/// The common parts of all sections and functions of one tape.
struct TapeContext {
  const ExprGraph* graph = nullptr;
  std::vector<std::uint32_t> slots;
  ConstantPool constants;
  std::vector<FunctionFrame> functions;
  std::unordered_map<const Function*, std::uint32_t> function_numbers;
  // By number of the unbound one and places of its inputs.
  std::map<std::pair<std::uint32_t, std::vector<Address>>, std::uint32_t>
      bound_numbers;
  std::unordered_set<std::uint32_t> settled;  // Symbols' ids.
  std::vector<std::shared_ptr<const OpaqueFunction>> opaques;
  std::unordered_map<const OpaqueFunction*, std::uint32_t> opaque_numbers;
  std::vector<std::string> messages;
  std::size_t frames_size = 0;
  bool has_recursion = false;

  /// Returns the number of `function`; adds a frame if it is new.
  std::uint32_t NumberOf(const std::shared_ptr<const Function>& function);
  std::uint32_t NumberOf(const std::shared_ptr<const OpaqueFunction>& function);

  /// Returns the same function for inputs that it reads where they are. Returns
  /// the function itself if there are many such variants.
  /// @param inputs kNoAddress for one that is in its frame.
  std::uint32_t Bound(std::uint32_t function,
                      const std::vector<Address>& inputs);

  std::uint32_t AddFunction(const std::shared_ptr<const Function>& function);

  // Allocates its variables, except inputs that are elsewhere.
  void AddFrame(const std::shared_ptr<const Function>& function,
                std::span<const Address> inputs);

  Address NewFrame(std::size_t size) {
    const auto address = kFrameRegion | static_cast<Address>(frames_size);
    frames_size += size;
    return address;
  }

  /// Returns the place of a recursive function's outputs while the caller's
  /// variables are restored.
  Address ResultsOf(std::uint32_t function);

  /// True if a call of `callee` can lead back to `caller`, which calls it; both
  /// unbound.
  [[nodiscard]] bool Reaches(std::uint32_t callee, std::uint32_t caller) const {
    return functions[callee].cycle == functions[caller].cycle;
  }
};

/// A section or a function while it is being built.
struct TapeUnit {
  static constexpr std::uint32_t kNoFunction = 0xffffffff;

  Code code;
  TempTable temps;
  std::vector<std::size_t> assignments;
  std::uint32_t function = kNoFunction;  // Its number, for a function's body.
  // Size of the code behind the last kReturn. It runs only to explain a
  // kAssert: at distance b of the kAssert is the code that throws its message,
  // if b is not 0.
  std::size_t writers_size = 0;
};

/// Places of the temporaries of `unit`, from 0. Temporaries that do not live at
/// the same time share a place.
struct TempPlaces {
  std::vector<Address> place_of;  // By number in the table.
  std::size_t size = 0;
};

[[nodiscard]] TempPlaces PlaceTemps(const TapeUnit& unit);

/// The fields of an instruction that are addresses.
struct AddressFields {
  bool target = false;
  bool a = false;
  bool b = false;
  bool c = false;
};

[[nodiscard]] AddressFields AddressesOf(TapeOp op) noexcept;

/// Compiles the body of function number `function` of `context`.
[[nodiscard]] TapeUnit CompileFunction(TapeContext& context,
                                       std::uint32_t function);

/// Compiles a section.
[[nodiscard]] TapeUnit CompileSection(
    TapeContext& context, std::span<const TapeAssignment> assignments);

}  // namespace orrery::symbolic::internal
