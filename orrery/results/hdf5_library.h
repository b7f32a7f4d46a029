#pragma once

#include <hdf5.h>

#include "orrery/base/system/dynamic_library.h"

namespace orrery::results::internal {

// Functions that are used of the library of HDF5, and where it keeps the
// ids of types and properties, which exist once it is open.
#define ORRERY_HDF5_NAMES(X)      \
  X(H5Aclose)                     \
  X(H5Acreate2)                   \
  X(H5Aexists)                    \
  X(H5Aget_space)                 \
  X(H5Aget_type)                  \
  X(H5Aopen)                      \
  X(H5Aread)                      \
  X(H5Awrite)                     \
  X(H5Dclose)                     \
  X(H5Dcreate2)                   \
  X(H5Dget_space)                 \
  X(H5Dopen2)                     \
  X(H5Dread)                      \
  X(H5Dwrite)                     \
  X(H5Eget_auto2)                 \
  X(H5Eset_auto2)                 \
  X(H5Ewalk2)                     \
  X(H5Fclose)                     \
  X(H5Fcreate)                    \
  X(H5Fopen)                      \
  X(H5Gget_info)                  \
  X(H5Lcreate_hard)               \
  X(H5Lget_name_by_idx)           \
  X(H5Oget_info2)                 \
  X(H5P_CLS_FILE_CREATE_ID_g)     \
  X(H5Pclose)                     \
  X(H5Pcreate)                    \
  X(H5Pset_link_creation_order)   \
  X(H5Sclose)                     \
  X(H5Screate)                    \
  X(H5Screate_simple)             \
  X(H5Sget_simple_extent_ndims)   \
  X(H5Sget_simple_extent_npoints) \
  X(H5T_C_S1_g)                   \
  X(H5T_IEEE_F64LE_g)             \
  X(H5T_NATIVE_DOUBLE_g)          \
  X(H5Tclose)                     \
  X(H5Tcopy)                      \
  X(H5Tis_variable_str)           \
  X(H5Tset_cset)                  \
  X(H5Tset_size)                  \
  X(H5free_memory)                \
  X(H5open)

ORRERY_LIBRARY(Hdf5Library, ORRERY_HDF5_NAMES)

#undef ORRERY_HDF5_NAMES

/// The library of HDF5, which is opened when the first file is read or written:
/// with the libraries that it needs, for files in networks, it takes longer to
/// load than most commands take.
/// @throws Error kUnsupported if it cannot be opened.
const Hdf5Library& Hdf5();

}  // namespace orrery::results::internal
