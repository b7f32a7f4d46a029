#include "orrery/fmi/test/own_fmus.h"

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"

namespace orrery::fmi {
namespace {

std::string BytesOf(const char* path) {
  return std::string(SourceFile::Read(path)->text());
}

}  // namespace

std::vector<ZipEntry> LagEntries(const std::string& token) {
  const std::string description =
      "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"Lag\" guid=\"" +
      token + R"xml(">
<CoSimulation modelIdentifier="lag2"/>
<UnitDefinitions><Unit name="s"><BaseUnit s="1"/></Unit></UnitDefinitions>
<TypeDefinitions><SimpleType name="Status"><Enumeration>
  <Item name="discard" value="2"/><Item name="error" value="3"/>
  <Item name="fatal" value="4"/></Enumeration></SimpleType></TypeDefinitions>
<DefaultExperiment stopTime="1" stepSize="0.125"/>
<ModelVariables>
<ScalarVariable name="x" valueReference="0" causality="output" initial="exact">
  <Real start="0"/></ScalarVariable>
<ScalarVariable name="u" valueReference="1" causality="input">
  <Real start="0"/></ScalarVariable>
<ScalarVariable name="k" valueReference="2" causality="parameter"
  variability="fixed"><Real start="1" min="-10" max="10"/></ScalarVariable>
<ScalarVariable name="T" valueReference="3" causality="parameter"
  variability="fixed"><Real start="1" unit="s"/></ScalarVariable>
<ScalarVariable name="steps" valueReference="0" causality="output"
  variability="discrete" initial="exact"><Integer start="0"/></ScalarVariable>
<ScalarVariable name="fails_at" valueReference="1" causality="parameter"
  variability="fixed"><Integer start="1000000"/></ScalarVariable>
<ScalarVariable name="how" valueReference="2" causality="parameter"
  variability="fixed"><Enumeration declaredType="Status" start="2"/>
  </ScalarVariable>
<ScalarVariable name="is_fast" valueReference="0" causality="parameter"
  variability="fixed"><Boolean start="false"/></ScalarVariable>
<ScalarVariable name="label" valueReference="0" causality="parameter"
  variability="fixed"><String start=""/></ScalarVariable>
<ScalarVariable name="label_size" valueReference="3" variability="discrete">
  <Integer/></ScalarVariable>
<ScalarVariable name="again" valueReference="0" initial="exact">
  <Real start="0"/></ScalarVariable>
</ModelVariables>
<ModelStructure><Outputs><Unknown index="1"/><Unknown index="5"/></Outputs>
</ModelStructure></fmiModelDescription>)xml";
  return {{.name = "modelDescription.xml", .content = description},
          {.name = "binaries/" + PlatformHere(FmiVersion::k2) + "/lag2.so",
           .content = BytesOf(ORRERY_LAG2)}};
}

std::vector<ZipEntry> TypesEntries() {
  const std::string description = R"xml(<fmiModelDescription fmiVersion="3.0"
    modelName="Types" instantiationToken="t">
<CoSimulation modelIdentifier="types3"
    canHandleVariableCommunicationStepSize="true"/>
<TypeDefinitions><EnumerationType name="Mode"><Item name="off" value="1"/>
  <Item name="on" value="2"/></EnumerationType></TypeDefinitions>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent"/>
<Float64 name="x" valueReference="1" causality="input" start="1 2">
  <Dimension start="2"/></Float64>
<Float64 name="y" valueReference="2" causality="output">
  <Dimension start="2"/></Float64>
<Float32 name="f" valueReference="100" causality="parameter" start="0"/>
<Int8 name="i8" valueReference="4" causality="input" start="0"/>
<UInt8 name="u8" valueReference="8" causality="input" start="0"/>
<Int16 name="i16" valueReference="12" causality="input" start="0"/>
<UInt16 name="u16" valueReference="16" causality="input" start="0"/>
<UInt32 name="u32" valueReference="20" causality="input" start="0"/>
<Int64 name="i64" valueReference="24" causality="parameter" start="0"/>
<UInt64 name="u64" valueReference="28" causality="parameter" start="0"/>
<Boolean name="b" valueReference="32" causality="input" start="false"/>
<Enumeration name="mode" valueReference="37" causality="parameter"
    declaredType="Mode" start="1"/>
<String name="text" valueReference="38" causality="parameter">
  <Start value=""/></String>
<Binary name="bytes" valueReference="39" causality="parameter">
  <Start value=""/></Binary>
<Int32 name="text_size" valueReference="40"/>
<Int32 name="byte_sum" valueReference="41"/>
<Int32 name="resource" valueReference="42"/>
</ModelVariables>
<ModelStructure><Output valueReference="2"/><InitialUnknown valueReference="2"/>
</ModelStructure></fmiModelDescription>)xml";
  return {{.name = "modelDescription.xml", .content = description},
          {.name = "binaries/" + PlatformHere(FmiVersion::k3) + "/types3.so",
           .content = BytesOf(ORRERY_TYPES3)},
          {.name = "resources/y.txt", .content = "a"}};
}

