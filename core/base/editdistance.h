// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace lockscope {

/// Returns how many characters to insert, delete or replace (Levenshtein); for lengths that differ a lot, any large
/// number.
inline qsizetype editDistance(QByteArrayView from, QByteArrayView to)
{
    if (from.size() > 2 * to.size())
        return from.size();
    std::vector<qsizetype> row(size_t(to.size()) + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 1; i <= from.size(); ++i) {
        qsizetype diagonal = std::exchange(row[0], i);
        for (size_t j = 1; j < row.size(); ++j) {
            const bool isSame = from[i - 1] == to[qsizetype(j) - 1];
            const qsizetype least = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (isSame ? 0 : 1)});
            diagonal = std::exchange(row[j], least);
        }
    }
    return row.back();
}

} // namespace lockscope
