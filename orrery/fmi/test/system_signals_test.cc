// Signals of systems of FMUs that are more than numbers from one component to
// another: items of enumerations, and signals of dictionaries.
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/fmi/test/own_fmus.h"
#include "orrery/fmi/test/system_texts.h"

namespace orrery::fmi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Replaced(std::string text,
                     const std::string& from,
                     const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// An FMU with an input `mode`, whose items are busy (1) and idle (2).
std::string WorkerFmu() {
  auto entries = TypesEntries();
  std::string& text = entries[0].content;
  text = Replaced(text,
                  R"(<Item name="off" value="1"/>)",
                  R"(<Item name="busy" value="1"/>)");
  text = Replaced(text,
                  R"(<Item name="on" value="2"/>)",
                  R"(<Item name="idle" value="2"/>)");
  text = Replaced(text,
                  R"(valueReference="37" causality="parameter")",
                  R"(valueReference="37" causality="input")");
  return MakeZip(entries);
}

// A switch (off 1, on 2) that a worker's mode follows.
Files Working(const std::string& entries) {
  return {{"s.ssd",
           Ssd("<ssd:Elements>" + Component("a", "", "types.fmu") +
               Component("b", "", "worker.fmu") +
               "</ssd:Elements><ssd:Connections>" +
               Connection("a",
                          "mode",
                          "b",
                          "mode",
                          "<ssc:EnumerationMappingTransformation>" + entries +
                              "</ssc:EnumerationMappingTransformation>") +
               "</ssd:Connections>")},
          {"worker.fmu", WorkerFmu()}};
}

constexpr const char* kOffIsIdle =
    R"(<ssc:MapEntry source="off" target="idle"/>)";
constexpr const char* kOnIsBusy =
    R"(<ssc:MapEntry source="on" target="busy"/>)";

double ModeFor(const std::string& mode) {
  Diagnostics diagnostics;
  const RunResult result =
      RunSystem(Working(std::string(kOffIsIdle) + kOnIsBusy),
                {.step = Seconds(0.125), .settings = {{"a.mode", mode}}},
                diagnostics);
  EXPECT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_EQ(Render(diagnostics.list()), "");
  return result["b.mode"].final();
}

TEST(SystemSignalsTest, ItemsOfEnumerationsAreMappedByTheirNames) {
  EXPECT_EQ(ModeFor("on"), 1);
  EXPECT_EQ(ModeFor("off"), 2);
}

TEST(SystemSignalsTest, ItemsThatTheTargetLacksAreTold) {
  EXPECT_THAT(
      FindingsOf(Working(R"(<ssc:MapEntry source="on" target="bussy"/>)")),
      AllOf(HasSubstr("'b.mode' has no item 'bussy'"),
            HasSubstr("did you mean 'busy'?")));
}

TEST(SystemSignalsTest, ItemsWithoutAnEntryEndTheRun) {
  Diagnostics diagnostics;
  const RunResult result =
      RunSystem(Working(kOnIsBusy),
                {.step = Seconds(0.125), .settings = {{"a.mode", "off"}}},
                diagnostics);
  EXPECT_THAT(result.summary.message,
              HasSubstr("the transformation of the signal to 'b.mode' has no "
                        "value for 1"));
}

TEST(SystemSignalsTest, ItemsOfParametersAreMapped) {
  Diagnostics diagnostics;
  const RunResult result = RunSystem(
      {{"s.ssd",
        Ssd("<ssd:ParameterBindings><ssd:ParameterBinding source=\"p.ssv\">"
            "<ssd:ParameterMapping source=\"m.ssm\"/></ssd:ParameterBinding>"
            "</ssd:ParameterBindings><ssd:Elements>" +
            Component("a", "", "types.fmu") + "</ssd:Elements>")},
       {"p.ssv",
        "<ssv:ParameterSet><ssv:Parameters><ssv:Parameter name=\"state\">"
        "<ssv:Enumeration value=\"busy\"/></ssv:Parameter></ssv:Parameters>"
        "</ssv:ParameterSet>"},
       {"m.ssm",
        "<ssm:ParameterMapping><ssm:MappingEntry source=\"state\" "
        "target=\"a.mode\"><ssc:EnumerationMappingTransformation>"
        "<ssc:MapEntry source=\"busy\" target=\"on\"/>"
        "</ssc:EnumerationMappingTransformation></ssm:MappingEntry>"
        "</ssm:ParameterMapping>"}},
      {.step = Seconds(0.125)},
      diagnostics);

  EXPECT_EQ(Render(diagnostics.list()), "");
  EXPECT_EQ(result["a.mode"].final(), 2);
}

std::string Reference(const std::string& name, const std::string& dictionary) {
  return "<ssd:SignalDictionaryReference name=\"" + name + "\" dictionary=\"" +
         dictionary + "\">" + Connectors({{"speed", "inout", ""}}) +
         "</ssd:SignalDictionaryReference>";
}

// A component gives a signal of a dictionary, and one in a nested system takes
// it.
Files Bus(const std::string& dictionary,
          const std::string& signal,
          const std::string& inner = "bus") {
  const std::string within =
      "<ssd:System name=\"in\"><ssd:Elements>" + Component("b") +
      Reference("r", inner) + "</ssd:Elements><ssd:Connections>" +
      Connection("r", signal, "b", "u") + "</ssd:Connections></ssd:System>";
  return {{"s.ssd",
           Ssd("<ssd:Elements>" + Component("a") + Reference("r", "bus") +
               within + "</ssd:Elements><ssd:Connections>" +
               Connection("a", "x", "r", "speed") + "</ssd:Connections>" +
               "<ssd:SignalDictionaries>" + dictionary +
               "</ssd:SignalDictionaries>")},
          {"bus.ssb",
           "<ssb:SignalDictionary version=\"1.0\"><ssb:DictionaryEntry "
           "name=\"speed\"><ssc:Real unit=\"m/s\"/></ssb:DictionaryEntry>"
           "</ssb:SignalDictionary>"}};
}

constexpr const char* kByFile =
    R"(<ssd:SignalDictionary name="bus" source="bus.ssb"/>)";
constexpr const char* kInline = R"(<ssd:SignalDictionary name="bus">
<ssb:SignalDictionary xmlns:ssb="b" version="1.0">
<ssb:DictionaryEntry name="speed"><ssc:Real/></ssb:DictionaryEntry>
</ssb:SignalDictionary></ssd:SignalDictionary>)";

