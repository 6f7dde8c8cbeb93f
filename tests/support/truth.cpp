// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/truth.h"

#include "core/family/certainty.h"
#include "tests/support/redisserver.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto tolerance = 50ms;
constexpr auto farAway =
    std::chrono::hours(24 * 365 * 50); // beyond it a clock's range is the limit, not the server

/// One key as the other client read it.
struct Found
{
    TimePoint asked;
    TimePoint heard;
    KeyType type = KeyType::Other;
    qint64 pttl = -1;
    QByteArrayList content;

    /// The owners of a lock with their counts as stored, as the published algorithms have them.
    QByteArrayList owners() const
    {
        QByteArrayList owners;
        if (type == KeyType::String && !content[0].isEmpty() && content[0].size() <= 512)
            return content;
        if (type != KeyType::Hash)
            return owners;
        const bool isAlone = content.size() == 2;
        bool anyCount = isAlone;
        bool areNamed = true;
        for (qsizetype i = 0; i + 1 < content.size(); i += 2) {
            owners << content[i] + '=' + content[i + 1];
            anyCount = anyCount || content[i + 1].toLongLong() > 0;
            areNamed = areNamed && content[i].contains(':');
        }
        std::ranges::sort(owners);
        return anyCount && (isAlone || areNamed)
                   ? owners
                   : QByteArrayList(); // a record that something counts in is none
    }
};

QByteArrayList ownersOf(const Lock &lock)
{
    QByteArrayList owners;
    for (const LockOwner &holder : knownOwners(lock))
        owners << (lock.type == KeyType::Hash ? holder.owner.bytes + '=' + holder.rawHoldCount
                                              : holder.owner.bytes);
    std::ranges::sort(owners);
    return owners;
}

QByteArray unspelled(const QByteArray &word)
{
    return QByteArray::fromHex(word.sliced(1));
}

QHash<QByteArray, Found> read(const ServerAddress &server, const QList<QByteArray> &patterns)
{
    QList<QByteArray> arguments{LOCKSCOPE_SOURCE_DIR "/tests/support/truth.py",
                                server.socketPath.toLocal8Bit(), QByteArray::number(server.database)};
    for (const QByteArray &pattern : patterns)
        arguments << pattern.toHex();
    const Ran ran = runProgram(QStringLiteral("/usr/bin/python3"), arguments);
    if (ran.exitCode != 0)
        qFatal("truth.py: %s", ran.err.constData());
    QHash<QByteArray, Found> found;
    for (const QByteArray &line : ran.out.split('\n')) {
        const QByteArrayList words = line.split(' ');
        if (words.size() < 5)
            continue;
        Found key;
        key.asked = TimePoint(std::chrono::nanoseconds(words[0].toLongLong()));
        key.heard = TimePoint(std::chrono::nanoseconds(words[1].toLongLong()));
        key.type = words[3] == "hash"     ? KeyType::Hash
                   : words[3] == "string" ? KeyType::String
                   : words[3] == "zset"   ? KeyType::SortedSet
                   : words[3] == "set"    ? KeyType::Set
                                          : KeyType::Other;
        key.pttl = words[4].toLongLong();
        for (const QByteArray &word : words.sliced(5))
            key.content << unspelled(word);
        found.insert(unspelled(words[2]), key);
    }
    return found;
}

QByteArray inMs(Clock::duration time)
{
    return QByteArray::number(std::chrono::duration<double, std::milli>(time).count(), 'f', 1) + " ms";
}

/// What differs; empty where nothing does.
QByteArray difference(const Lock &lock, const Found &found)
{
    if (lock.type != found.type)
        return "type " + QByteArray::number(int(lock.type)) + ", is " + QByteArray::number(int(found.type));
    if (ownersOf(lock) != found.owners())
        return "owners " + ownersOf(lock).join(',') + ", are " + found.owners().join(',');
    if (lock.deadline.has_value() != (found.pttl >= 0))
        return lock.deadline ? "a deadline, has none" : "no deadline, has one";
    if (!lock.deadline || std::chrono::milliseconds(found.pttl) > farAway)
        return {};
    const TimePoint earliest = found.asked + std::chrono::milliseconds(found.pttl);
    const TimePoint latest = found.heard + std::chrono::milliseconds(found.pttl + 1);
    if (lock.deadline->earliest > latest + tolerance)
        return "ends " + inMs(lock.deadline->earliest - latest) + " too late";
    if (lock.deadline->latest + tolerance < earliest)
        return "ends " + inMs(earliest - lock.deadline->latest) + " too early";
    return {};
}

} // namespace

QByteArrayList differencesFromTruth(const ServerAddress &server, const QList<QByteArray> &patterns,
                                    const QHash<QByteArray, Lock> &held)
{
    const TimePoint begun = Clock::now();
    const QHash<QByteArray, Found> truth = read(server, patterns);
    const TimePoint ended = Clock::now();
    QByteArrayList differences;
    for (auto at = held.begin(); at != held.end(); ++at) {
        const std::optional<Deadline> &deadline = at->deadline;
        const auto found = truth.constFind(at.key());
        if (found == truth.cend()) {
            if (!deadline || deadline->earliest > ended + tolerance)
                differences << at.key() + ": is not there";
            continue;
        }
        if (const QByteArray what = difference(*at, *found); !what.isEmpty())
            differences << at.key() + ": " + what;
        if (deadline && deadline->latest + tolerance < begun)
            differences << at.key() + ": should have ended " + inMs(begun - deadline->latest) + " ago";
    }
    for (auto at = truth.begin(); at != truth.end(); ++at) {
        if (!held.contains(at.key()))
            differences << at.key() + ": is missing";
    }
    return differences;
}

} // namespace lockscope
