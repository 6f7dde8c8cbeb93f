// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/top/scrolledpage.h"
#include "core/act/actionguard.h"
#include "core/act/actionseries.h"
#include "core/table/displayclock.h"

#include <QObject>

#include <functional>
#include <memory>

namespace lockscope {

/// Asks before locks are force-expired as they were seen, sends a request for each, and shows the results. What
/// has to be typed is by the guard: the lock's or, for several, the server's name in production, otherwise "yes".
class ForceExpirePrompt : public QObject
{
    Q_OBJECT

public:
    /// Returns nullptr for a lock that is gone.
    using Find = std::function<const WatchedLock *(const LockKey &)>;

    /// `seen` must not be empty. `serverName`: for errors. `clock` must outlive this.
    ForceExpirePrompt(QList<WatchedLock> seen, ActionGuard guard, ActionSeries::Run run, QString serverName,
                      const DisplayClock &clock, Find find);

    /// Returns false once it is over: the user canceled, or has read the results.
    bool press(const Key &key);
    /// Leaves the second row blank.
    void paint(Screen &screen, int top, int rows);
    /// True while requests are under way or were sent.
    bool hasBegun() const { return m_series != nullptr; }

signals:
    void changed();  ///< a result arrived
    void begun();    ///< before the first request
    void finished(); ///< all requests have their results, or are not sent

private:
    bool isSeveral() const { return m_seen.size() > 1; }
    QString wordToType() const;
    QString changeSince(const WatchedLock &seen) const;
    QList<PageLine> lines() const;
    PageLine lineOf(qsizetype index) const;
    void begin();

    const QList<WatchedLock> m_seen;
    const ActionGuard m_guard;
    const ActionSeries::Run m_run;
    const QString m_serverName;
    const DisplayClock &m_clock;
    const Find m_find;
    EditedLine m_typed;
    bool m_isWrong = false; ///< Enter was pressed behind another text
    ScrolledPage m_page;
    std::unique_ptr<ActionSeries> m_series;
};

} // namespace lockscope
