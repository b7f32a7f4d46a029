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

namespace orrery::internal {

/// A number or a word of a text, and where it stands.
template <typename T>
struct Placed {
  T value;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Reads the short texts that say what an experiment varies. Blanks before
/// anything are skipped. Whatever is not as expected is an Error
/// kInvalidArgument with a diagnostic at its place.
class RangeReader {
 public:
  explicit RangeReader(std::shared_ptr<const SourceFile> source);

  /// From here on, literals of the enumeration that this gives are numbers,
  /// too. It is asked where a number is expected and is none; null: there is no
  /// enumeration.
  void TakeLiterals(
      std::function<std::shared_ptr<const Enumeration>()> enumeration);

  /// What comes next; '\0' at the end.
  [[nodiscard]] char Peek();

  /// Takes `c` if it comes next.
  bool Accept(char c);

  /// Takes `c`, which must come next.
  /// @param role what it would do: "would end the values".
  void Expect(char c, std::string_view role);

  /// Whether a number comes next.
  [[nodiscard]] bool is_at_number();

  /// A number, a literal, or `inf`, `true` (1) and `false` (0).
  /// @param what it is, for messages: "the step".
  [[nodiscard]] Placed<double> ReadNumber(std::string_view what);

  /// A number that is not infinite.
  [[nodiscard]] Placed<double> ReadFinite(std::string_view what);

  /// Letters, digits and '_'; empty if another character comes next.
  [[nodiscard]] Placed<std::string> ReadWord();

  /// The name of a quantity: `body.k[2]`, `m[1,3]`, `'odd name'.x`. Blanks in
  /// it are left out.
  [[nodiscard]] Placed<std::string> ReadName();

  /// All that comes next, without blanks around it; the reader is at the end
  /// then.
  [[nodiscard]] Placed<std::string> ReadRest();

  /// Letters, digits and '_' that come next and the character behind them.
  [[nodiscard]] std::pair<std::string_view, char> PeekWord();

  /// The end of the text must come next, behind `what`.
  /// @param hint how to mend it if there is more.
  void ExpectEnd(std::string_view what, std::string_view hint);

  /// Where what comes next begins.
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
  // The letters, digits and '_' that come next.
  [[nodiscard]] std::string_view Word();

  // What comes next, in quotes or as "the end", for messages.
  [[nodiscard]] std::string Next();

  // Whether something that can be a literal comes next where literals are
  // taken.
  [[nodiscard]] bool IsAtLiteral();
  double ReadLiteral();

  // Takes a part of a name, without its indices.
  void ReadNamePart(std::string& name);
  void ReadIndices(std::string& name);

  std::shared_ptr<const SourceFile> source_;
  std::string_view text_;
  std::size_t position_ = 0;
  // Empty once it has been asked.
  std::function<std::shared_ptr<const Enumeration>()> ask_for_enumeration_;
  std::shared_ptr<const Enumeration> enumeration_;
};

/// Reads `name(arguments)`.
/// @param name the word before the bracket, which comes next.
[[nodiscard]] Distribution ReadDistribution(RangeReader& reader,
                                            const Placed<std::string>& name);

}  // namespace orrery::internal
