#pragma once

#include <memory>
#include <string>

#include "orrery/base/source_file.h"
#include "orrery/results/csv_writer.h"  // IWYU pragma: export
#include "orrery/results/table.h"       // IWYU pragma: export

namespace orrery {

/// Reads a table of numbers as spreadsheets and programs write it: separated by
/// commas, semicolons (then with decimal point or comma) or tabs, whichever the
/// first line has; lines end with LF or CRLF; blank lines and lines that begin
/// with `#` are skipped; cells may be quoted.
///
/// The first line is a header unless all of it is numbers; columns without a
/// name are called `column1`, `column2`, ... A header `x [m]` names column `x`
/// of unit `m`; `u[3]`, without the space, is a name; times in a column `time
/// [ms]` are converted to seconds. Empty cells, `NA`, `N/A`, `nan` and `null`
/// are missing values; `true` and `false` are 1 and 0.
///
/// @throws Error kInvalidArgument with a diagnostic for each bad cell, row of
///     another length, second column of a name, unit of `time` that is none of
///     time, or for a file without rows.
[[nodiscard]] Table ParseTable(std::shared_ptr<const SourceFile> source);

/// Likewise, from the file at `path`.
/// @throws Error kIo if it cannot be read.
[[nodiscard]] Table ReadTable(const std::string& path);

/// Like ParseTable, for values over time: if no column is called `time`, times
/// in the first one, as in `t [ms]`, are converted to seconds.
[[nodiscard]] Table ParseTableOverTime(
    std::shared_ptr<const SourceFile> source);

}  // namespace orrery
