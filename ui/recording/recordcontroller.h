// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recorder.h"
#include "core/watch/monitorsource.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

namespace lockscope {

/// The recording of a page's session, from command to dialog to file. Only its end waits for the disk.
class RecordController : public QObject
{
    Q_OBJECT

public:
    using Known = std::function<RecordedSnapshot()>;

    /// `source` and `window` must outlive this. `server`: the user's name.
    RecordController(const MonitorSource &source, QString server, Known known, QWidget *window);
    ~RecordController() override;

    /// Asks for a file and starts, or stops.
    void turn();
    void start(const QString &path, const RecordingOptions &options);
    void stop();
    /// Stops and waits for the disk. Returns a sentence on lost data; empty if none.
    QString endNow();

    bool isRecording() const { return m_recorder != nullptr; }
    /// "recording · 12 MB", and a few lines of details; empty without a recording.
    QString stateText() const;
    QString stateDetail() const;

signals:
    void changed();
    /// The recording could not start or its end could not be written; `why` is a sentence.
    void refused(const QString &why);
    void ended(const QString &text);

private:
    void begin(std::unique_ptr<RecordingWriter> writer);
    void finish(const RecordingTotals &totals);
    QString whatWasLost(const RecordingTotals &totals) const;

    const MonitorSource &m_source;
    const QString m_server;
    const Known m_known;
    QWidget *m_window;
    std::unique_ptr<Recorder> m_recorder;
    QString m_path;
    RecordingTotals m_totals;
    std::optional<Error> m_failure;
    bool m_isBeginning = false;
};

} // namespace lockscope
