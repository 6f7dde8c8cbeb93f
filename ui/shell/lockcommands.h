// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/watch/monitorsource.h"
#include "ui/widgets/incidentsummary.h"

#include <QObject>

#include <functional>
#include <optional>

class QAction;

namespace lockscope {

class EventsPanel;
class FileExporter;
class InspectorPanel;
class LocksPage;
class MainActions;
class DisplayedState;
class Replay;
class ServerProfileController;
class Session;
class StatisticsPanel;

/// The window's commands on the locks of a page, except those that change locks: enabling, copying,
/// exporting, and reads on demand.
class LockCommands : public QObject
{
    Q_OBJECT

public:
    /// The parts of the page. All must outlive this.
    struct Page
    {
        QString serverName;
        MainActions &commands;
        LocksPage &locks;
        InspectorPanel &inspector;
        EventsPanel &events;
        const DisplayedState &picture;
        const MonitorSource &source;
        ServerProfileController &notes;
        Session *session = nullptr; ///< nullptr in a recording
        Replay *replay = nullptr;
        QWidget *widget = nullptr;
    };
    explicit LockCommands(const Page &page);

    void update(bool isEstablished, bool isRecording);
    /// Returns why changes are not allowed; empty if they are.
    QString whyBlocked() const;
    bool isReadOnly() const;
    /// Returns the action that copies the ACL rule for missing permissions.
    QAction *copyGrant() const { return m_copyGrant; }
    void exportStatistics(StatisticsPanel &statistics);
    /// Does nothing without one.
    void copySummary(const std::optional<IncidentSummary> &summary);

signals:
    void flashed(const QString &text);

private:
    void connectCopies();
    void connectSession();
    void exportLocks(bool areSelected);
    void exportEvents();
    template <typename Export>
    void write(Export picture);
    bool canExport();
    void copyLink();
    void showRawValue();
    void showFamilies();
    ServerAddress serverToAsk(const LockKey &key) const;

    const Page m_page;
    QAction *m_copyGrant;
    FileExporter *m_exporter;
};

} // namespace lockscope
