// SPDX-License-Identifier: MIT
#include "support/processor_time.h"

#if defined(_WIN32)
#include <windows.h>
#else
#include <ctime>
#endif

namespace marrow::timing {

#if defined(_WIN32)
// std::clock is the time of the wall there.
double processor_seconds() {
  FILETIME created, ended, kernel, user;
  if (!GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user)) return 0.0;
  const auto seconds = [](const FILETIME& time) {
    return (time.dwHighDateTime * 4294967296.0 + time.dwLowDateTime) * 1e-7;
  };
  return seconds(kernel) + seconds(user);
}
#else
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
#endif

}  // namespace marrow::timing
