#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"

namespace orrery::fmi {

struct XmlAttribute {
  std::string_view name;
  std::string_view value;  ///< References are resolved.
};

/// An element with its attributes and the elements within. Text between tags is
/// left out: FMI puts everything into attributes.
struct XmlElement {
  std::string_view name;
  std::span<const XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::uint32_t begin = 0;  ///< Begin of its start tag, in the text.
  std::uint32_t end = 0;

  /// The value of an attribute, if it is given.
  [[nodiscard]] std::optional<std::string_view> Find(
      std::string_view attribute) const noexcept;

  /// The first child of this name; null if there is none.
  [[nodiscard]] const XmlElement* Child(
      std::string_view child_name) const noexcept;
};

/// A text in XML 1.0 as a tree. Immutable.
///
/// Declarations of types (DOCTYPE) are refused: FMI has none, and entities that
/// are declared there can grow without bound.
class XmlDocument {
 public:
  /// Elements within each other.
  static constexpr int kMaxDepth = 256;

  /// Returns null, with an error at its place, for a text that is not
  /// well-formed.
  [[nodiscard]] static std::unique_ptr<const XmlDocument> Parse(
      std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics);

  [[nodiscard]] const XmlElement& root() const noexcept { return root_; }

  /// The place of an element's start tag.
  [[nodiscard]] SourceSpan PlaceOf(const XmlElement& element) const;

  /// The place of an attribute with its value, or of the start tag if it is not
  /// given.
  [[nodiscard]] SourceSpan PlaceOf(const XmlElement& element,
                                   std::string_view attribute) const;

 private:
  friend class XmlReader;

  explicit XmlDocument(std::shared_ptr<const SourceFile> file)
      : file_(std::move(file)) {}

  std::shared_ptr<const SourceFile> file_;
  // Holds names, values and lists of attributes.
  std::pmr::monotonic_buffer_resource memory_;
  XmlElement root_;
};

}  // namespace orrery::fmi
