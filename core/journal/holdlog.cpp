// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/holdlog.h"

#include "core/base/printable.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr int version = 1;
constexpr qsizetype digestBytes = 16;
constexpr qsizetype digestText = 22; // of base64 without padding

std::optional<HoldLog::Hold> holdFrom(const QJsonValue &value)
{
    const HoldLog::Hold hold{value[0].toInteger(), value[1].toInteger()};
    return hold.sinceMs > 0 && hold.checks > 0 ? std::optional(hold) : std::nullopt;
}

} // namespace

QByteArray HoldLog::subject(const ServerAddress &server, const QList<QByteArray> &patterns)
{
    ServerAddress address = server;
    if (address.transport == ServerAddress::Transport::Unix)
        address.socketPath = QFileInfo(address.socketPath).absoluteFilePath();
    QStringList words{address.toUriWithoutPassword()};
    for (const QByteArray &pattern : patterns)
        words.append(lossless(pattern));
    return words.join(u' ').toUtf8();
}

tl::expected<std::optional<HoldLog>, Phrase> HoldLog::parse(const QByteArray &json, const QByteArray &subject)
{
    const QJsonObject document = QJsonDocument::fromJson(json).object();
    const QJsonValue written = document[QStringLiteral("version")];
    if (written.toInteger(written.isUndefined() ? 0 : version + 1) > version)
        return tl::unexpected(
            Phrase(QT_TRANSLATE_NOOP("phrases", "it was written by a newer Lockscope; use another file")));
    const QByteArray of = document[QStringLiteral("of")].toString().toUtf8();
    const qint64 at = document[QStringLiteral("at")].toInteger();
    if (written.toInteger() != version || of.isEmpty() || at <= 0)
        return std::optional<HoldLog>();
    if (of != subject)
        return tl::unexpected(
            Phrase(QT_TRANSLATE_NOOP("phrases", "it belongs to the checks of %1; use another file"),
                   printable(of, 200)));
    HoldLog memory(subject);
    memory.m_lastCheckMs = at;
    const QJsonObject holds = document[QStringLiteral("holds")].toObject();
    memory.m_holds.reserve(holds.size());
    for (auto each = holds.begin(); each != holds.end() && memory.m_holds.size() < maxHolds; ++each) {
        const std::optional<Hold> hold = holdFrom(each.value());
        if (!hold || each.key().size() != digestText)
            return std::optional<HoldLog>();
        memory.m_holds.insert(each.key().toLatin1(), {std::min(hold->sinceMs, at), hold->checks});
    }
    return memory;
}

QByteArray HoldLog::toJson() const
{
    QJsonObject holds;
    QList<QByteArray> ids = m_holds.keys();
    std::ranges::sort(ids); // in its own order: elsewhere an insertion moves all that follows
    for (const QByteArray &id : std::as_const(ids)) {
        const Hold hold = m_holds.value(id);
        holds.insert(QString::fromLatin1(id), QJsonArray{hold.sinceMs, hold.checks});
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("version"), version},
                                     {QStringLiteral("of"), QString::fromUtf8(m_subject)},
                                     {QStringLiteral("at"), m_lastCheckMs},
                                     {QStringLiteral("holds"), holds}})
               .toJson(QJsonDocument::Compact) +
           '\n';
}

void HoldLog::record(const QList<Lock> &locks, qint64 nowMs, bool isWhole)
{
    const qint64 setBack = std::max<qint64>(0, m_lastCheckMs - nowMs);
    QHash<QByteArray, Hold> before;
    before.swap(m_holds);
    for (Hold &hold : before)
        hold.sinceMs -= setBack;
    m_lastCheckMs = nowMs;
    for (const Lock &lock : locks) {
        for (const LockOwner &owner : lock.owners) {
            const QByteArray id = idOf(lock, owner);
            const Hold known = before.take(id);
            if (m_holds.size() < maxHolds || known.checks > 0)
                m_holds.insert(id, {known.checks > 0 ? known.sinceMs : nowMs, known.checks + 1});
        }
    }
    // A lock that could not be read may be held as before.
    for (auto hold = before.begin(); !isWhole && hold != before.end() && m_holds.size() < maxHolds; ++hold)
        m_holds.insert(hold.key(), *hold);
}

std::optional<HoldLog::Longest> HoldLog::longestOf(const Lock &lock) const
{
    std::optional<Longest> longest;
    for (const LockOwner &owner : lock.owners) {
        const auto hold = m_holds.find(idOf(lock, owner));
        if (hold != m_holds.end() && (!longest || hold->sinceMs < longest->hold.sinceMs))
            longest = {owner, *hold};
    }
    return longest;
}

QByteArray HoldLog::idOf(const Lock &lock, const LockOwner &owner)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArray::number(lock.key().bytes.size()) + ':');
    hash.addData(lock.key().bytes);
    hash.addData(owner.owner.bytes);
    return hash.result().first(digestBytes).toBase64(QByteArray::OmitTrailingEquals);
}

} // namespace lockscope
