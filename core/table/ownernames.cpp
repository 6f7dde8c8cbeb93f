// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/ownernames.h"

#include "core/base/printable.h"
#include "core/family/registry.h"

#include <algorithm>

namespace lockscope {

namespace {

/// Returns the place from which a text differs from the sorted ones, at most its size.
qsizetype differsFrom(const QString &text, const QStringList &others)
{
    const auto [same, after] = std::equal_range(others.begin(), others.end(), text);
    const auto commonWith = [&text](const QString &other) {
        return std::ranges::mismatch(text, other).in1 - text.begin();
    };
    return std::max(same == others.begin() ? 0 : commonWith(*(same - 1)),
                    after == others.end() ? 0 : commonWith(*after));
}

} // namespace

const OwnerNames &OwnerNames::none()
{
    static const OwnerNames nobody;
    return nobody;
}

void OwnerNames::setAll(const ByClient &names)
{
    if (names == m_names)
        return;
    m_names = names;
    emit changed();
}

void OwnerNames::setName(const QByteArray &client, const QString &name)
{
    const QString kept = name.simplified().left(longest);
    if (kept == nameOf(client))
        return;
    if (kept.isEmpty())
        m_names.remove(client);
    else
        m_names.insert(client, kept);
    emit changed();
}

QString OwnerNames::text(Family family, const LockKey &key, const OwnerId &owner) const
{
    if (m_names.isEmpty() && !specOf(family).ownersAreBytes)
        return ownerIdText(owner.bytes);
    const OwnerFacts facts = ownerFacts(family, key, owner);
    if (!facts.permit.isEmpty()) // raw bytes, which applications log so
        return QString::fromLatin1(facts.permit);
    const QString name = facts.client.isEmpty() ? QString() : nameOf(facts.client);
    if (name.isEmpty())
        return ownerIdText(owner.bytes);
    if (!facts.thread.isEmpty())
        return tr("%1 · thread %2").arg(name, printable(facts.thread, 40));
    // What else the id says: two workers of one process are two owners.
    QByteArray rest = owner.bytes;
    rest.replace(facts.client, QByteArray());
    while (rest.startsWith(':') || rest.startsWith('_'))
        rest.remove(0, 1);
    while (rest.endsWith(':') || rest.endsWith('_'))
        rest.chop(1);
    return rest.isEmpty() ? name : name + QStringLiteral(" · ") + printable(rest, 60);
}

OwnerLabeler OwnerNames::callersOf(const Lock &lock) const
{
    constexpr qsizetype most = 80;
    return [this, family = lock.family, key = lock.key()](const OwnerId &owner) {
        const QString called = text(family, key, owner);
        return called.size() > most ? called.left(most - 1) + QChar(0x2026) : called;
    };
}

QList<QByteArray> OwnerNames::clientsCalled(const std::function<bool(const QString &name)> &isSought) const
{
    QList<QByteArray> clients;
    for (auto name = m_names.begin(); name != m_names.end(); ++name) {
        if (isSought(*name))
            clients.append(name.key().toLower());
    }
    std::sort(clients.begin(), clients.end());
    return clients;
}

QString shortenedOwner(const QString &text, const QStringList &others, qsizetype most)
{
    constexpr qsizetype leastShown = 12, leastDifferent = 4;
    const qsizetype room = most - 1;
    if (text.size() <= most || room <= 0)
        return text;
    qsizetype from = differsFrom(text, others);
    const QString before = text.left(from);
    qsizetype part = 0; // the part that differs
    for (const QChar separator : {u':', u'@', u'/', u' '})
        part = std::max(part, before.lastIndexOf(separator) + 1);
    if (from - part <= leastShown - leastDifferent)
        from = part;
    const qsizetype head = std::max(room / 2, std::min(from + leastShown, text.size()));
    if (head <= room - room / 4)
        return text.left(head) + u'…' + text.right(room - head);
    const qsizetype tail = std::max(room - room / 2, text.size() - from);
    if (tail <= room)
        return text.left(room - tail) + u'…' + text.right(tail);
    return u'…' + text.mid(from, room - 1) + u'…';
}

QByteArray clientOf(Family family, const LockKey &key, const OwnerId &owner)
{
    return ownerFacts(family, key, owner).client;
}

} // namespace lockscope
