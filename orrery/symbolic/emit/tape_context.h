#pragma once

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

#include "orrery/symbolic/emit/tape_parts.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/statement.h"

namespace orrery::symbolic::internal {

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
  /// It, or a function that it calls, calls an opaque one, which may give
  /// another value each time.
  bool has_opaque = false;
  /// Equal for functions that may call each other, directly or not.
  std::uint32_t cycle = kNoCycle;

  static constexpr std::uint32_t kNoCycle = 0xffffffff;
};

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

}  // namespace orrery::symbolic::internal
