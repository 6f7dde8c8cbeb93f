// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/slot.h"

#include <array>

namespace lockscope {

namespace {

constexpr std::array<quint16, 256> crcTable()
{
    constexpr unsigned polynomial = 0x1021;
    std::array<quint16, 256> table{};
    for (unsigned byte = 0; byte < table.size(); ++byte) {
        unsigned crc = byte << 8U;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ polynomial : crc << 1U;
        table[byte] = static_cast<quint16>(crc);
    }
    return table;
}

QByteArrayView hashedPart(QByteArrayView key)
{
    const qsizetype open = key.indexOf('{');
    if (open < 0)
        return key;
    const qsizetype close = key.indexOf('}', open + 1);
    return close <= open + 1 ? key : key.sliced(open + 1, close - open - 1);
}

} // namespace

int slotOf(QByteArrayView key)
{
    static constexpr auto table = crcTable();
    unsigned crc = 0;
    for (const char c : hashedPart(key))
        crc = ((crc << 8U) & 0xFFFFU) ^ table[((crc >> 8U) ^ static_cast<unsigned char>(c)) & 0xFFU];
    return static_cast<int>(crc % slotCount);
}

} // namespace lockscope
