#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orrery/store/experiment_record.h"
#include "orrery/store/internal/store_file.h"

namespace orrery::store::internal {

// Files that are attached to experiments: see ExperimentStore.

/// The attachments of an experiment, in alphabetical order.
[[nodiscard]] std::vector<AttachmentInfo> AttachmentsOf(const StoreFile& file,
                                                        ExperimentId id);

void StoreAttachment(StoreFile& file,
                     ExperimentId id,
                     const std::string& name,
                     const std::string& media_type,
                     std::string_view bytes);

void AppendAttachment(StoreFile& file,
                      ExperimentId id,
                      const std::string& name,
                      const std::string& media_type,
                      std::string_view bytes);

[[nodiscard]] std::string ReadAttachment(StoreFile& file,
                                         ExperimentId id,
                                         std::string_view name);

[[nodiscard]] std::string ReadAttachment(StoreFile& file,
                                         ExperimentId id,
                                         std::string_view name,
                                         const ByteRange& range);

}  // namespace orrery::store::internal
