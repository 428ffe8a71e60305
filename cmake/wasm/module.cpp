// SPDX-License-Identifier: MIT
// The module has no code of its own: it exports the C ABI, which the linker takes from the library.
