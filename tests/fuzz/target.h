// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

/// What libFuzzer calls, and plaindriver.cpp as well. Each fuzz_*.cpp defines it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace lockscope {

/// The input as bytes.
inline QByteArrayView bytesOf(const uint8_t *data, size_t size)
{
    return {reinterpret_cast<const char *>(data),
            static_cast<qsizetype>(size)}; // NOLINT: libFuzzer's bytes are ours
}

/// A promise of the code under test that does not hold is a finding like a crash.
inline void insist(bool holds)
{
    if (!holds)
        std::abort();
}

} // namespace lockscope
