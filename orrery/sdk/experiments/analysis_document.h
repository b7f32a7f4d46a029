#pragma once

#include <memory>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/values/setting.h"
#include "orrery/program/program.h"
#include "orrery/sdk/documents/run_document.h"
#include "orrery/sdk/model/analysis.h"

namespace orrery {

/// What a steady state is to be, as texts. Names are those of
/// SteadyStateOptions.
struct SteadyConditions {
  std::vector<std::string> fix;    ///< NAME=VALUE
  std::vector<std::string> bound;  ///< NAME=[LOW,HIGH]; `[0,]` has no high end.
  /// NAME: an input that is sought although it is set. NAME=GUESS: likewise,
  /// from there; of a state, from there.
  std::vector<std::string> free;
  std::vector<std::string> moving;  ///< States.
  std::string minimize;
  std::string maximize;
};

/// All that determines a search for a steady state. Plain data, and a text in
/// JSON.
struct SteadyStateDocument {
  RunDocument run;  ///< The model; it stands still at its start.
  SteadyConditions conditions;
};

/// All that determines a linearisation, or frequency responses. Plain data, and
/// a text in JSON.
struct LinearizationDocument {
  /// The model. It is linearised at its start or, if there is a stop, where a
  /// run until then leads to.
  RunDocument run;

  bool at_steady_state = false;  ///< Near the start, rather.
  SteadyConditions conditions;   ///< Of the steady state.
  LinearizeOptions between;

  /// Whether frequency responses alone are asked for, and not matrices.
  bool is_frequency_response = false;
  std::vector<std::string> channels;  ///< `u:y`, whose responses are wanted.
  bool all_channels = false;          ///< Where none are named, all are.
  /// rad/s: `0.1,1,10`, or a RANGE as in ParseFactors; empty for default ones.
  std::string frequencies;
};

/// A model of equations, ready for analysis.
struct CompiledModel {
  std::shared_ptr<const Program> program;
  std::vector<Setting> settings;
  std::vector<Diagnostic> warnings;
};

/// @throws Error as LoadFile and Compile do.
[[nodiscard]] CompiledModel CompileModel(const RunDocument& document);

/// @param model that of the document.
/// @throws Error as FindSteadyState does; kInvalidArgument for a condition that
///     cannot be read.
[[nodiscard]] SteadyState FindSteadyState(const SteadyStateDocument& document,
                                          const CompiledModel& model);

/// What a linearisation comes to. Plain data.
struct LinearAnalysis {
  std::string model;
  std::string at;  ///< "the start", "a steady state", ...
  LinearSystem system;
  std::vector<Channel> channels;
  std::vector<FrequencyResponse> responses;  ///< One a channel.
};

/// @param model that of the document.
/// @throws Error as FindSteadyState, Simulator and Linearize do; kInvalidModel
///     if there is no steady state or a run ends too early; kInvalidArgument
///     for a channel or a frequency that is none.
[[nodiscard]] LinearAnalysis Linearize(const LinearizationDocument& document,
                                       const CompiledModel& model);

/// All channels of a system: of the first input to all outputs, and so on.
[[nodiscard]] std::vector<Channel> ChannelsOf(const LinearSystem& system);

/// The responses of these channels, all at the same frequencies.
/// @param frequencies rad/s, ascending; empty for those that show all of them.
/// @throws Error as FrequencyResponseOf.
[[nodiscard]] std::vector<FrequencyResponse> ResponsesOf(
    const LinearSystem& system,
    const std::vector<Channel>& channels,
    std::vector<double> frequencies = {});

/// As JSON; what has its default is left out.
[[nodiscard]] std::string ToJson(const SteadyStateDocument& document);
[[nodiscard]] std::string ToJson(const LinearizationDocument& document);

/// What ToJson has written.
/// @throws Error as RunDocumentFromJson.
[[nodiscard]] SteadyStateDocument SteadyStateDocumentFromJson(
    const std::string& text);
[[nodiscard]] LinearizationDocument LinearizationDocumentFromJson(
    const std::string& text);

}  // namespace orrery
