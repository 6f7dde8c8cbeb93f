// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/proberequest.h"

#include "core/family/ownerfacts.h"
#include "core/family/registry.h"
#include "core/family/weaktoken.h"

#include <QProcess>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr qsizetype maxCommand = 1000;
constexpr qsizetype maxValue = 256;

/// A placeholder, and what its values are made of.
constexpr char anySafe[] = "[A-Za-z0-9_][A-Za-z0-9_.:@/+,-]*";
constexpr std::array placeholders{std::pair("{host}", "[A-Za-z0-9][A-Za-z0-9_.:-]*"),
                                  std::pair("{process}", "[0-9]+"),
                                  std::pair("{thread}", anySafe + 0),
                                  std::pair("{owner}", anySafe + 0),
                                  std::pair("{key}", anySafe + 0),
                                  std::pair("{family}", anySafe + 0)};
using Values = std::array<QByteArray, placeholders.size()>;

Values valuesOf(const Lock &lock, const LockOwner &owner)
{
    const OwnerFacts facts = ownerFacts(lock, owner);
    const bool isInContainer = facts.process == "0" || facts.process == "1"; // which each of them has
    const bool isWeak = lock.owners.size() == 1 && weakTokenOf(lock) != WeakToken::No;
    return {facts.host,       isInContainer ? QByteArray() : facts.process,
            facts.thread,     isWeak ? QByteArray() : owner.owner.bytes,
            lock.key().bytes, familyName(lock.family)};
}

bool isSafe(const QString &value, const char *allowed)
{
    const QRegularExpression pattern(QRegularExpression::anchoredPattern(QLatin1String(allowed)));
    return value.size() <= maxValue && !value.contains(QLatin1String("..")) &&
           pattern.match(value).hasMatch();
}

/// Splits first: a value is a part of one argument. Other braces are the program's own, as in
/// jsonpath={.status.phase}.
Result<QStringList> filledIn(const QString &command, const Values &values)
{
    static const QRegularExpression placeholder(QStringLiteral("\\{[a-z]+\\}"));
    const auto malformed =
        failedWith(ErrorKind::InvalidArgument,
                   QT_TRANSLATE_NOOP(
                       "phrases", "A probe is a program, and arguments in which {host}, {process}, {thread}, "
                                  "{owner}, {key} and {family} may stand."));
    QStringList arguments = QProcess::splitCommand(command);
    if (arguments.value(0).isEmpty() || arguments.first().contains(placeholder) ||
        command.size() > maxCommand)
        return malformed;
    for (QString &argument : arguments) {
        for (QRegularExpressionMatch match; argument.contains(placeholder, &match);) {
            const QByteArray name = match.captured().toLatin1();
            const auto *known =
                std::ranges::find_if(placeholders, [&](const auto &each) { return name == each.first; });
            if (known == placeholders.end())
                return malformed;
            const QString value = QString::fromLatin1(values[size_t(known - placeholders.begin())]);
            if (value.isEmpty())
                return failedWith(ErrorKind::InvalidArgument,
                                  QT_TRANSLATE_NOOP("phrases", "The owner tells no %1."), name);
            if (!isSafe(value, known->second)) // such as another placeholder
                return failedWith(ErrorKind::InvalidArgument,
                                  QT_TRANSLATE_NOOP("phrases", "The owner's %1 is not safe in a command."),
                                  name);
            argument.replace(match.capturedStart(), match.capturedLength(), value);
        }
    }
    return arguments;
}

} // namespace

QString ProbeRequest::command() const
{
    static const QRegularExpression special(QStringLiteral("[\\s\"]"));
    QStringList words = arguments;
    for (QString &word : words) {
        if (word.contains(special)) // quoted for QProcess::splitCommand()
            word = u'"' + word.replace(u'"', QStringLiteral("\"\"\"")) + u'"';
    }
    return words.join(u' ');
}

Result<void> checkProbe(const QString &command)
{
    Values any;
    any.fill("0");
    const auto checked = filledIn(command, any);
    return checked ? Result<void>() : tl::unexpected(checked.error());
}

Result<ProbeRequest> probeRequest(const QString &command, const Lock &lock)
{
    Result<ProbeRequest> refusal =
        failedWith(ErrorKind::InvalidArgument, QT_TRANSLATE_NOOP("phrases", "The lock names no owner."));
    for (const LockOwner &owner : lock.owners) {
        const auto arguments = filledIn(command, valuesOf(lock, owner));
        if (arguments)
            return ProbeRequest{lock.address, lock.family, owner.owner, *arguments};
        refusal = tl::unexpected(arguments.error());
    }
    return refusal;
}

} // namespace lockscope
