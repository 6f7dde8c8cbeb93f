// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recorder.h"
#include "core/watch/watchsource.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

namespace lockscope {

/// Records what a page's session tells, from the command to the dialog to the file. One of one page. Nothing of it waits for the
/// disk but its end.
class RecordController : public QObject
{
    Q_OBJECT

public:
    /// What the page knows when the recording begins.
    using Known = std::function<RecordedPicture()>;

    /// `source` and `window` must outlive this. `server`: as the user calls it.
    RecordController(const WatchSource &source, QString server, Known known, QWidget *window);
    ~RecordController() override;

    /// Asks where to, and begins; or stops.
    void turn();
    void start(const QString &path, const RecordingOptions &options);
    void stop();
    /// The same at once, which waits for the disk. What was lost, in a sentence; empty: nothing.
    QString endNow();

    bool isRecording() const { return m_recorder != nullptr; }
    /// "recording · 12 MB", and in a few lines; empty while nothing is recorded.
    QString stateText() const;
    QString stateDetail() const;

signals:
    void changed(); ///< any of the above
    /// It could not begin, or its end could not be written: a sentence.
    void refused(const QString &why);
    /// It has ended: what it came to, in a line.
    void ended(const QString &text);

private:
    void begin(std::unique_ptr<RecordingWriter> writer);
    void finish(const RecordingTotals &totals);
    QString whatWasLost(const RecordingTotals &totals) const;

    const WatchSource &m_source;
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
