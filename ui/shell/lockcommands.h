// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/watch/watchsource.h"

#include <QObject>

#include <functional>

class QAction;

namespace lockscope {

class EventsPanel;
class FileExporter;
class InspectorPanel;
class LocksPage;
class MainActions;
class Picture;
class Replay;
class ServerProfileController;
class Session;
class StatisticsPanel;

/// What the window's commands do with the locks of a page, short of changing them: which of them make sense now, what is copied,
/// exported, or asked of the server on demand.
class LockCommands : public QObject
{
    Q_OBJECT

public:
    /// Of what the page is made. All must outlive this.
    struct Page
    {
        QString serverName;
        MainActions &commands;
        LocksPage &locks;
        InspectorPanel &inspector;
        EventsPanel &events;
        const Picture &picture;
        const WatchSource &source;
        ServerProfileController &notes;
        Session *session = nullptr; ///< or
        Replay *replay = nullptr;
        QWidget *widget = nullptr;
    };
    explicit LockCommands(const Page &page);

    /// Enables what makes sense now.
    void update(bool isEstablished, bool isRecording);
    /// Why nothing may be changed here; empty: it may.
    QString whyBlocked() const;
    bool isReadOnly() const;
    /// Copies what would grant the permissions that are missing.
    QAction *copyGrant() const { return m_copyGrant; }
    void exportStatistics(StatisticsPanel &statistics);

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
    void showRawValue();
    void showFamilies();
    ServerAddress serverToAsk(const LockKey &key) const;

    const Page m_page;
    QAction *m_copyGrant;
    FileExporter *m_exporter;
};

} // namespace lockscope
