#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

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

}  // namespace orrery::symbolic::internal
