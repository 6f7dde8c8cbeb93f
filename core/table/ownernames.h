// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/words/actionpreview.h"

#include <QHash>
#include <QObject>
#include <QString>

#include <functional>

namespace lockscope {

/// The user's names for holder processes: owner IDs carry a UUID that only the process knows. Names apply to
/// every owner and waiter with it. Stores nothing itself.
class OwnerNames : public QObject
{
    Q_OBJECT

public:
    using ByClient = QHash<QByteArray, QString>;
    /// Maximum length; longer names are cut to fit table columns.
    static constexpr qsizetype longest = 60;

    using QObject::QObject;

    static const OwnerNames &none();

    const ByClient &all() const { return m_names; }
    void setAll(const ByClient &names);
    /// Names a process; an empty name removes it.
    void setName(const QByteArray &client, const QString &name);
    QString nameOf(const QByteArray &client) const { return m_names.value(client); }

    /// Returns "order-service-3 · thread 12"; the full printable ID if its process has no name.
    QString text(Family family, const LockKey &key, const OwnerId &owner) const;
    /// Returns text() for the owners and waiters of one lock; valid while these names live.
    OwnerLabeler callersOf(const Lock &lock) const;
    /// Returns the processes whose name matches, in lower case, for filters.
    QList<QByteArray> clientsCalled(const std::function<bool(const QString &name)> &isSought) const;

signals:
    void changed();

private:
    ByClient m_names;
};

/// Cuts an owner's text to `most` characters. At least 12 characters stay from the part on in which it differs from
/// `others`, which are sorted and may contain it: its host, process or thread.
QString shortenedOwner(const QString &text, const QStringList &others, qsizetype most);

/// Returns the process or client part of an owner ID; empty if it has none.
QByteArray clientOf(Family family, const LockKey &key, const OwnerId &owner);

} // namespace lockscope
