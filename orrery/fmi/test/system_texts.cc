#include "orrery/fmi/test/system_texts.h"

#include <memory>

#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/fmi/test/own_fmus.h"

namespace orrery::fmi {
namespace {

SystemDescription DescriptionOf(const Files& files, Diagnostics& diagnostics) {
  const auto read = [&files](const std::string& name) {
    if (name == "lag.fmu") {
      return std::make_shared<const SourceFile>(name, MakeZip(LagEntries()));
    }
    if (name == "ticks.fmu") {
      return std::make_shared<const SourceFile>(name, MakeZip(TicksEntries()));
    }
    if (name == "ball.fmu") {
      return std::make_shared<const SourceFile>(name, MakeZip(BallEntries()));
    }
    if (name == "switch.fmu") {
      return std::make_shared<const SourceFile>(name, MakeZip(SwitchEntries()));
    }
    if (name == "types.fmu") {
      return std::make_shared<const SourceFile>(name, MakeZip(TypesEntries()));
    }
    const auto found = files.find(name);
    if (found == files.end()) {
      throw Error(ErrorCode::kIo, "cannot read '" + name + "'");
    }
    return std::make_shared<const SourceFile>(name, found->second);
  };
  return ReadSystemFile(read("s.ssd"), {}, read, diagnostics);
}

}  // namespace

std::string Ssd(const std::string& content) {
  return R"(<?xml version="1.0"?>
<ssd:SystemStructureDescription name="S" version="1.0"
  xmlns:ssc="c" xmlns:ssd="d" xmlns:ssv="v" xmlns:ssm="m">
<ssd:System name="S">
)" + content +
         R"(
</ssd:System>
<ssd:DefaultExperiment startTime="0" stopTime="1"/>
</ssd:SystemStructureDescription>)";
}

std::string Component(const std::string& name,
                      const std::string& content,
                      const std::string& source) {
  return "<ssd:Component name=\"" + name + "\" source=\"" + source +
         "\" type=\"application/x-fmu-sharedlibrary\">" + content +
         "</ssd:Component>\n";
}

std::string Connection(const std::string& from,
                       const std::string& output,
                       const std::string& to,
                       const std::string& input,
                       const std::string& content) {
  const auto end = [](const std::string& which,
                      const std::string& element,
                      const std::string& connector) {
    return (element.empty() ? "" : which + "Element=\"" + element + "\" ") +
           which + "Connector=\"" + connector + "\" ";
  };
  return "<ssd:Connection " + end("start", from, output) +
         end("end", to, input) + ">" + content + "</ssd:Connection>\n";
}

std::string Two(const std::string& connections,
                const std::string& of_a,
                const std::string& of_b) {
  return "<ssd:Elements>" + Component("a", of_a) + Component("b", of_b) +
         "</ssd:Elements><ssd:Connections>" + connections +
         "</ssd:Connections>";
}

RunResult RunSystem(const Files& files,
                    CoSimulationOptions options,
                    Diagnostics& diagnostics) {
  return SystemRun(DescriptionOf(files, diagnostics), options, diagnostics)
      .Run();
}

RunResult RunText(const std::string& content,
                  const CoSimulationOptions& options) {
  Diagnostics diagnostics;
  RunResult result = RunSystem({{"s.ssd", Ssd(content)}}, options, diagnostics);
  EXPECT_EQ(Render(diagnostics.list()), "");
  return result;
}

std::string FindingsOf(const Files& files) {
  Diagnostics diagnostics;
  try {
    static_cast<void>(RunSystem(files, {}, diagnostics));
  } catch (const Error& error) {
    return error.what();
  }
  return Render(diagnostics.list());
}

std::string Connectors(
    const std::vector<std::array<const char*, 3>>& connectors) {
  std::string text = "<ssd:Connectors>";
  for (const auto& [name, kind, content] : connectors) {
    text += std::string("<ssd:Connector name=\"") + name + "\" kind=\"" + kind +
            "\">" + content + "</ssd:Connector>";
  }
  return text + "</ssd:Connectors>";
}

}  // namespace orrery::fmi
