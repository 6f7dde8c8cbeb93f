// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/keycommand.h"
#include "app/cli/sweep.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "app/words.h"
#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/draft.h"
#include "core/family/familycheck.h"
#include "core/family/familyfile.h"
#include "core/family/familykeys.h"
#include "core/family/mismatch.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/family/userfamilies.h"
#include "core/read/keycontents.h"
#include "core/words/durations.h"
#include "core/words/familymessages.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

#include <QDateTime>
#include <QFile>
#include <QJsonArray>

#include <algorithm>

namespace lockscope {

namespace {

QJsonObject toJson(const FamilySpec &spec)
{
    QJsonObject object{
        {QStringLiteral("name"), QLatin1String(spec.name)},
        {QStringLiteral("title"), QString::fromUtf8(spec.noun)},
        {QStringLiteral("stored"), QString::fromUtf8(spec.stored)},
        {QStringLiteral("version"), spec.version},
        {QStringLiteral("usual_names"), QJsonArray::fromStringList(usualNames(spec))},
        {QStringLiteral("discover"), QString::fromLatin1(discoveryName(spec.discovery))},
        {QStringLiteral("holder_after_end"), QString::fromLatin1(impactName(spec.ownerImpact))},
        {QStringLiteral("is_data"), spec.forms != nullptr}};
    if (spec.file)
        object[QStringLiteral("file")] = QString::fromUtf8(spec.file);
    insertHelp(object, familyOf(spec));
    return object;
}

ExitStatus listFamilies(const Options &options)
{
    Table table({Words::tr("FAMILY", "column of a table"), Words::tr("STORED AS", "column of a table"),
                 Words::tr("USUAL NAMES", "column of a table"), Words::tr("FROM", "column of a table")});
    QJsonArray families;
    for (const Family family : allFamilies()) {
        const FamilySpec &spec = specOf(family);
        if (family.isUnknown())
            continue;
        families.append(toJson(spec));
        table.add({QLatin1String(spec.name), printable(QByteArray(spec.stored), 60),
                   usualNames(spec).join(u' '), originOf(spec)});
    }
    table.fitToTerminal({{2, 20}, {1, 20}});
    return deliver(options.json ? jsonLine({{QStringLiteral("families"), families}})
                                : table.text(console::hasColor()).toUtf8(),
                   ExitStatus::Done);
}

ExitStatus showFamily(const Options &options)
{
    const std::optional<Family> family = familyFromName(options.familyArguments.front());
    if (!family)
        return deliverNone(options, ExitStatus::WrongUsage,
                           Words::tr("Unknown family %1. See lockscope-cli family list.")
                               .arg(printable(options.familyArguments.front(), 60)));
    const FamilySpec &spec = specOf(*family);
    if (options.json)
        return deliver(jsonLine(toJson(spec)), ExitStatus::Done);
    return deliver((detailsOf(*family).join(u'\n') + u'\n').toUtf8(), ExitStatus::Done);
}

Result<std::unique_ptr<FamilyFile>> readFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failedWith(ErrorKind::InvalidArgument, "%1", file.errorString());
    return std::make_unique<FamilyFile>(file.read(FamilyFile::longest + 1), path);
}

/// Returns examples that known families also recognize.
QList<FileFault> overlapsOf(const FamilyFile &file)
{
    QList<FileFault> found;
    for (const FamilyExample &example : file.examples()) {
        const Recognition other =
            recognize(LockKey(example.key), example.content, example.ttl, example.nowMs);
        const QByteArray name = familyName(other.family);
        if (isProven(other.family, other.evidence) && !other.family.isUnknown() && name != file.spec().name)
            found.append({example.line, 0,
                          Phrase(QT_TRANSLATE_NOOP("phrases", "example also matches the family %1"), name)});
    }
    return found;
}

ExitStatus checkFamily(const QString &path, bool isJson, QByteArray &out)
{
    const Result<std::unique_ptr<FamilyFile>> file = readFile(path);
    if (!file) {
        const QString why =
            Texts::tr("%1 cannot be read: %2").arg(printable(path.toUtf8()), inWords(file.error()));
        console::printError(why);
        out += isJson ? jsonLine({{QStringLiteral("error"), why}, {QStringLiteral("file"), path}})
                      : QByteArray();
        return ExitStatus::Unavailable;
    }
    QList<FileFault> faults = (*file)->faults();
    QList<FileFault> warnings;
    if (faults.isEmpty()) {
        faults = checkExamples(**file);
        warnings = overlapsOf(**file);
        if ((*file)->examples().isEmpty())
            warnings.append(
                {0, 0, Phrase(QT_TRANSLATE_NOOP("phrases", "no [[example]] with key, value and is"))});
    }
    QStringList lines;
    QJsonArray told;
    const auto tell = [&](const FileFault &fault, bool isWarning) {
        const QString text = inWords(faultInFile(path, fault));
        lines << (isWarning ? Words::tr("warning: %1").arg(text) : text);
        told.append(QJsonObject{{QStringLiteral("line"), fault.line},
                                {QStringLiteral("column"), fault.column},
                                {QStringLiteral("warning"), isWarning},
                                {QStringLiteral("message"), fault.what.inEnglish()}});
    };
    for (const FileFault &fault : std::as_const(faults))
        tell(fault, false);
    for (const FileFault &fault : std::as_const(warnings))
        tell(fault, true);
    if (faults.isEmpty())
        lines << Words::tr("%1: the family %2 is valid. Examples: %3.")
                     .arg(printable(path.toUtf8()), QLatin1String((*file)->spec().name),
                          QString::number((*file)->examples().size()));
    out += isJson ? jsonLine({{QStringLiteral("file"), path},
                              {QStringLiteral("valid"), faults.isEmpty()},
                              {QStringLiteral("found"), told}})
                  : (lines.join(u'\n') + u'\n').toUtf8();
    return faults.isEmpty() ? ExitStatus::Done : ExitStatus::Rejected;
}

ExitStatus checkFamilies(const Options &options)
{
    QByteArray out;
    ExitStatus worst = ExitStatus::Done;
    for (const QByteArray &path : options.familyArguments)
        worst = std::max(worst, checkFamily(QFile::decodeName(path), options.json, out));
    return out.isEmpty() ? worst : deliver(out, worst);
}

/// Scans for the names of a family file and lists what the family makes of each key.
class FamilyTryCommand : public SweepCommand
{
public:
    FamilyTryCommand(Options options, const FamilyFile &file) : SweepCommand(std::move(options)), m_file(file)
    {
    }

private:
    static constexpr qsizetype maxExplained = 10;

