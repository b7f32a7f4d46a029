#pragma once

namespace orrery {

// The types of experiments in a store, and of jobs for workers.

inline constexpr const char* kSingleRun = "simulate";
inline constexpr const char* kSweep = "sweep";
inline constexpr const char* kSensitivity = "sensitivity";
inline constexpr const char* kReplications = "replications";  ///< By DEVS.
inline constexpr const char* kCalibration = "calibration";
inline constexpr const char* kOptimization = "optimization";
inline constexpr const char* kSteadyState = "steady-state";
inline constexpr const char* kLinearization = "linearization";
inline constexpr const char* kFrequencyResponse = "frequency-response";

}  // namespace orrery
