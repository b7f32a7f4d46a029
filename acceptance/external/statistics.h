#include <stddef.h>

void statistics(const double* v,
                size_t n,
                int shift,
                double* mean,
                double* shifted,
                int* above,
                int* is_large);
