#pragma once

#include <string>

#include "orrery/modelica/library.h"

namespace orrery::sdk::internal {

/// Writes the class in C++ for one block of the Modelica library.
class ClassWriter {
 public:
  explicit ClassWriter(const modelica::LibraryDescription& block);

  /// Adds it to the texts of a header and its source.
  void Write(std::string& header, std::string& source);

 private:
  // Returns the name of a member in C++.
  [[nodiscard]] std::string Member(const std::string& name) const;

  void WriteArguments(std::string& header) const;
  void AddPort(const modelica::LibraryField& field, const char* kind);
  void AddMember(const std::string& name,
                 const std::string& kind,
                 const std::string& meaning);

  const modelica::LibraryDescription& block_;
  std::string name_;
  std::string members_;
  std::string initializers_;
  std::string methods_;
  std::string definitions_;
};

/// The last part of a full name.
[[nodiscard]] std::string NameIn(const std::string& name);

/// Puts a text on one line of a comment.
[[nodiscard]] std::string OneLine(std::string text);

[[nodiscard]] bool IsEnumeration(const modelica::LibraryField& field);

/// @throws Error kInvalidArgument with the message.
[[noreturn]] void FailToWrite(const std::string& message);

}  // namespace orrery::sdk::internal
