// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/parserguard.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

int lineOfTooManyDots(QByteArrayView text)
{
    constexpr int maxDots = 24;
    int line = 1;
    int dots = 0;
    for (const char c : text) {
        dots = c == '\n' ? 0 : dots + (c == '.');
        line += c == '\n';
        if (dots > maxDots)
            return line;
    }
    return 0;
}

/// The first byte beyond ASCII outside quotes and comments; absent: none.
std::optional<qsizetype> strayByte(QByteArrayView text)
{
    constexpr QByteArrayView mark = "\xef\xbb\xbf"; // of UTF-8, which may begin a file
    char quote = 0;
    bool isLong = false; // in three quotes
    bool isComment = false;
    for (qsizetype i = text.startsWith(mark) ? mark.size() : 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool isThree = i + 2 < text.size() && text[i + 1] == c && text[i + 2] == c;
        if (c == '\n') {
            isComment = false;
            quote = isLong ? quote : char(0);
        } else if (isComment) {
            continue;
        } else if (quote != 0) {
            if (c == '\\' && quote == '"' && i + 1 < text.size() && text[i + 1] != '\n')
                ++i;
            else if (c == quote && (!isLong || isThree)) {
                i += std::exchange(isLong, false) ? 2 : 0;
                quote = 0;
            }
        } else if (c == '"' || c == '\'') {
            quote = c;
            isLong = isThree;
            i += isLong ? 2 : 0;
        } else if (c < 0) {
            return i;
        } else {
            isComment = c == '#';
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<FileFault> faultForParser(QByteArrayView text)
{
    if (text.size() > FamilyFile::longest)
        return FileFault{0, 0,
                         Phrase(QT_TRANSLATE_NOOP("phrases", "the file is larger than %1 KiB"),
                                FamilyFile::longest / 1024)};
    if (const int line = lineOfTooManyDots(text))
        return FileFault{line, 0, Phrase(QT_TRANSLATE_NOOP("phrases", "too many dots in one line"))};
    const std::optional<qsizetype> at = strayByte(text);
    if (!at)
        return std::nullopt;
    const QByteArrayView before = text.first(*at);
    const auto column = std::find(before.rbegin(), before.rend(), '\n') - before.rbegin() + 1;
    return FileFault{
        static_cast<int>(std::ranges::count(before, '\n')) + 1, static_cast<int>(column),
        Phrase(QT_TRANSLATE_NOOP("phrases", "expected %1"),
               Phrase(QT_TRANSLATE_NOOP("phrases", "such letters in quotes or comments alone")))};
}

} // namespace lockscope