    struct Rejected
    {
        Lock lock;
        QList<Phrase> reasons; ///< per form
    };

    void print(const ScanStats &stats) override
    {
        m_stats = stats;
        for (const Lock &lock : locks()) {
            if (familyName(lock.family) == m_file.spec().name)
                m_matched.append(lock);
            else if (candidateNames(lock).contains(m_file.spec().name))
                m_candidates.append(lock);
            else
                m_rejected.append({lock, {}});
        }
        explain(0);
    }

    void explain(qsizetype at)
    {
        if (at == std::min(maxExplained, m_rejected.size()))
            return finish(isWhole(m_stats) ? ExitStatus::Done : ExitStatus::Unavailable,
                          options().json ? json() : text().toUtf8());
        LockContentsReading::start(options().server, m_rejected[at].lock, this)
            .then(listener(), [this, at](const LockContentsReading::Answer &answer) {
                if (answer && !answer->keys.isEmpty())
                    m_rejected[at].reasons = mismatchesOf(m_file.spec(), answer->keys.front().key,
                                                          contentOf(answer->keys.front()));
                explain(at + 1);
            });
    }

    QString reasonAt(const Rejected &rejected, qsizetype form) const
    {
        const Phrase &why = rejected.reasons[form];
        const Family other = rejected.lock.family;
        const QString reason = !why.isEmpty()      ? inWords(why)
                               : other.isUnknown() ? Words::tr("matches, but nobody holds it")
                                                   : Words::tr("matches, but the family is more likely %1")
                                                         .arg(QString::fromLatin1(familyName(other)));
        return Words::tr("line %1: %2").arg(QString::number(m_file.formLines().value(form)), reason);
    }

    QString text() const
    {
        QStringList lines;
        const TimePoint now = Clock::now();
        Table table({Words::tr("KEY", "column of a table"), Words::tr("CERTAINTY", "column of a table"),
                     Words::tr("OWNER", "column of a table"), Texts::tr("TTL"),
                     Words::tr("DETAILS", "column of a table")});
        for (const auto &list : {m_matched, m_candidates}) {
            for (const Lock &lock : list) {
                const LockOwner owner = lock.owners.value(0);
                const auto ttl = ttlAt(lock, now);
                table.add({printable(lock.key().bytes), QString::fromLatin1(certaintyName(certaintyOf(lock))),
                           printable(owner.owner.bytes, 60), ttl ? describe(*ttl) : Texts::tr("none"),
                           describe(ownerFacts(lock, owner)).join(QStringLiteral(", "))});
            }
        }
        if (!m_matched.isEmpty() || !m_candidates.isEmpty())
            lines << table.text(console::hasColor());
        lines << Words::tr("Locks of the family %1: %2. Candidates: %3. Other keys: %4.")
                     .arg(QLatin1String(m_file.spec().name), grouped(m_matched.size()),
                          grouped(m_candidates.size()), grouped(m_rejected.size()));
        for (const Rejected &rejected : m_rejected) {
            if (rejected.reasons.isEmpty())
                continue;
            lines << printable(rejected.lock.key().bytes);
            for (qsizetype form = 0; form < rejected.reasons.size(); ++form)
                lines << QStringLiteral("  ") + reasonAt(rejected, form);
        }
        if (m_rejected.size() > maxExplained)
            lines << Words::tr("The first %1 are explained.").arg(maxExplained);
        return lines.join(u'\n') + u'\n';
    }

