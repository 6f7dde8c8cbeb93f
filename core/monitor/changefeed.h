// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"
#include "core/model/lockevent.h"
#include "core/redis/connection.h"
#include "core/redis/reply.h"
#include "core/watch/feedstatus.h"

#include <QObject>

#include <memory>

namespace lockscope {

/// Hears from the server which keys change, by a connection of its own, in the best way that the server offers for
/// each pattern (see Feed). Probes instead of assuming: a way counts when the server has accepted all of its commands.
/// Changes no setting of the server. Lives on the reader's thread.
class ChangeFeed : public QObject
{
    Q_OBJECT

public:
    /// `reader` is where the keys are read: keyed tracking tells of what was read there. It has to be ready when
    /// listen() is called, and to outlive the feed.
    explicit ChangeFeed(Link &reader, QObject *parent = nullptr);
    ~ChangeFeed() override;

    /// Finds out how the changes under these patterns can be heard, and listens. Also to begin anew.
    void listen(const QList<QByteArray> &patterns);
    void stop();
    /// Tries again what was refused for lack of permission. Unless `interrupts`, what is heard goes on to be heard: then only
    /// where a command that can be sent elsewhere says that it is permitted now.
    void retryForbidden(bool interrupts);

    /// What the server said to CLIENT CACHING, which goes before the reading of a key that is to be announced.
    void takeAnnouncement(const Reply &reply);

    /// It is known how changes are heard, be it by polling alone.
    bool isSettled() const;
    const FeedStatus &status() const;
    /// The best way by which changes of this key are heard.
    FeedMode routeOf(QByteArrayView key) const;

signals:
    /// From now on changes are heard as status() says: whatever changed before has to be read.
    void modesChosen();
    /// It can't be told yet how changes can be heard; it is tried on.
    void delayed();
    void statusChanged();
    /// These have changed, or are said to have.
    void heard(const QList<lockscope::LockKey> &keys);
    /// In this way a key has gone, whatever stood in it: before it is heard.
    void gone(const lockscope::LockKey &key, lockscope::EventKind how);
    /// Changes may not have been told: everything has to be read again.
    void gapDetected();
    /// What had changed by then has been told.
    void confirmed(lockscope::TimePoint at);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockscope
