#include "statistics.h"

void statistics(const double* v,
                size_t n,
                int shift,
                double* mean,
                double* shifted,
                int* above,
                int* is_large) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    sum += v[i];
    shifted[i] = v[i] + shift;
  }
  *mean = sum / n;
  *above = 0;
  for (size_t i = 0; i < n; ++i)
    *above += v[i] > *mean;
  *is_large = sum > 5.2;
}