// The last state of the component that takes the signal, from Euler's method.
double TakenFrom(const char* dictionary) {
  Diagnostics diagnostics;
  const RunResult result = RunSystem(
      Bus(dictionary, "speed"), {.settings = {{"a.u", "1"}}}, diagnostics);
  EXPECT_EQ(Render(diagnostics.list()), "");
  return result["in.b.x"].final();
}

TEST(SystemSignalsTest, SignalsOfDictionariesJoinNestedSystems) {
  double a = 0;
  double b = 0;
  for (int i = 0; i < 8; ++i) {
    b += (a - b) / 8;
    a += (1 - a) / 8;
  }
  EXPECT_NEAR(TakenFrom(kByFile), b, 1e-15);
  EXPECT_NEAR(TakenFrom(kInline), b, 1e-15);
}

TEST(SystemSignalsTest, SignalsThatADictionaryLacksAreTold) {
  EXPECT_THAT(FindingsOf(Bus(kByFile, "sped")),
              AllOf(HasSubstr("the dictionary bus has no signal 'sped'"),
                    HasSubstr("did you mean 'speed'?")));
}

TEST(SystemSignalsTest, DictionariesThatAreNotThereAreTold) {
  EXPECT_THAT(FindingsOf(Bus(kByFile, "speed", "bos")),
              AllOf(HasSubstr("'in.r' refers to the signal dictionary 'bos', "
                              "which neither its system nor one around it has"),
                    HasSubstr("did you mean 'bus'?")));
}

TEST(SystemSignalsTest, TwoSourcesOfASignalOfADictionaryAreTold) {
  Files files = Bus(kByFile, "speed");
  files["s.ssd"] = Replaced(files["s.ssd"],
                            Connection("r", "speed", "b", "u"),
                            Connection("b", "x", "r", "speed"));
  EXPECT_THAT(FindingsOf(files),
              HasSubstr("'dictionary bus.speed' has two sources"));
}

}  // namespace
}  // namespace orrery::fmi
