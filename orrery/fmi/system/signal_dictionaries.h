#pragma once

#include <map>
#include <string>

#include "orrery/fmi/files/xml_document.h"
#include "orrery/fmi/system/parameter_sets.h"
#include "orrery/fmi/system/written_connections.h"

namespace orrery::fmi::internal {

/// The signal dictionaries of a system and of those within it (SSP 1.0,
/// sections 5.5.4 and 7). A dictionary is an element that passes signals on:
/// what is connected to one of its signals, by any reference to it, is
/// connected to each other.
class SignalDictionaries {
 public:
  /// @param elements gets the dictionaries.
  SignalDictionaries(SystemElements& elements, Diagnostics& diagnostics)
      : elements_(elements), diagnostics_(diagnostics) {}

  /// Reads those that the system at `path` declares.
  void Declare(const XmlDocument& document,
               const XmlElement& system,
               const std::string& path,
               SystemTexts& texts);

  /// Reads a reference `path` to a dictionary of the system `around`, or of one
  /// around that.
  void Refer(const XmlDocument& document,
             const XmlElement& reference,
             const std::string& path,
             const std::string& around);

  /// The path of the dictionary that the element at `path` refers to; `path`
  /// itself for other elements.
  [[nodiscard]] std::string Resolve(const std::string& path) const;

 private:
  SystemElements& elements_;
  Diagnostics& diagnostics_;
  // Path of a system with a name; path of the element.
  std::map<std::pair<std::string, std::string>, std::string> declared_;
  std::map<std::string, std::string> references_;
};

}  // namespace orrery::fmi::internal
