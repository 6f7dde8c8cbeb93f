// SPDX-License-Identifier: GPL-3.0-or-later
// A server's page that is recorded to a file: what is known when that begins, and what is seen of it.
#include "ui/shell/monitorpage.h"

#include "core/base/printable.h"
#include "core/words/phrases.h"
#include "ui/actions/mainactions.h"
#include "ui/lockactions/outcomenotice.h"
#include "ui/locks/lockspage.h"
#include "ui/recording/recordcontroller.h"
#include "ui/shell/statusbar.h"

#include <QLocale>

namespace lockscope {

void MonitorPage::connectRecording()
{
    connect(m_commands.record, &QAction::triggered, m_recording, &RecordController::turn);
    connect(m_recording, &RecordController::changed, this, [this] {
        showRecording();
        updateCommands();
    });
    connect(m_recording, &RecordController::refused, this,
            [this](const QString &why) { m_outcomes->add(StatusColor::Danger, why); });
    connect(m_recording, &RecordController::ended, m_statusLine, &StatusBar::flash);
}

void MonitorPage::showRecording()
{
    if (!m_recording->isRecording())
        return m_statusLine->showRecording({}, {});
    const RecordingTotals &totals = m_recording->totals();
    QStringList parts{m_recording->failure() ? tr("recording fails") : tr("recording"),
                      QLocale().formattedDataSize(totals.bytes)};
    if (totals.lost > 0)
        parts << tr("events lost: %1").arg(grouped(totals.lost));
    QStringList lines{tr("Recording to %1").arg(printable(m_recording->path().toUtf8())),
                      tr("Events recorded: %1; lost: %2").arg(grouped(totals.events), grouped(totals.lost))};
    if (m_recording->failure())
        lines << tr("Writing failed, and is tried again every few seconds. %1")
                     .arg(inWords(*m_recording->failure()));
    m_statusLine->showRecording(parts.join(QStringLiteral(" · ")), lines.join(u'\n'));
}

/// The locks as they were told last, also while the picture is held still.
RecordedPicture MonitorPage::known() const
{
    RecordedPicture picture;
    picture.at = m_source->now();
    picture.wallMs = m_source->wallNow();
    picture.deadlocks = m_deadlocks;
    picture.watching = m_tracker->watching();
    HeldChanges held = m_held;
    const LockDiff since = held.take();
    QSet<LockKey> others(since.removed.begin(), since.removed.end());
    for (const WatchedLock &lock : since.changed)
        others.insert(lock.key());
    picture.locks = since.changed;
    m_locks->model().visitAll([&](const WatchedLock &lock) {
        if (!others.contains(lock.key()))
            picture.locks.append(lock);
    });
    return picture;
}

} // namespace lockscope