    QByteArray json() const
    {
        const TimePoint now = Clock::now();
        const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
        QJsonArray matched;
        QJsonArray candidates;
        QJsonArray rejected;
        for (const Lock &lock : m_matched)
            matched.append(lockObject(lock, now, wallMs));
        for (const Lock &lock : m_candidates)
            candidates.append(lockObject(lock, now, wallMs));
        for (const Rejected &one : m_rejected) {
            QJsonArray reasons;
            for (qsizetype form = 0; form < one.reasons.size(); ++form)
                reasons.append(QJsonObject{{QStringLiteral("line"), m_file.formLines().value(form)},
                                           {QStringLiteral("message"), one.reasons[form].inEnglish()}});
            QJsonObject object{{QStringLiteral("reasons"), reasons}};
            insertBytes(object, QStringLiteral("key"), one.lock.key().bytes);
            rejected.append(object);
        }
        return jsonLine({{QStringLiteral("family"), QLatin1String(m_file.spec().name)},
                         {QStringLiteral("complete"), isWhole(m_stats)},
                         {QStringLiteral("matched"), matched},
                         {QStringLiteral("candidates"), candidates},
                         {QStringLiteral("rejected"), rejected}});
    }

    const FamilyFile &m_file;
    ScanStats m_stats;
    QList<Lock> m_matched;
    QList<Lock> m_candidates;
    QList<Rejected> m_rejected;
};

class FamilyNewCommand : public KeyCommand
{
public:
    explicit FamilyNewCommand(Options options) : KeyCommand(std::move(options)) {}

private:
    void run() override
    {
        Lock lock;
        lock.address.key = options().key;
        LockContentsReading::start(options().server, lock, this)
            .then(listener(), [this](const LockContentsReading::Answer &answer) {
                if (!answer)
                    return fail(answer.error());
                const StoredKey &stored = answer->keys.first();
                if (stored.error)
                    return fail(*stored.error);
                const QByteArray draft =
                    familyDraft(options().key, contentOf(stored), stored.ttl, answer->readAtMs);
                if (draft.isEmpty())
                    return finishWithout(
                        ExitStatus::Rejected,
                        stored.type == StoredKey::Type::Absent
                            ? Words::tr("no key %1").arg(printable(options().key.bytes))
                            : Words::tr("No family form fits %1.").arg(printable(options().key.bytes)));
                finish(ExitStatus::Done, options().json
                                             ? jsonLine({{QStringLiteral("draft"), QString::fromUtf8(draft)}})
                                             : draft);
            });
    }
};

/// Returns the tried file, which must live as long as the program.
std::unique_ptr<FamilyFile> &triedFile()
{
    static std::unique_ptr<FamilyFile> file;
    return file;
}

} // namespace

std::optional<ExitStatus> takeTriedFamily(Options &options)
{
    const QString path = QFile::decodeName(options.familyArguments.front());
    const auto refuse = [&options](const QString &why) {
        return deliverNone(options, ExitStatus::WrongUsage, why);
    };
    Result<std::unique_ptr<FamilyFile>> file = readFile(path);
    if (!file)
        return refuse(
            Texts::tr("%1 cannot be read: %2").arg(printable(path.toUtf8()), inWords(file.error())));
    if (!(*file)->isValid())
        return refuse(inWords(faultInFile(path, (*file)->faults().first())));
    triedFile() = *std::move(file);
    const FamilySpec *spec = &triedFile()->spec();
    addFamilies({&spec, 1});
    options.all = true; // what it rejects, too
    if (options.patterns.isEmpty())
        options.patterns = {spec->usualNames.begin(), spec->usualNames.end()};
    if (options.patterns.isEmpty())
        return refuse(Words::tr("The family has no usual names. Give --pattern."));
    return std::nullopt;
}

std::unique_ptr<Command> familyTryCommand(const Options &options)
{
    return std::make_unique<FamilyTryCommand>(options, *triedFile());
}

std::unique_ptr<Command> familyNewCommand(const Options &options)
{
    return std::make_unique<FamilyNewCommand>(options);
}

ExitStatus tellOfFamilies(const Options &options)
{
    switch (options.verb) {
    case Verb::FamilyShow:
        return showFamily(options);
    case Verb::FamilyCheck:
        return checkFamilies(options);
    default:
        return listFamilies(options);
    }
}

} // namespace lockscope
