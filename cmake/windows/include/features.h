// SPDX-License-Identifier: MIT
// What musl's sources ask for, and mingw-w64 does not have.
#pragma once
