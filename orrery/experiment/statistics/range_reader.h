#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/source_file.h"
#include "orrery/base/values/enumeration.h"
#include "orrery/experiment/statistics/distribution.h"

namespace orrery::experiment::internal {

/// A number or a word of a text, and where it stands.
template <typename T>
struct Placed {
  T value;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Reads the short texts of the ranges of an experiment. Skips blanks before
/// each item. Throws Error kInvalidArgument, with a diagnostic at its place,
/// for anything unexpected.
class RangeReader {
 public:
  explicit RangeReader(std::shared_ptr<const SourceFile> source);

  /// From here on, literals of the enumeration that this gives are numbers,
  /// From here on, reads literals of the enumeration that `enumeration` returns
  /// as numbers. It is called where a number is expected and there is none;
  /// null means that there is no enumeration.
  void TakeLiterals(
      std::function<std::shared_ptr<const Enumeration>()> enumeration);

  /// Returns the next character; '\0' at the end.
  [[nodiscard]] char Peek();

  /// Takes `c` if it is next.
  bool Accept(char c);

  /// Takes `c`, which must be next.
  /// @param role its purpose: "would end the values".
  void Expect(char c, std::string_view role);

  /// True if a number is next.
  [[nodiscard]] bool is_at_number();

  /// A number, a literal, or `inf`, `true` (1) and `false` (0).
  /// @param what it is, for messages: "the step".
  [[nodiscard]] Placed<double> ReadNumber(std::string_view what);

  /// A number that is not infinite.
  [[nodiscard]] Placed<double> ReadFinite(std::string_view what);

  /// Letters, digits and '_'; empty if another character is next.
  [[nodiscard]] Placed<std::string> ReadWord();

  /// The name of a quantity: `body.k[2]`, `m[1,3]`, `'odd name'.x`. Blanks in
  /// it are dropped.
  [[nodiscard]] Placed<std::string> ReadName();

  /// All the remaining text, without blanks around it; the reader is then at
  /// the end.
  [[nodiscard]] Placed<std::string> ReadRest();

  /// Letters, digits and '_' that come next and the character behind them.
  [[nodiscard]] std::pair<std::string_view, char> PeekWord();

  /// The end of the text must come next, behind `what`.
  /// @param hint how to mend it if there is more.
  void ExpectEnd(std::string_view what, std::string_view hint);

  /// The position of the next character that is not blank.
  [[nodiscard]] std::size_t position();

  [[noreturn]] void Fail(std::size_t begin,
                         std::size_t end,
                         const std::string& message,
                         const std::string& hint) const;

  template <typename T>
  [[noreturn]] void Fail(const Placed<T>& place,
                         const std::string& message,
                         const std::string& hint) const {
    Fail(place.begin, place.end, message, hint);
  }

 private:
  // The letters, digits and '_' that are next.
  [[nodiscard]] std::string_view Word();

  // The next character in quotes, or "the end", for messages.
  [[nodiscard]] std::string Next();

  // True if literals are allowed and the next word may be one.
  [[nodiscard]] bool IsAtLiteral();
  double ReadLiteral();

  // Takes a part of a name, without its indices.
  void ReadNamePart(std::string& name);
  void ReadIndex(std::string& name);
  void ReadIndices(std::string& name);

  std::shared_ptr<const SourceFile> source_;
  std::string_view text_;
  std::size_t position_ = 0;
  // Empty after the first call.
  std::function<std::shared_ptr<const Enumeration>()> ask_for_enumeration_;
  std::shared_ptr<const Enumeration> enumeration_;
};

/// Reads `name(arguments)`.
/// @param name the word before the bracket, which comes next.
[[nodiscard]] Distribution ReadDistribution(RangeReader& reader,
                                            const Placed<std::string>& name);

}  // namespace orrery::experiment::internal
