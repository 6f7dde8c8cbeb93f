// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/words/actionpreview.h"

#include <QHash>
#include <QObject>
#include <QString>

#include <functional>

namespace lockscope {

/// What the user calls the processes that hold locks: an owner's id carries a UUID that only its process knows, so the user
/// says once whose it is, and every owner and waiter with it is shown by that name. Keeps nothing: whoever made it does.
class OwnerNames : public QObject
{
    Q_OBJECT

public:
    using ByClient = QHash<QByteArray, QString>;
    /// Longer names are cut: they stand in the columns of a table.
    static constexpr qsizetype longest = 60;

    using QObject::QObject;

    /// Where nobody has a name.
    static const OwnerNames &none();

    const ByClient &all() const { return m_names; }
    void setAll(const ByClient &names);
    /// An empty name takes it back.
    void setName(const QByteArray &client, const QString &name);
    QString nameOf(const QByteArray &client) const { return m_names.value(client); }

    /// "order-service-3 · thread 12"; the whole id, printable, where its process has no name.
    QString text(Family family, const LockKey &key, const OwnerId &owner) const;
    /// The same for the owners and waiters of one lock, for as long as these names live.
    OwnerLabeler callersOf(const Lock &lock) const;
    /// Those, in lower case, whose name is sought. For filters.
    QList<QByteArray> clientsCalled(const std::function<bool(const QString &name)> &isSought) const;

signals:
    void changed();

private:
    ByClient m_names;
};

/// The part of an owner's id that a user may give a name: its process or client; empty where it has none.
QByteArray clientOf(Family family, const LockKey &key, const OwnerId &owner);

} // namespace lockscope
