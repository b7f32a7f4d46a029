#include "orrery/sdk/reports/error_report.h"

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/base/diagnostic.h"
#include "orrery/sdk/json/json_values.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::Json;

namespace {

// The keys that a report of this kind has besides "status", "message" and
// "diagnostics".
std::vector<const char*> KeysOf(ReportKind kind) {
  switch (kind) {
    case ReportKind::kRun:
      return {"model",
              "time",
              "solver",
              "switches",
              "events",
              "steps",
              "rejected_steps",
              "rhs_evaluations",
              "jacobian_evaluations",
              "loop_iterations",
              "compile_ms",
              "run_ms",
              "final"};
    case ReportKind::kDevsRun:
      return {"model",
              "formalism",
              "seed",
              "atomic_models",
              "couplings",
              "parameters",
              "flatten_ms",
              "run_ms",
              "time",
              "statistics",
              "final",
              "final_times"};
    case ReportKind::kProcessRun:
      return {"model",
              "seed",
              "cells",
              "resources",
              "activities",
              "planned",
              "parameters",
              "run_ms",
              "time",
              "statistics",
              "spans_over",
              "spans_open",
              "final",
              "waiting"};
    case ReportKind::kJointRun:
      return {"model",
              "seed",
              "equations",
              "states",
              "inputs",
              "atomic_models",
              "cells",
              "resources",
              "activities",
              "planned",
              "parameters",
              "make_ms",
              "run_ms",
              "time",
              "statistics",
              "spans_over",
              "spans_open",
              "final",
              "waiting"};
    case ReportKind::kOther:
      break;
  }
  return {};
}

}  // namespace

std::string JsonReport(const Error& error, ReportKind kind) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  if (diagnostics.empty()) {
    diagnostics.push_back({.message = error.what()});
  }
  const auto first =
      std::ranges::find(diagnostics, Severity::kError, &Diagnostic::severity);
  Json json = {
      {"status", "error"},
      {"message", first == diagnostics.end() ? error.what() : first->message}};
  for (const char* key : KeysOf(kind)) {
    json[key] = nullptr;
  }
  json["diagnostics"] = internal::DiagnosticsAsJson(diagnostics);
  return internal::Print(json);
}

}  // namespace orrery
