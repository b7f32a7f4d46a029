#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/store_file.h"

namespace orrery::store::internal {

// The experiments of a store with their records: see ExperimentStore.

[[nodiscard]] std::vector<ExperimentInfo> ListExperiments(
    StoreFile& file, const ExperimentFilter& filter);

[[nodiscard]] ExperimentRecord ReadRecord(StoreFile& file, ExperimentId id);

void AddTag(StoreFile& file, ExperimentId id, const std::string& tag);

void RemoveTag(StoreFile& file, ExperimentId id, const std::string& tag);

void SetNotes(StoreFile& file, ExperimentId id, const std::string& notes);

/// Deletes all of them or none.
void DeleteExperiments(StoreFile& file, std::span<const ExperimentId> ids);

}  // namespace orrery::store::internal
