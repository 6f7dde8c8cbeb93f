// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recording/recordcontroller.h"

#include "core/base/printable.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"
#include "ui/recording/recorddialog.h"
#include "ui/widgets/dialogs.h"

#include <QDateTime>
#include <QLocale>
#include <QPointer>
#include <QThreadPool>

#include <utility>

namespace lockscope {

RecordController::RecordController(const MonitorSource &source, QString server, Known known, QWidget *window)
    : QObject(window),
      m_source(source),
      m_server(std::move(server)),
      m_known(std::move(known)),
      m_window(window)
{
}

RecordController::~RecordController() = default;

void RecordController::turn()
{
    if (isRecording())
        return stop();
    if (m_isBeginning)
        return;
    auto *dialog =
        new RecordDialog(m_server, m_window); // NOLINT(cppcoreguidelines-owning-memory): the window's
    connect(dialog, &RecordDialog::chosen, this, &RecordController::start);
    openDialog(dialog);
}

/// Opens the file on another thread, since the disk may be slow.
void RecordController::start(const QString &path, const RecordingOptions &options)
{
    if (isRecording() || std::exchange(m_isBeginning, true))
        return;
    m_path = path;
    QThreadPool::globalInstance()->start([self = QPointer(this), path, options] {
        auto begun = std::make_shared<Result<std::unique_ptr<RecordingWriter>>>(
            RecordingWriter::begin(path, options, Clock::now(), QDateTime::currentMSecsSinceEpoch()));
        // The program's object is there until its threads have ended.
        QMetaObject::invokeMethod(qApp, [self, begun] {
            if (!self)
                return;
            self->m_isBeginning = false;
            if (*begun)
                return self->begin(std::move(**begun));
            emit self->refused(tr("The recording could not begin. %1").arg(inWords(begun->error())));
            emit self->changed();
        });
    });
}

void RecordController::begin(std::unique_ptr<RecordingWriter> writer)
{
    const RecordedSnapshot known = m_known();
    m_totals = {};
    m_failure.reset();
    m_recorder = std::make_unique<Recorder>(m_source, std::move(writer), &known);
    connect(m_recorder.get(), &Recorder::progressed, this, [this](const RecordingTotals &totals) {
        m_totals = totals;
        emit changed();
    });
    connect(m_recorder.get(), &Recorder::failed, this, [this](const Error &why) {
        m_failure = why;
        emit changed();
    });
    connect(m_recorder.get(), &Recorder::resumed, this, [this] {
        m_failure.reset();
        emit changed();
    });
    // It is destroyed by what this calls.
    connect(m_recorder.get(), &Recorder::ended, this, &RecordController::finish, Qt::QueuedConnection);
    emit changed();
}

void RecordController::stop()
{
    if (m_recorder)
        m_recorder->end();
}

void RecordController::finish(const RecordingTotals &totals)
{
    m_totals = totals;
    m_recorder.reset();
    const QString lost = whatWasLost(totals);
    if (totals.isFailing)
        emit refused(lost);
    else
        emit ended(lost.isEmpty()
                       ? tr("Recorded to %1: %2")
                             .arg(printable(m_path.toUtf8(), 80), QLocale().formattedDataSize(totals.bytes))
                       : lost);
    m_failure.reset();
    emit changed();
}

QString RecordController::endNow()
{
    if (!m_recorder)
        return {};
    m_totals = m_recorder->finish();
    m_recorder.reset();
    m_failure.reset();
    return whatWasLost(m_totals);
}

QString RecordController::stateText() const
{
    if (!isRecording())
        return {};
    QStringList parts{m_failure ? tr("recording fails") : tr("recording"),
                      QLocale().formattedDataSize(m_totals.bytes)};
    if (m_totals.lost > 0)
        parts << tr("events lost: %1").arg(grouped(m_totals.lost));
    return parts.join(QStringLiteral(" · "));
}

QString RecordController::stateDetail() const
{
    if (!isRecording())
        return {};
    QStringList lines{
        Texts::tr("Recording to %1").arg(printable(m_path.toUtf8())),
        tr("Events recorded: %1; lost: %2").arg(grouped(m_totals.events), grouped(m_totals.lost))};
    if (m_failure)
        lines << tr("Writing failed; retrying. %1").arg(inWords(*m_failure));
    return lines.join(u'\n');
}

QString RecordController::whatWasLost(const RecordingTotals &totals) const
{
    if (totals.isFailing)
        return tr("The end of the recording was not written. %1").arg(inWords(totals.failure));
    if (totals.lost == 0)
        return {};
    return tr("Recorded to %1: %2; events lost: %3")
        .arg(printable(m_path.toUtf8(), 80), QLocale().formattedDataSize(totals.bytes), grouped(totals.lost));
}

} // namespace lockscope
