#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/fmi/files/xml_document.h"
#include "orrery/fmi/system/system_description.h"

namespace orrery::fmi::internal {

/// The name of an element without its namespace: `Real` of `ssv:Real`.
[[nodiscard]] std::string_view LocalName(std::string_view name);

/// The value of an attribute; empty if it is not given.
[[nodiscard]] std::string AttributeText(const XmlElement& element,
                                        std::string_view name);

/// True for the names of types that have units.
[[nodiscard]] bool IsReal(std::string_view type) noexcept;

/// The first child of that local name; null if there is none.
[[nodiscard]] const XmlElement* LocalChild(const XmlElement& element,
                                           std::string_view name);

/// Texts of a system, which are read once and kept, as findings have places in
/// them.
class SystemTexts {
 public:
  SystemTexts(const ReadNamed& read, Diagnostics& diagnostics)
      : read_(read), diagnostics_(diagnostics) {}

  /// Null, after a report at `place`, if it cannot be read.
  const XmlDocument* Read(const std::string& name, const SourceSpan& place);

  const XmlDocument* Parse(std::shared_ptr<const SourceFile> file);

  [[nodiscard]] const ReadNamed& read() const noexcept { return read_; }

 private:
  const ReadNamed& read_;
  Diagnostics& diagnostics_;
  std::vector<std::unique_ptr<const XmlDocument>> documents_;
};

/// The content of an element: what stands in it, below its child `holder` (of
/// its own if that is empty), or the root of the file that its `source` names.
/// The element is null if there is none, also after a report.
[[nodiscard]] std::pair<const XmlDocument*, const XmlElement*> ContentOf(
    const XmlDocument& document,
    const XmlElement& element,
    std::string_view holder,
    SystemTexts& texts);

/// The transformation among the children of an element, as of a connection;
/// reports one that is no transformation.
[[nodiscard]] SignalTransformation TransformationIn(const XmlDocument& document,
                                                    const XmlElement& element,
                                                    Diagnostics& diagnostics);

/// The parameters that the bindings of an element give (SSP 1.0, sections 5.3
/// and 6), with names relative to that element.
[[nodiscard]] std::vector<SystemParameter> ParametersBoundIn(
    const XmlDocument& document,
    const XmlElement& element,
    SystemTexts& texts,
    Diagnostics& diagnostics);

}  // namespace orrery::fmi::internal
