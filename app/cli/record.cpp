// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/record.h"

#include "app/cli/json.h"
#include "app/cli/sweep.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"

#include <QFile>
#include <QLocale>
#include <QTimer>

#include <limits>
#include <utility>

namespace lockscope {

namespace {

Session::Options recordedSession(const Options &options)
{
    return {.monitor = monitorOptions(options), .readOnly = true, .auditPath = {}};
}

} // namespace

RecordCommand::RecordCommand(Options options)
    : Command(std::move(options), true), m_session(this->options().server, recordedSession(this->options()))
{
    connect(&m_session, &Session::statusChanged, this, &RecordCommand::statusChanged);
    connect(&m_session, &Session::errorOccurred, this, &RecordCommand::errorOccurred);
}

void RecordCommand::start()
{
    const RecordingRequest &request = options().recording;
    const QString path = QFile::decodeName(request.file);
    auto recorder =
        Recorder::begin(m_session, path, {.limit = request.limit, .isAnonymous = request.isAnonymous});
    if (!recorder)
        return finishWithout(ExitStatus::NotWritten, inWords(recorder.error()));
    m_recorder = std::move(*recorder);
    connect(m_recorder.get(), &Recorder::failed, this, [this](const Error &why) {
        m_cannotWrite = true;
        console::setFieldError(
            Words::tr("writing failed, and is tried again every few seconds: %1").arg(inWords(why)));
    });
    connect(m_recorder.get(), &Recorder::resumed, this, [this] {
        m_cannotWrite = false;
        console::setFieldError(Words::tr("recording again; the gap is recorded"));
    });
    const console::Written written = console::out(
        options().json ? jsonLine({{QStringLiteral("event"), QStringLiteral("recording")},
                                   {QStringLiteral("file"), path}})
                       : Words::tr("Recording to %1").arg(printable(path.toUtf8())).toUtf8() + '\n');
    if (const ExitStatus status = exitStatusOf(written, ExitStatus::Done); status != ExitStatus::Done)
        return finish(status);
    if (const auto duration = options().duration) {
        const milliseconds longest(std::numeric_limits<int>::max()); // a QTimer takes no more: 24 days
        QTimer::singleShot(std::min(*duration, longest), this, &RecordCommand::end);
    }
    if (isFullSpeed(options()))
        m_session.scanNow();
    m_session.open();
}

void RecordCommand::statusChanged(const ConnectionStatus &status)
{
    if (status.state == Link::State::Ready)
        return m_toldTrouble.reset();
    if (status.state == Link::State::Refused || status.state == Link::State::Closed)
        return fail(status.error); // no further tries
    if (status.state == Link::State::Backoff)
        tellTrouble(status.error);
}

void RecordCommand::errorOccurred(const Error &why)
{
    tellTrouble(why);
}

void RecordCommand::tellTrouble(const Error &why)
{
    if (!isFinished() && std::exchange(m_toldTrouble, why.kind) != why.kind)
        console::setFieldError(describe(why, serverName()));
}

void RecordCommand::end()
{
    if (isFinished() || !m_recorder)
        return finish(ExitStatus::Done);
    const RecordingTotals totals = m_recorder->finish();
    const QByteArray result = options().json ? jsonLine({{QStringLiteral("event"), QStringLiteral("ended")},
                                                         {QStringLiteral("events"), totals.events},
                                                         {QStringLiteral("lost"), totals.lost},
                                                         {QStringLiteral("bytes"), totals.bytes}})
                                             : Words::tr("Events recorded: %1; lost: %2; written: %3")
                                                       .arg(grouped(totals.events), grouped(totals.lost),
                                                            QLocale::c().formattedDataSize(totals.bytes))
                                                       .toUtf8() +
                                                   '\n';
    const ExitStatus status = deliver(result, ExitStatus::Done);
    finish(m_cannotWrite ? ExitStatus::NotWritten : status);
}

} // namespace lockscope
