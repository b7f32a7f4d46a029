#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/fmi/description.h"
#include "orrery/fmi/files/xml_document.h"

namespace orrery::fmi::internal {

/// The words of a list in an attribute, which blanks divide.
[[nodiscard]] std::vector<std::string_view> WordsOf(std::string_view text);

/// Numbers as XML Schema writes them: xs:double, xs:long, xs:unsignedLong.
[[nodiscard]] std::optional<double> ParseReal(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> ParseSigned(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> ParseUnsigned(std::string_view text);
/// `true`, `false`, `1` or `0`.
[[nodiscard]] std::optional<bool> ParseFlag(std::string_view text);

/// A number of this type, if `text` is one and fits it. Booleans and Clocks are
/// 0 or 1. None of Strings and Binaries.
[[nodiscard]] std::optional<Number> ParseNumberOf(ValueType type,
                                                  std::string_view text);

/// Why `text` is no number of this type: "'300' does not fit Int8 (-128 to
/// 127)".
[[nodiscard]] std::string WhyNoNumberOf(ValueType type, std::string_view text);

/// Reads the attributes of one element and tells what is wrong with them.
class AttributeReader {
 public:
  /// All must outlive the reader.
  AttributeReader(const XmlDocument& document,
                  const XmlElement& element,
                  Diagnostics& diagnostics)
      : document_(document), element_(element), diagnostics_(diagnostics) {}

  /// The text of an attribute, if it is given. The other functions read with
  /// it, and give their default where the text is none of theirs, which is an
  /// error.
  [[nodiscard]] std::optional<std::string_view> Find(std::string_view name);

  /// Marks attributes as known: another one reads them.
  void Know(std::initializer_list<std::string_view> names);

  [[nodiscard]] std::string Text(std::string_view name);

  /// It is an error if it is not given.
  [[nodiscard]] std::string Required(std::string_view name);
  [[nodiscard]] std::uint32_t RequiredReference(std::string_view name);

  [[nodiscard]] std::optional<double> Real(std::string_view name);
  [[nodiscard]] std::optional<std::uint64_t> Whole(
      std::string_view name, std::uint64_t max = UINT64_MAX);
  [[nodiscard]] bool Flag(std::string_view name, bool otherwise = false);
  [[nodiscard]] std::optional<Number> NumberOf(ValueType type,
                                               std::string_view name);

  /// A list of whole numbers.
  [[nodiscard]] std::vector<std::uint32_t> References(std::string_view name);

  /// The index of the text in `names`, where empty ones are no choice.
  template <std::size_t count>
  [[nodiscard]] std::optional<std::size_t> Choice(
      std::string_view name, const std::array<std::string_view, count>& names) {
    return ChoiceOf(name, {names.begin(), names.end()});
  }

  /// Warns of attributes that nobody has asked for.
  void WarnOfOthers();

  /// Add findings at an attribute.
  void Error(std::string_view attribute,
             std::string message,
             std::string hint = {});
  void Warning(std::string_view attribute,
               std::string message,
               std::string hint = {});

 private:
  [[nodiscard]] std::optional<std::size_t> ChoiceOf(
      std::string_view name, const std::vector<std::string_view>& names);
  void TellWrong(std::string_view name,
                 std::string_view text,
                 std::string_view wanted);

  const XmlDocument& document_;
  const XmlElement& element_;
  Diagnostics& diagnostics_;
  std::vector<std::string_view> known_;
};

}  // namespace orrery::fmi::internal
