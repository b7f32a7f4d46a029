#include "orrery/results/hdf5_library.h"

namespace orrery::results::internal {
namespace {

Hdf5Library Open() {
  const Hdf5Library library(
      DynamicLibrary(ORRERY_HDF5, "read or write HDF5 files"));
  library.H5open();  // Makes the ids of types and properties.
  return library;
}

}  // namespace

const Hdf5Library& Hdf5() {
  static const Hdf5Library library = Open();
  return library;
}

}  // namespace orrery::results::internal
