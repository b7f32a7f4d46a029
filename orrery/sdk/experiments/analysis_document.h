#pragma once

#include <memory>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/values/setting.h"
#include "orrery/program/program.h"
#include "orrery/sdk/documents/run_document.h"
#include "orrery/sdk/model/analysis.h"
#include "orrery/sdk/model/model.h"

namespace orrery {

/// The conditions of a steady state, as texts. The names are those of
/// SteadyStateOptions.
struct SteadyConditions {
  std::vector<std::string> fix;    ///< NAME=VALUE
  std::vector<std::string> bound;  ///< NAME=[LOW,HIGH]; `[0,]` has no upper
                                   ///< bound.
  /// NAME: an input that is an unknown although it is set. NAME=GUESS: the same
  /// with a first guess; also for a state.
  std::vector<std::string> free;
  std::vector<std::string> moving;  ///< States.
  std::string minimize;
  std::string maximize;
};

/// The full definition of a search for a steady state. Plain data, and a text
/// in JSON.
struct SteadyStateDocument {
  RunDocument run;  ///< The model, without a run.
  SteadyConditions conditions;
};

/// The full definition of a linearisation, or of frequency responses. Plain
/// data, and a text in JSON.
struct LinearizationDocument {
  /// The model. It is linearised at its start or, with a stop time, at the end
  /// of a run.
  RunDocument run;

  bool at_steady_state = false;  ///< Takes a steady state near the start
                                 ///< instead.
  SteadyConditions conditions;   ///< Conditions of the steady state.
  LinearizeOptions between;

  /// True to compute only frequency responses, and no matrices.
  bool is_frequency_response = false;
  std::vector<std::string> channels;  ///< `u:y`: the channels of the responses.
  bool all_channels = false;          ///< Takes all channels if none are named.
  /// rad/s: `0.1,1,10`, or a RANGE as in ParseFactors; empty for the default.
  std::string frequencies;
};

/// A model of equations, ready for analysis.
struct CompiledModel {
  std::shared_ptr<const Program> program;
  std::vector<Setting> settings;
  std::vector<Diagnostic> warnings;
  std::vector<std::string> texts = {};  ///< Names of Strings that can be set.
};

/// @throws Error as LoadFile and Compile do.
[[nodiscard]] CompiledModel CompileModel(const RunDocument& document);

/// The same of a model that is loaded.
/// @param program compiled from it.
/// @throws Error as CheckSettings does.
[[nodiscard]] CompiledModel AsCompiled(const Model& model,
                                       std::shared_ptr<const Program> program,
                                       std::vector<Setting> settings);

/// @param model the compiled model of the document.
/// @throws Error as FindSteadyState does; kInvalidArgument for a condition that
///     cannot be read.
[[nodiscard]] SteadyState FindSteadyState(const SteadyStateDocument& document,
                                          const CompiledModel& model);

/// The result of a linearisation. Plain data.
struct LinearAnalysis {
  std::string model;
  std::string at;  ///< "the start", "a steady state", ...
  LinearSystem system;
  std::vector<Channel> channels;
  std::vector<FrequencyResponse> responses;  ///< One for each channel.
};

/// @param model the compiled model of the document.
/// @throws Error as FindSteadyState, Simulator and Linearize do; kInvalidModel
///     if there is no steady state or a run ends too early; kInvalidArgument
///     for an invalid channel or frequency.
[[nodiscard]] LinearAnalysis Linearize(const LinearizationDocument& document,
                                       const CompiledModel& model);

/// All channels of a system: from the first input to all outputs, and so on.
[[nodiscard]] std::vector<Channel> ChannelsOf(const LinearSystem& system);

/// The responses of these channels, all at the same frequencies.
/// @param frequencies rad/s, ascending; if empty, they are chosen for all
///     channels.
/// @throws Error as FrequencyResponseOf.
[[nodiscard]] std::vector<FrequencyResponse> ResponsesOf(
    const LinearSystem& system,
    const std::vector<Channel>& channels,
    std::vector<double> frequencies = {});

/// Writes JSON; members with their defaults are left out.
[[nodiscard]] std::string ToJson(const SteadyStateDocument& document);
[[nodiscard]] std::string ToJson(const LinearizationDocument& document);

/// Reads the output of ToJson.
/// @throws Error as RunDocumentFromJson.
[[nodiscard]] SteadyStateDocument SteadyStateDocumentFromJson(
    const std::string& text);
[[nodiscard]] LinearizationDocument LinearizationDocumentFromJson(
    const std::string& text);

}  // namespace orrery
