#pragma once

#include "orrery/compile/equation_list.h"  // IWYU pragma: export
