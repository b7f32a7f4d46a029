#pragma once

#include "orrery/symbolic/print/print_latex.h"  // IWYU pragma: export
#include "orrery/symbolic/print/print_text.h"   // IWYU pragma: export
