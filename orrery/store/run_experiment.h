#pragma once

#include <cstdint>
#include <string_view>

#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/store_file.h"

namespace orrery::store::internal {

// The course of an experiment: see ExperimentStore.

[[nodiscard]] ExperimentId BeginExperiment(StoreFile& file,
                                           const NewExperiment& experiment);

void ResumeExperiment(StoreFile& file, ExperimentId id);

void FinishExperiment(StoreFile& file,
                      ExperimentId id,
                      const ExperimentEnd& end);

void SetRunsAsked(StoreFile& file, ExperimentId id, std::int64_t runs);

void SetDocument(StoreFile& file, ExperimentId id, std::string_view document);

void AppendLog(StoreFile& file, ExperimentId id, std::string_view text);

}  // namespace orrery::store::internal
