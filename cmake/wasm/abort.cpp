// SPDX-License-Identifier: MIT
// The standard library says with printf why it gives up. In a module nobody reads that, and printf is all that is left of
// the standard streams.
#include <__verbose_abort>
#include <cstdlib>

extern "C" [[noreturn]] void abort_message(const char*, ...) { std::abort(); }

_LIBCPP_BEGIN_NAMESPACE_STD

void __libcpp_verbose_abort(const char*, ...) { std::abort(); }

_LIBCPP_END_NAMESPACE_STD
