// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/proberequest.h"

#include "core/family/ownerfacts.h"
#include "core/family/registry.h"
#include "core/family/weaktoken.h"

#include <QProcess>
#include <QRegularExpression>

#include <algorithm>
#include <functional>

namespace lockscope {

namespace {

constexpr qsizetype maxCommand = 1000;
constexpr qsizetype maxValue = 256;

struct Placeholder
{
    const char *name;
    QByteArray (*value)(const OwnerFacts &facts, const Lock &lock, const LockOwner &holder);
    const char *allowed = "[A-Za-z0-9_][A-Za-z0-9_.:@/+,-]*"; ///< nothing that a shell reads, and no option
};

constexpr Placeholder placeholders[] = {
    {"{host}", [](const OwnerFacts &facts, const Lock &, const LockOwner &) { return facts.host; },
     "[A-Za-z0-9][A-Za-z0-9_.:-]*"},
    {"{process}", // every container has a process 1
     [](const OwnerFacts &facts, const Lock &, const LockOwner &) {
         return facts.process == "0" || facts.process == "1" ? QByteArray() : facts.process;
     },
     "[0-9]+"},
    {"{thread}", [](const OwnerFacts &facts, const Lock &, const LockOwner &) { return facts.thread; }},
    {"{owner}",
     [](const OwnerFacts &, const Lock &lock, const LockOwner &holder) {
         const bool isWeak = lock.owners.size() == 1 && weakTokenOf(lock) != WeakToken::No;
         return isWeak ? QByteArray() : holder.owner.bytes;
     }},
    {"{key}", [](const OwnerFacts &, const Lock &lock, const LockOwner &) { return lock.key().bytes; }},
    {"{family}",
     [](const OwnerFacts &, const Lock &lock, const LockOwner &) { return familyName(lock.family); }},
};

/// Replaces each placeholder, or returns the first error. Other braces are the program's own:
/// jsonpath={.status.phase}.
Result<QString> filled(const QString &argument,
                       const std::function<Result<QString>(const Placeholder &)> &valueOf)
{
    static const QRegularExpression written(QStringLiteral("\\{[a-z]+\\}"));
    QString text;
    qsizetype end = 0;
    for (auto found = written.globalMatch(argument); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const auto *known = std::ranges::find_if(placeholders, [&](const Placeholder &each) {
            return match.captured() == QLatin1String(each.name);
        });
        if (known == std::end(placeholders))
            return failedWith(ErrorKind::InvalidArgument,
                              QT_TRANSLATE_NOOP("phrases", "A probe has no %1, but {host}, {process}, "
                                                           "{thread}, {owner}, {key} and {family}."),
                              match.captured());
        const Result<QString> value = valueOf(*known);
        if (!value)
            return value;
        text += argument.mid(end, match.capturedStart() - end) + *value;
        end = match.capturedEnd();
    }
    return text + argument.mid(end);
}

Result<QString> safeValue(const Placeholder &placeholder, const QByteArray &value)
{
    if (value.isEmpty())
        return failedWith(ErrorKind::InvalidArgument, QT_TRANSLATE_NOOP("phrases", "The owner tells no %1."),
                          QByteArray(placeholder.name));
    const QRegularExpression allowed(QRegularExpression::anchoredPattern(QLatin1String(placeholder.allowed)));
    const QString text = QString::fromLatin1(value);
    if (value.size() > maxValue || text.contains(QLatin1String("..")) || !allowed.match(text).hasMatch())
        return failedWith(
            ErrorKind::InvalidArgument,
            QT_TRANSLATE_NOOP("phrases", "The owner's %1 has characters that are not safe in a command."),
            QByteArray(placeholder.name));
    return text;
}

/// As QProcess::splitCommand() would read it.
QString quoted(const QString &argument)
{
    static const QRegularExpression special(QStringLiteral("[\\s\"]"));
    return argument.isEmpty() || argument.contains(special)
               ? u'"' + QString(argument).replace(u'"', QStringLiteral("\"\"\"")) + u'"'
               : argument;
}

} // namespace

QString probeCommand(const QString &ofServer, Family family)
{
    return ofServer.isEmpty() ? QString::fromUtf8(specOf(family).probe) : ofServer;
}

Result<void> checkProbe(const QString &command)
{
    const QStringList arguments = QProcess::splitCommand(command);
    if (arguments.isEmpty() || arguments.first().isEmpty() || command.size() > maxCommand)
        return failedWith(
            ErrorKind::InvalidArgument,
            QT_TRANSLATE_NOOP("phrases", "A probe is a program with its arguments, at most %1 characters."),
            maxCommand);
    for (const QString &argument : arguments) {
        const Result<QString> known = filled(argument, [](const Placeholder &) { return QString(); });
        if (!known)
            return tl::unexpected(known.error());
        if (argument == arguments.first() && *known != argument)
            return failedWith(
                ErrorKind::InvalidArgument,
                QT_TRANSLATE_NOOP("phrases", "The program of a probe cannot be a placeholder."));
    }
    return {};
}

Result<ProbeRequest> probeRequest(const QString &command, const Lock &lock, const LockOwner &holder)
{
    if (const Result<void> checked = checkProbe(command); !checked)
        return tl::unexpected(checked.error());
    const OwnerFacts facts = ownerFacts(lock, holder);
    ProbeRequest request{lock.address, lock.family, holder.owner, {}, {}};
    QStringList shown;
    for (const QString &argument : QProcess::splitCommand(command)) {
        const Result<QString> text = filled(argument, [&](const Placeholder &placeholder) {
            return safeValue(placeholder, placeholder.value(facts, lock, holder));
        });
        if (!text)
            return tl::unexpected(text.error());
        request.arguments << *text;
        shown << quoted(*text);
    }
    request.command = shown.join(u' ');
    return request;
}

} // namespace lockscope
