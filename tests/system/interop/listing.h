// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/system/cliprogram.h"

#include <algorithm>

namespace lockscope {

/// Returns the locks of `list --json` for a pattern; after a failure an array with its output.
inline QJsonArray locksUnder(const RedisServer &server, const QByteArray &pattern)
{
    const Ran ran = CliProgram::on(server, {"list", "--json", "--pattern", pattern});
    if (ran.exitCode != 0)
        return {QString::fromUtf8(reported(ran))};
    return jsonIn(ran.out)[QLatin1String("locks")].toArray();
}

inline QByteArray compact(const QJsonArray &array)
{
    return QJsonDocument(array).toJson(QJsonDocument::Compact);
}

/// The expected values of an owner.
struct ToldOwner
{
    QByteArray id;
    qint64 holds = 0; ///< 0: not compared
    QString mode = {};
};

inline bool isToldAs(const QJsonObject &owner, const ToldOwner &expected)
{
    const QByteArray exact =
        owner.contains(QLatin1String("id_base64"))
            ? QByteArray::fromBase64(owner[QLatin1String("id_base64")].toString().toLatin1())
            : owner[QLatin1String("id")].toString().toUtf8();
    return exact == expected.id &&
           (expected.holds == 0 || owner[QLatin1String("holds")].toInteger() == expected.holds) &&
           (expected.mode.isEmpty() || owner[QLatin1String("mode")].toString() == expected.mode);
}

/// True if the same owners are listed in any order.
inline bool areToldAs(const QJsonArray &owners, const QList<ToldOwner> &expected)
{
    return owners.size() == expected.size() && std::ranges::all_of(expected, [&owners](const ToldOwner &one) {
               return std::any_of(owners.begin(), owners.end(), [&one](const QJsonValue &owner) {
                   return isToldAs(owner.toObject(), one);
               });
           });
}

/// True if the time left is between the values that another client read before and after, within 1 s.
inline bool isTimeLeft(const QJsonObject &lock, qint64 before, qint64 after)
{
    constexpr qint64 slack = 1000;
    const qint64 ttl = lock[QLatin1String("ttl_ms")].toInteger();
    return ttl > 0 && ttl <= before + slack && ttl >= after - slack;
}

/// Verifies that there is one lock under the pattern, with this family and exactly these owners.
#define VERIFY_ONLY_LOCK(locks, expectedKey, expectedFamily, expectedOwners)                                 \
    do {                                                                                                     \
        QVERIFY2((locks).size() == 1, compact(locks).constData());                                           \
        const QJsonObject theLock = (locks)[0].toObject();                                                   \
        QCOMPARE(theLock[QLatin1String("key")].toString().toUtf8(), QByteArray(expectedKey));                \
        QCOMPARE(theLock[QLatin1String("family")].toString().toUtf8(), QByteArray(expectedFamily));          \
        QVERIFY2(areToldAs(theLock[QLatin1String("owners")].toArray(), (expectedOwners)),                    \
                 compact(locks).constData());                                                                \
    } while (false)

/// Returns the outcome of `force-expire`, or its output if exit code and outcome do not match.
inline QByteArray forceExpired(const RedisServer &server, const QByteArray &key, const QByteArrayList &owners)
{
    QByteArrayList words{"force-expire", key.toBase64(), "--base64", "--json"};
    for (const QByteArray &owner : owners)
        words << "--expect-owner" << owner.toBase64();
    const Ran ran = CliProgram::on(server, words);
    const QByteArray outcome = jsonIn(ran.out)[QLatin1String("outcome")].toString().toUtf8();
    return ran.exitCode == (outcome == "expired" ? 0 : 1) ? outcome : reported(ran);
}

/// Returns what Lockscope predicts for the lock's holder. "?NAME": for a candidate family.
inline QByteArray saidOfHolder(const RedisServer &server, const QByteArray &key, const QByteArray &family)
{
    const Ran ran = family.startsWith('?')
                        ? CliProgram::run({"family", "show", family.sliced(1), "--json"})
                        : CliProgram::on(server, {"get", key.toBase64(), "--base64", "--explain", "--json"});
    const QByteArray said = jsonIn(ran.out)[QLatin1String("holder_after_end")].toString().toUtf8();
    return said.isEmpty() ? reported(ran) : said;
}

/// Returns what the holder did, in the same words: the answer to its release while the next owner held the
/// lock, and whether that lock survived.
inline QByteArray seenOfHolder(const QByteArray &release, bool isNextOwnersLeft)
{
    if (!isNextOwnersLeft)
        return "deletes-next-lock";
    return release.startsWith("released") ? "unaware" : "fails-release";
}

} // namespace lockscope
