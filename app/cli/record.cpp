// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/json.h"
#include "app/cli/sessioncommand.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/recording/recorder.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

#include <QFile>
#include <QLocale>

#include <memory>
#include <utility>

namespace lockscope {

namespace {

class RecordCommand : public SessionCommand
{
public:
    explicit RecordCommand(Options options) : SessionCommand(std::move(options), Kind::Service) {}

    void start() override
    {
        const RecordingRequest &request = options().recording;
        const QString path = QFile::decodeName(request.file);
        auto recorder =
            Recorder::begin(session(), path, {.limit = request.limit, .isAnonymous = request.isAnonymous});
        if (!recorder)
            return finishWithout(ExitStatus::NotWritten, inWords(recorder.error()));
        m_recorder = std::move(*recorder);
        connect(m_recorder.get(), &Recorder::failed, this, [this](const Error &why) {
            m_cannotWrite = true;
            console::printError(Words::tr("writing failed, retrying: %1").arg(inWords(why)));
        });
        connect(m_recorder.get(), &Recorder::resumed, this, [this] {
            m_cannotWrite = false;
            console::printError(Words::tr("recording again, with a gap"));
        });
        const console::WriteResult written = console::out(
            options().json ? jsonLine({{QStringLiteral("event"), QStringLiteral("recording")},
                                       {QStringLiteral("file"), path}})
                           : Texts::tr("Recording to %1").arg(printable(path.toUtf8())).toUtf8() + '\n');
        if (const ExitStatus status = exitStatusOf(written, ExitStatus::Done); status != ExitStatus::Done)
            return finish(status);
        endInTime([this] { end(); });
        open();
    }

private:
    void take(const MonitorReport &) override {} // the recorder does
    void interrupted() override { end(); }

    void end()
    {
        if (isFinished() || !m_recorder)
            return finish(ExitStatus::Done);
        const RecordingTotals totals = m_recorder->finish();
        const QByteArray result = options().json
                                      ? jsonLine({{QStringLiteral("event"), QStringLiteral("ended")},
                                                  {QStringLiteral("events"), totals.events},
                                                  {QStringLiteral("lost"), totals.lost},
                                                  {QStringLiteral("bytes"), totals.bytes}})
                                      : Words::tr("Events recorded: %1; lost: %2; written: %3")
                                                .arg(grouped(totals.events), grouped(totals.lost),
                                                     QLocale::c().formattedDataSize(totals.bytes))
                                                .toUtf8() +
                                            '\n';
        const ExitStatus status = deliver(result, ExitStatus::Done);
        finish(m_cannotWrite || totals.isFailing ? ExitStatus::NotWritten : status);
    }

    std::unique_ptr<Recorder> m_recorder; // goes before the session, which it listens to
    bool m_cannotWrite = false;
};

} // namespace

std::unique_ptr<Command> recordCommand(const Options &options)
{
    return std::make_unique<RecordCommand>(options);
}

} // namespace lockscope
