#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/model/block.h"

namespace orrery {

/// Blocks and the connections between them; a block itself, so that diagrams
/// nest to any depth. Its own inputs and outputs are declared like any block's.
///
///     Diagram d{"Controlled"};
///     auto& pendulum = d.Add<Pendulum>("pendulum");
///     auto& gain = d.Add<Gain>("gain", -3.0);
///     d.Connect(pendulum.tip, gain.u);
///     d.Connect(gain.y, pendulum.torque);
class Diagram : public Block {
 public:
  /// An end of a wire: a port of a part or of the diagram itself.
  struct End {
    static constexpr std::uint32_t kSelf = 0xffffffff;
    static constexpr std::uint32_t kWhole = 0xffffffff;

    std::uint32_t part = kSelf;      ///< A place among `children`, or kSelf.
    std::uint32_t quantity = 0;      ///< A place in the block's `quantities`.
    std::uint32_t element = kWhole;  ///< Row-major, from 0, or kWhole.

    friend bool operator==(const End&, const End&) = default;
  };

  struct Wire {
    End from;
    End to;
  };

  /// A connection from output `source_output` of a child to input
  /// `destination_input` of a child. Numbers count the elements of the blocks'
  /// vectors y and u.
  struct InternalConnection {
    const Block* source = nullptr;
    std::size_t source_output = 0;
    const Block* destination = nullptr;
    std::size_t destination_input = 0;

    friend bool operator==(const InternalConnection&,
                           const InternalConnection&) = default;
  };

  /// A connection from input `input` of the diagram to an input of a child.
  struct InputConnection {
    std::size_t input = 0;
    const Block* destination = nullptr;
    std::size_t destination_input = 0;

    friend bool operator==(const InputConnection&,
                           const InputConnection&) = default;
  };

  /// A connection from an output of a child to output `output` of the diagram.
  struct OutputConnection {
    const Block* source = nullptr;
    std::size_t source_output = 0;
    std::size_t output = 0;

    friend bool operator==(const OutputConnection&,
                           const OutputConnection&) = default;
  };

  /// A connection from input `input` of the diagram straight to its output
  /// `output`.
  struct FeedthroughConnection {
    std::size_t input = 0;
    std::size_t output = 0;

    friend bool operator==(const FeedthroughConnection&,
                           const FeedthroughConnection&) = default;
  };

  Diagram() = default;

  explicit Diagram(std::string name) : Block(std::move(name)) {}

  /// Makes a `T` from `args` and adds it under `name`: a letter or '_',
  /// letters, digits and '_', perhaps subscripts as in `mass[3]`.
  /// @returns the part, which the diagram owns.
  /// @throws Error kInvalidModel if the name is invalid or taken.
  template <typename T, typename... Args>
  T& Add(const std::string& name, Args&&... args) {
    auto part = std::make_unique<T>(std::forward<Args>(args)...);
    T& result = *part;
    AddPart(name, std::move(part));
    return result;
  }

  /// The same for blocks made from a struct of arguments:
  /// `d.Add<blocks::math::Gain>("gain", {.k = 3})`.
  template <typename T>
  T& Add(const std::string& name, const typename T::Arguments& arguments) {
    return Add<T, const typename T::Arguments&>(name, arguments);
  }

  /// The same for blocks of a class that is given by name:
  /// `d.Add<ModelicaBlock>("gain", "Modelica.Blocks.Math.Gain", {{"k", 3}})`.
  template <typename T>
  T& Add(const std::string& name,
         const typename T::Class& type,
         const typename T::Arguments& arguments) {
    return Add<T, const typename T::Class&, const typename T::Arguments&>(
        name, type, arguments);
  }

  /// The same with further arguments:
  /// `d.Add<FmuBlock>("plant", "Plant.fmu", {{"k", 3}}, CoSimulation{})`.
  template <typename T, typename... More>

  requires(sizeof...(More) > 0) T& Add(const std::string& name,
                                       const typename T::Class& type,
                                       const typename T::Arguments& arguments,
                                       const More&... more) {
    return Add<T,
               const typename T::Class&,
               const typename T::Arguments&,
               const More&...>(name, type, arguments, more...);
  }

  /// Takes in a block that is no part of a diagram. After an error the caller
  /// still owns it.
  void AddPart(const std::string& name, std::unique_ptr<Block>&& part);

  /// Makes `to`, an input of a part or an output of this diagram, equal to
  /// `from`, an output of a part or an input of this diagram; or an element of
  /// one equal to one: `d.Connect(a.y, sum.u[2])`.
  /// @throws Error kInvalidModel naming both ports by their full paths if one
  ///     is not here, the direction is wrong, the shapes or types differ or
  ///     `to` has a source. Units that disagree are a warning of the compiler.
  void Connect(const PortEnd& from, const PortEnd& to);

  [[nodiscard]] std::span<const std::unique_ptr<Block>> children()
      const noexcept {
    return children_;
  }

  /// The connections in the order made.
  [[nodiscard]] std::span<const Wire> wires() const noexcept { return wires_; }

  /// The first wire that ends at `to`, at one of its elements or at the
  /// quantity that contains `to`; null if there is none.
  [[nodiscard]] const Wire* WireTo(const End& to) const;

  /// The block at a wire's end.
  [[nodiscard]] const Block& BlockAt(const End& end) const;

  /// All leaf blocks, direct and nested, in the order of declaration; the
  /// leaves of a part come before the next part.
  [[nodiscard]] std::vector<Block*> enumerate_leaf_blocks() const;

  [[nodiscard]] std::vector<InternalConnection> enumerate_internal_connections()
      const;
  [[nodiscard]] std::vector<InputConnection> enumerate_input_connections()
      const;
  [[nodiscard]] std::vector<OutputConnection> enumerate_output_connections()
      const;
  [[nodiscard]] std::vector<FeedthroughConnection>
  enumerate_feedthrough_connections() const;

  [[nodiscard]] std::size_t num_states() const override;
  [[nodiscard]] std::size_t num_events() const override;
  [[nodiscard]] const Diagram* AsDiagram() const noexcept override;

  /// A diagram states no equations of its own.
  void Equations(EquationSet& eq) final;

 protected:
  [[nodiscard]] std::string FaultHere(
      const Declaration& declaration) const override;

 private:
  static constexpr std::uint32_t kNoWire = 0xffffffff;
  static constexpr std::uint32_t kNoPart = 0xffffffff;

  // A slot of the open hash table of parts by name. The parts hold the names.
  struct NameSlot {
    std::uint32_t hash = 0;
    std::uint32_t part = kNoPart;  // kNoPart: the slot is free.
  };

  [[nodiscard]] std::size_t SlotOf(std::string_view name,
                                   std::uint32_t hash) const;
  [[nodiscard]] bool HasPart(std::string_view name) const;
  void GrowNames();
  [[nodiscard]] End EndAt(const PortEnd& end,
                          const PortEnd& from,
                          const PortEnd& to) const;

  std::vector<std::unique_ptr<Block>> children_;
  std::vector<NameSlot> names_;  // A power of two of them, or none.
  std::vector<Wire> wires_;
  // By wire: the next wire to an element of the same quantity, or kNoWire.
  std::vector<std::uint32_t> next_wire_;
  // By quantity: the last wire that ends at it; kNoWire or no entry if there is
  // none.
  std::vector<std::vector<std::uint32_t>> wires_to_part_;
  std::vector<std::uint32_t> wires_to_self_;
};

}  // namespace orrery
