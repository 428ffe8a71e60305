// SPDX-License-Identifier: MIT
// What musl's sources ask for, and mingw-w64 does not have.
#pragma once

#define __LITTLE_ENDIAN 1234
#define __BIG_ENDIAN 4321
#define __BYTE_ORDER __LITTLE_ENDIAN
