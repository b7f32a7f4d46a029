#pragma once

#include <memory>

#include "orrery/base/files/byte_stream.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// A tape as bytes.
class TapeBytes {
 public:
  /// @throws Error kUnsupported that names an opaque function: its code is not
  ///     part of the tape.
  static void Write(ByteWriter& out, const Tape& tape);

  /// Checks all addresses and jumps; subscripts that a run computes are left to
  /// the code that guards them.
  /// @throws Error kInvalidModel if the bytes are those of no tape.
  [[nodiscard]] static std::shared_ptr<const Tape> Read(ByteReader& in);

 private:
  class Check;

  template <typename Stream>
  static void Fields(Stream& stream, Tape& tape);
  template <typename Stream>
  static void BlockFields(Stream& stream, std::vector<Tape::Block>& blocks);
};

}  // namespace orrery
