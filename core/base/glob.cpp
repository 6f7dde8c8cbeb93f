// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/glob.h"

#include <algorithm>
#include <optional>

namespace lockscope {

namespace {

/// One element of a pattern: its length, and whether it accepts a byte.
struct Step
{
    qsizetype length;
    bool accepts;
};

/// "[…]" at the front of `pattern`. An unclosed set reaches to the end, as in Redis.
Step matchSet(QByteArrayView pattern, char c)
{
    qsizetype i = 1;
    const bool negated = i < pattern.size() && pattern[i] == '^';
    if (negated)
        ++i;
    bool found = false;
    for (; i < pattern.size() && pattern[i] != ']'; ++i) {
        if (pattern[i] == '\\' && i + 1 < pattern.size()) {
            ++i;
            found = found || pattern[i] == c;
        } else if (i + 2 < pattern.size() && pattern[i + 1] == '-') {
            // By value: std::minmax of two temporaries would leave references to what is gone.
            const auto bounds =
                std::minmax({static_cast<uchar>(pattern[i]), static_cast<uchar>(pattern[i + 2])});
            const auto byte = static_cast<uchar>(c);
            found = found || (byte >= bounds.first && byte <= bounds.second);
            i += 2;
        } else {
            found = found || pattern[i] == c;
        }
    }
    return {std::min(i + 1, pattern.size()), found != negated};
}

Step matchOne(QByteArrayView pattern, char c)
{
    switch (pattern[0]) {
    case '?':
        return {1, true};
    case '[':
        return matchSet(pattern, c);
    case '\\':
        if (pattern.size() > 1)
            return {2, pattern[1] == c};
        [[fallthrough]];
    default:
        return {1, pattern[0] == c};
    }
}

QList<QByteArray> literalParts(QByteArrayView pattern)
{
    QList<QByteArray> parts{QByteArray()};
    while (!pattern.isEmpty()) {
        qsizetype used = 1;
        if (pattern[0] == '*' || pattern[0] == '?' || pattern[0] == '[') {
            if (pattern[0] == '[')
                used = matchSet(pattern, 0).length;
            parts.append(QByteArray());
        } else if (pattern[0] == '\\' && pattern.size() > 1) {
            parts.last() += pattern[1];
            used = 2;
        } else {
            parts.last() += pattern[0];
        }
        pattern = pattern.sliced(used);
    }
    return parts;
}

} // namespace

bool globMatches(QByteArrayView pattern, QByteArrayView text)
{
    // Only the last star needs to be remembered: an earlier one can't do better by taking more.
    std::optional<QByteArrayView> afterStar;
    qsizetype starText = 0;
    qsizetype at = 0;
    for (;;) {
        if (!pattern.isEmpty() && pattern[0] == '*') {
            pattern = pattern.sliced(1);
            if (pattern.isEmpty())
                return true; // whatever is left, and names may have megabytes
            afterStar = pattern;
            starText = at;
            continue;
        }
        if (pattern.isEmpty() && at == text.size())
            return true;
        if (!pattern.isEmpty() && at < text.size()) {
            const Step step = matchOne(pattern, text[at]);
            if (step.accepts) {
                pattern = pattern.sliced(step.length);
                ++at;
                continue;
            }
        }
        if (!afterStar || starText == text.size())
            return false;
        pattern = *afterStar;
        ++starText;
        if (!isSpecialInGlob(pattern[0])) {
            starText = text.indexOf(pattern[0], starText);
            if (starText < 0)
                return false;
        }
        at = starText;
    }
}

bool globMatchesAny(const QList<QByteArray> &patterns, QByteArrayView text)
{
    return std::ranges::any_of(patterns,
                               [text](const QByteArray &pattern) { return globMatches(pattern, text); });
}

QByteArray escapedGlob(const QByteArray &literal)
{
    QByteArray out;
    for (const char c : literal) {
        if (isSpecialInGlob(c))
            out += '\\';
        out += c;
    }
    return out;
}

QByteArray literalPrefix(QByteArrayView pattern)
{
    return literalParts(pattern).front();
}

QByteArray coveringGlob(const QList<QByteArray> &patterns)
{
    if (patterns.isEmpty())
        return {};
    if (patterns.size() == 1)
        return patterns.front() == "*" ? QByteArray() : patterns.front();
    const auto inEvery = [&patterns](const QByteArray &part) {
        return std::ranges::all_of(patterns, [&part](const QByteArray &pattern) {
            return std::ranges::any_of(literalParts(pattern),
                                       [&part](const QByteArray &p) { return p.contains(part); });
        });
    };
    QByteArray best;
    for (const QByteArray &part : literalParts(patterns.front())) {
        for (qsizetype from = 0; from < part.size(); ++from) {
            for (qsizetype length = part.size() - from; length > best.size(); --length) {
                if (inEvery(part.sliced(from, length)))
                    best = part.sliced(from, length);
            }
        }
    }
    return best.isEmpty() ? QByteArray() : '*' + escapedGlob(best) + '*';
}

} // namespace lockscope
