#pragma once

#include <memory>
#include <string>

#include "orrery/store/internal/database.h"
#include "orrery/store/store.h"

namespace orrery::store::internal {

/// Opens a store; creates it if it does not exist and `options` allow writing.
/// @param path name of the file in messages.
/// @param file its absolute path, with links followed.
/// @throws Error as ExperimentStore's constructor does.
[[nodiscard]] std::unique_ptr<Database> OpenStore(const std::string& path,
                                                  const std::string& file,
                                                  const StoreOptions& options);

}  // namespace orrery::store::internal
