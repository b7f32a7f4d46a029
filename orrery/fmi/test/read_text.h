#pragma once

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "orrery/fmi/description.h"

namespace orrery::fmi {

/// For tests: a description of FMI 2.0 with these variables and structure.
[[nodiscard]] inline std::string Text2(const std::string& variables,
                                       const std::string& structure = {},
                                       const std::string& before = {}) {
  return "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"M\" "
         "guid=\"{1}\">\n"
         "<ModelExchange modelIdentifier=\"M\"/>\n" +
         before + "<ModelVariables>\n" + variables +
         "</ModelVariables>\n<ModelStructure>\n" + structure +
         "</ModelStructure>\n</fmiModelDescription>\n";
}

/// For tests: one of FMI 3.0, with the time as variable 0.
[[nodiscard]] inline std::string Text3(const std::string& variables,
                                       const std::string& structure = {},
                                       const std::string& before = {}) {
  return "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"M\" "
         "instantiationToken=\"{1}\">\n"
         "<CoSimulation modelIdentifier=\"M\"/>\n" +
         before +
         "<ModelVariables>\n"
         "<Float64 name=\"time\" valueReference=\"0\" "
         "causality=\"independent\" variability=\"continuous\"/>\n" +
         variables + "</ModelVariables>\n<ModelStructure>\n" + structure +
         "</ModelStructure>\n</fmiModelDescription>\n";
}

[[nodiscard]] inline std::unique_ptr<Description> Read(
    const std::string& text, Diagnostics& diagnostics) {
  return ReadDescription(std::make_shared<const SourceFile>("d.xml", text),
                         diagnostics);
}

/// For tests: what a text without any finding says.
[[nodiscard]] inline std::unique_ptr<Description> ReadSound(
    const std::string& text) {
  Diagnostics diagnostics;
  auto description = Read(text, diagnostics);
  EXPECT_EQ(Render(diagnostics.list()), "");
  return description != nullptr ? std::move(description)
                                : std::make_unique<Description>();
}

/// For tests: the findings, without the lines that they are in.
[[nodiscard]] inline std::string FindingsOf(const std::string& text) {
  Diagnostics diagnostics;
  (void)Read(text, diagnostics);
  std::string findings;
  for (const Diagnostic& finding : diagnostics.list()) {
    findings += std::to_string(finding.line) + " " +
                std::string(NameOf(finding.severity)) + ": " + finding.message +
                (finding.hint.empty() ? "" : "; " + finding.hint) + "\n";
  }
  return findings;
}

}  // namespace orrery::fmi