std::vector<ZipEntry> BallEntries() {
  const std::string description = R"xml(<fmiModelDescription fmiVersion="3.0"
    modelName="Ball" instantiationToken="b">
<ModelExchange modelIdentifier="ball3" needsCompletedIntegratorStep="false"/>
<UnitDefinitions><Unit name="m"><BaseUnit m="1"/></Unit>
<Unit name="m/s2"><BaseUnit m="1" s="-2"/></Unit></UnitDefinitions>
<DefaultExperiment startTime="0" stopTime="2"/>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent"/>
<Float64 name="h" valueReference="1" causality="output" start="1"
    initial="exact" unit="m"/>
<Float64 name="v" valueReference="2" causality="output" start="0"
    initial="exact" reinit="true"/>
<Float64 name="der(h)" valueReference="3" derivative="1"/>
<Float64 name="a" valueReference="4" derivative="2"/>
<Float64 name="g" valueReference="5" causality="parameter"
    variability="fixed" start="-9.81" unit="m/s2"/>
<Float64 name="e" valueReference="6" causality="parameter"
    variability="tunable" start="0.7" min="0" max="1"/>
<Float64 name="u" valueReference="7" causality="input" start="0"/>
<Float64 name="energy" valueReference="8"/>
<Int32 name="bounces" valueReference="20" causality="output"/>
<Int32 name="ticks" valueReference="21"/>
<Int32 name="most" valueReference="22" causality="parameter"
    variability="fixed" start="1000"/>
<Int32 name="fails_at" valueReference="23" causality="parameter"
    variability="fixed" start="1000"/>
<Int32 name="how" valueReference="24" causality="parameter"
    variability="fixed" start="3"/>
<Boolean name="stands_still" valueReference="40" causality="parameter"
    variability="fixed" start="false"/>
</ModelVariables>
<ModelStructure><Output valueReference="1"/><Output valueReference="2"/>
<Output valueReference="20"/>
<ContinuousStateDerivative valueReference="3"/>
<ContinuousStateDerivative valueReference="4"/>
<InitialUnknown valueReference="3"/><InitialUnknown valueReference="4"/>
<InitialUnknown valueReference="20"/>
<EventIndicator valueReference="1"/></ModelStructure></fmiModelDescription>)xml";
  return {{.name = "modelDescription.xml", .content = description},
          {.name = "binaries/" + PlatformHere(FmiVersion::k3) + "/ball3.so",
           .content = BytesOf(ORRERY_BALL3)}};
}

std::vector<ZipEntry> SwitchEntries() {
  const std::string description = R"xml(<fmiModelDescription fmiVersion="2.0"
    modelName="Switch" guid="s" numberOfEventIndicators="0">
<ModelExchange modelIdentifier="switch2"
    providesDirectionalDerivative="true"/>
<DefaultExperiment stopTime="1"/>
<ModelVariables>
<ScalarVariable name="x" valueReference="0" initial="calculated"><Real/>
  </ScalarVariable>
<ScalarVariable name="rate" valueReference="1"><Real derivative="1"/>
  </ScalarVariable>
<ScalarVariable name="u" valueReference="2" causality="input">
  <Real start="1"/></ScalarVariable>
<ScalarVariable name="k" valueReference="3" causality="parameter"
  variability="tunable"><Real start="1"/></ScalarVariable>
<ScalarVariable name="T" valueReference="4" causality="parameter"
  variability="fixed"><Real start="1"/></ScalarVariable>
<ScalarVariable name="y" valueReference="5" causality="output"><Real/>
  </ScalarVariable>
<ScalarVariable name="x_half" valueReference="6" causality="parameter"
  variability="fixed"><Real start="0"/></ScalarVariable>
<ScalarVariable name="limit" valueReference="7" causality="parameter"
  variability="fixed"><Real start="100"/></ScalarVariable>
<ScalarVariable name="gear" valueReference="0" causality="input"
  variability="discrete"><Integer start="1"/></ScalarVariable>
<ScalarVariable name="turns" valueReference="1" causality="output"
  variability="discrete"><Integer/></ScalarVariable>
<ScalarVariable name="also_x" valueReference="0"><Real/></ScalarVariable>
</ModelVariables>
<ModelStructure><Outputs><Unknown index="6"/><Unknown index="10"/></Outputs>
<Derivatives><Unknown index="2"/></Derivatives>
<InitialUnknowns><Unknown index="1"/><Unknown index="2"/><Unknown index="6"/>
<Unknown index="10"/></InitialUnknowns></ModelStructure></fmiModelDescription>)xml";
  return {{.name = "modelDescription.xml", .content = description},
          {.name = "binaries/" + PlatformHere(FmiVersion::k2) + "/switch2.so",
           .content = BytesOf(ORRERY_SWITCH2)}};
}

