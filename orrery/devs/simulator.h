#pragma once

// Everything to write DEVS models and to run them.

#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/modeling/short_forms.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/simulation/time_average.h"
#include "orrery/devs/simulation/trace.h"
