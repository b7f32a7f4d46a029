#pragma once

namespace orrery::cli {

/// Becomes the program `orrery-X` in the folder of this one, for the command
/// `orrery X`: programs beside it are commands, too, as those of git are.
/// Returns if there is no such program.
void BecomeProgramBeside(int argc, char** argv);

}  // namespace orrery::cli