std::vector<ZipEntry> RowsEntries() {
  const std::string description = R"xml(<fmiModelDescription fmiVersion="3.0"
    modelName="Rows" instantiationToken="r">
<ModelExchange modelIdentifier="rows3" needsCompletedIntegratorStep="false"/>
<CoSimulation modelIdentifier="rows3" hasEventMode="true"
    canHandleVariableCommunicationStepSize="true" mightReturnEarlyFromDoStep="true"/>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent"/>
<UInt64 name="n" valueReference="1" causality="structuralParameter"
    variability="fixed" start="2" min="0" max="5"/>
<Float64 name="k" valueReference="2" causality="parameter"
    variability="fixed" start="1 2"><Dimension valueReference="1"/></Float64>
<Float64 name="x" valueReference="3" initial="exact" start="0 0">
  <Dimension valueReference="1"/></Float64>
<Float64 name="der(x)" valueReference="4" derivative="3">
  <Dimension valueReference="1"/></Float64>
<Float64 name="y" valueReference="5" causality="output"/>
<Float64 name="gain" valueReference="6" causality="input"
    variability="discrete" start="1"/>
<Int32 name="ticks" valueReference="20" causality="output"
    variability="discrete"/>
</ModelVariables>
<ModelStructure><Output valueReference="5"/><Output valueReference="20"/>
<ContinuousStateDerivative valueReference="4"/>
<InitialUnknown valueReference="4"/><InitialUnknown valueReference="5"/>
<InitialUnknown valueReference="20"/></ModelStructure></fmiModelDescription>)xml";
  return {{.name = "modelDescription.xml", .content = description},
          {.name = "binaries/" + PlatformHere(FmiVersion::k3) + "/rows3.so",
           .content = BytesOf(ORRERY_ROWS3)}};
}

std::vector<ZipEntry> TicksEntries(const std::string& steps) {
  const std::string description = R"xml(<fmiModelDescription fmiVersion="3.0"
    modelName="Ticks" instantiationToken="t">
<ModelExchange modelIdentifier="ticks3" needsCompletedIntegratorStep="false"/>
<CoSimulation modelIdentifier="ticks3" )xml" +
                                  steps + R"xml(/>
<DefaultExperiment stopTime="2" stepSize="1"/>
<ModelVariables>
<Float64 name="time" valueReference="100" causality="independent"/>
<Clock name="base" valueReference="0" causality="input"
  intervalVariability="constant" intervalDecimal="0.5" shiftDecimal="0.25"/>
<Clock name="third" valueReference="1" causality="input"
  intervalVariability="constant" intervalDecimal="0.33"
  supportsFraction="true" resolution="3" intervalCounter="1"/>
<Clock name="own" valueReference="2" causality="input"
  intervalVariability="fixed"/>
<Clock name="growing" valueReference="3" causality="input"
  intervalVariability="changing"/>
<Clock name="later" valueReference="4" causality="input"
  intervalVariability="countdown"/>
<Clock name="sudden" valueReference="5" causality="input"
  intervalVariability="triggered"/>
<Clock name="told" valueReference="6" causality="output"
  intervalVariability="triggered" clocks="5"/>
<Int32 name="n_base" valueReference="10" causality="output" clocks="0"/>
<Int32 name="n_third" valueReference="11" causality="output" clocks="1"/>
<Int32 name="n_own" valueReference="12" causality="output" clocks="2"/>
<Int32 name="n_growing" valueReference="13" causality="output" clocks="3"/>
<Int32 name="n_later" valueReference="14" causality="output" clocks="4"/>
<Int32 name="n_sudden" valueReference="15" causality="output" clocks="5"/>
<Int32 name="sum" valueReference="16" causality="output" clocks="5"/>
<Int32 name="step" valueReference="17" causality="input" clocks="5"
  start="1"/>
<Int32 name="all" valueReference="18" causality="output"/>
<Float64 name="last" valueReference="20" causality="output" clocks="0"
  variability="discrete"/>
<Float64 name="period" valueReference="21" causality="parameter"
  variability="fixed" start="0.4"/>
<Float64 name="x" valueReference="22" causality="output" initial="exact"
  start="0"/>
<Float64 name="slope" valueReference="23" derivative="22"/>
</ModelVariables>
<ModelStructure><Output valueReference="6"/><Output valueReference="10"/>
<Output valueReference="11"/><Output valueReference="12"/>
<Output valueReference="13"/><Output valueReference="14"/>
<Output valueReference="15"/><Output valueReference="16"/>
<Output valueReference="18"/><Output valueReference="20"/>
<Output valueReference="22"/>
<ContinuousStateDerivative valueReference="23"/>
<InitialUnknown valueReference="18"/><InitialUnknown valueReference="23"/>
</ModelStructure></fmiModelDescription>)xml";
  return {{.name = "modelDescription.xml", .content = description},
          {.name = "binaries/" + PlatformHere(FmiVersion::k3) + "/ticks3.so",
           .content = BytesOf(ORRERY_TICKS3)}};
}

Fmu FmuOf(const std::vector<ZipEntry>& entries) {
  Diagnostics diagnostics;
  return ReadFmu(
      std::make_shared<const SourceFile>("own.fmu", MakeZip(entries)),
      diagnostics);
}

}  // namespace orrery::fmi
