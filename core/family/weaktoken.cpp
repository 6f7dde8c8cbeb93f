// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/weaktoken.h"

#include "core/family/ownerfacts.h"
#include "core/family/registry.h"
#include "core/family/shapes.h"
#include "core/family/statuswords.h"
#include "core/family/unwrap.h"
#include "core/model/lock.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype longestProcessId = 7; // Linux counts to 4,194,304
constexpr qsizetype secondsLength = 10;   // epoch seconds, from 2001 to 2286
constexpr qsizetype msLength = 13;

constexpr milliseconds soonestRenewal{500}; // of short leases a tenth
constexpr int soonestPart = 10;

/// True for epoch seconds with an optional fraction, or milliseconds.
bool isTime(QByteArrayView value)
{
    const qsizetype point = value.indexOf('.');
    const QByteArrayView whole = point < 0 ? value : value.first(point);
    if (!isDigits(whole) || whole[0] != '1' || (point >= 0 && !isDigits(value.sliced(point + 1))))
        return false;
    return whole.size() == secondsLength || (point < 0 && whole.size() == msLength);
}

/// True for {"locked":true}: no field distinguishes holders.
bool isRecordOfWords(QByteArrayView value)
{
    constexpr qsizetype longest = 256;
    if (value.size() > longest || !value.startsWith('{') || !value.endsWith('}'))
        return false;
    const QJsonObject object =
        QJsonDocument::fromJson(QByteArray::fromRawData(value.data(), value.size())).object();
    return !object.isEmpty() && std::ranges::all_of(object, [](const QJsonValue &field) {
        return field.isBool() || field.isNull() ||
               statusWord(field.toVariant().toString().toUtf8()) != StatusWord::None;
    });
}

} // namespace

WeakToken weakToken(const LockKey &key, QByteArrayView stored)
{
    const QByteArrayView value = unwrapped(stored).value_or(stored).trimmed();
    if (value.isEmpty())
        return WeakToken::No;
    const QByteArrayView name = unwrapped(key.bytes).value_or(key.bytes);
    if (statusWord(value) != StatusWord::None || value == name || isRecordOfWords(value))
        return WeakToken::Constant;
    if (isTime(value))
        return WeakToken::Time;
    return value.size() <= longestProcessId && isDigits(value) ? WeakToken::Number : WeakToken::No;
}

WeakToken weakTokenOf(const Lock &lock)
{
    const bool isOneValue =
        lock.type == KeyType::Hash ? lock.family == countedHash() : lock.type == KeyType::String;
    const AcquireSupport taking = specOf(lock.family).acquire;
    if (!isOneValue || lock.owners.size() != 1 || taking == AcquireSupport::NoOwners ||
        taking == AcquireSupport::IsJob)
        return WeakToken::No;
    return weakToken(lock.key(), lock.owners.front().owner.bytes);
}

bool mayRepeat(WeakToken weak)
{
    return weak == WeakToken::Constant || weak == WeakToken::Number;
}

bool mayRepeat(const Lock &lock)
{
    return mayRepeat(weakTokenOf(lock));
}

bool mayReturn(const Lock &lock)
{
    const FamilySpec &family = specOf(lock.family);
    if (family.threadIdentity || family.ownersAreProcesses)
        return !lock.owners.isEmpty();
    return std::ranges::any_of(lock.owners, [&](const LockOwner &holder) {
        const OwnerFacts facts = ownerFacts(lock.family, lock.key(), holder.owner);
        return !facts.sinceMs && !(facts.client.isEmpty() && facts.thread.isEmpty());
    });
}

bool mayHaveReturned(milliseconds after, milliseconds lease)
{
    return after < std::min(soonestRenewal, lease / soonestPart);
}

} // namespace lockscope
