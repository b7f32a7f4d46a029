#pragma once

#include <memory>
#include <string>

#include "orrery/store/internal/database.h"
#include "orrery/store/store.h"

namespace orrery::internal {

/// Opens a store; creates it if it is not there and `options` allow to write.
/// @param path what messages call the file.
/// @param file its absolute path, with links followed.
/// @throws Error as ExperimentStore's constructor does.
[[nodiscard]] std::unique_ptr<Database> OpenStore(const std::string& path,
                                                  const std::string& file,
                                                  const StoreOptions& options);

}  // namespace orrery::internal
