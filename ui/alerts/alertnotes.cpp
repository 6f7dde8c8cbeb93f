// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertnotes.h"

#include "core/base/enumnames.h"
#include "core/base/settings.h"
#include "ui/connect/serverprofile.h"

#include <algorithm>

namespace lockscope {

namespace {

using SnoozeOf = AlertSnooze::Of;
constexpr std::array snoozeNames{Named<SnoozeOf>{SnoozeOf::Alert, "alert"},
                                 Named<SnoozeOf>{SnoozeOf::Rule, "rule"},
                                 Named<SnoozeOf>{SnoozeOf::Lock, "lock"}};

QString rulesGroup(const QString &uri)
{
    return notesGroup(uri) + QStringLiteral("/alertRules");
}

QString nameOfRule(AlertKind kind)
{
    return QString::fromLatin1(alertName(kind));
}

const QString ruleOffText = QStringLiteral("off");

std::pair<qint64, qint64> limitBounds(AlertKind kind)
{
    switch (kind) {
    case AlertKind::HeldTooLong:
        return {shortestMaxHeld.count(), longestMaxHeld.count()};
    case AlertKind::HeldUnusuallyLong:
        return {fewestTimesUsual, mostTimesUsual};
    default:
        return {0, mostMaxWaiters};
    }
}

// How a rule is stored: what is read otherwise leaves it as it is.

QVariant storedOf(bool rule)
{
    return rule;
}

template <typename Limit>
QVariant storedOf(const std::optional<Limit> &rule)
{
    if (!rule)
        return ruleOffText;
    if constexpr (std::is_same_v<Limit, milliseconds>)
        return QString::number(rule->count());
    else
        return QString::number(*rule);
}

void readRule(const QVariant &stored, AlertKind, bool &rule)
{
    rule = stored.isValid() ? stored.toBool() : rule;
}

template <typename Limit>
void readRule(const QVariant &stored, AlertKind kind, std::optional<Limit> &rule)
{
    const QString text = stored.toString();
    bool isNumber = false;
    const qint64 number = text.toLongLong(&isNumber);
    const auto [least, most] = limitBounds(kind);
    if (text == ruleOffText)
        rule.reset();
    else if (isNumber && number >= least && number <= most)
        rule = Limit(number);
}

} // namespace

AlertSettings alertSettingsOf(const QString &uri)
{
    AlertSettings kept;
    if (uri.isEmpty())
        return kept;
    Settings settings;
    settings.beginGroup(rulesGroup(uri));
    visitRules([&](AlertKind kind, auto rule) {
        readRule(settings.value(nameOfRule(kind)), kind, kept.rules.*rule);
    });
    kept.notifies = settings.value(QStringLiteral("notifies"), kept.notifies).toBool();
    for (const QString &name : settings.value(QStringLiteral("silent")).toStringList()) {
        if (const auto kind = alertFromName(name.toLatin1()))
            kept.silent.set(static_cast<size_t>(*kind));
    }
    return kept;
}

void keepAlertSettings(const QString &uri, const AlertSettings &kept)
{
    if (uri.isEmpty())
        return;
    Settings settings;
    settings.beginGroup(rulesGroup(uri));
    settings.remove(QString());
    if (kept == AlertSettings())
        return;
    visitRules(
        [&](AlertKind kind, auto rule) { settings.setValue(nameOfRule(kind), storedOf(kept.rules.*rule)); });
    settings.setValue(QStringLiteral("notifies"), kept.notifies);
    QStringList silent;
    for (int kind = 0; kind < alertKinds; ++kind) {
        if (kept.silent.test(static_cast<size_t>(kind)))
            silent << nameOfRule(static_cast<AlertKind>(kind));
    }
    if (!silent.isEmpty())
        settings.setValue(QStringLiteral("silent"), silent);
}

QList<AlertSnooze> snoozesOf(const QString &uri)
{
    QList<AlertSnooze> snoozes;
    if (uri.isEmpty())
        return snoozes;
    Settings settings;
    settings.beginGroup(notesGroup(uri));
    const auto count = std::min(settings.beginReadArray(QStringLiteral("snoozes")),
                                static_cast<int>(AlertList::mostSnoozes));
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        const auto of = valueIn(snoozeNames, settings.value(QStringLiteral("of")).toByteArray());
        const auto kind = alertFromName(settings.value(QStringLiteral("rule")).toByteArray());
        if (!of || !kind)
            continue;
        snoozes.append({*of, *kind, LockKey(settings.value(QStringLiteral("key")).toByteArray()),
                        settings.value(QStringLiteral("subject")).toByteArray(),
                        std::max(0LL, settings.value(QStringLiteral("until")).toLongLong()),
                        settings.value(QStringLiteral("made")).toLongLong()});
    }
    return snoozes;
}

void keepSnoozes(const QString &uri, const QList<AlertSnooze> &snoozes)
{
    if (uri.isEmpty())
        return;
    Settings settings;
    settings.beginGroup(notesGroup(uri));
    settings.remove(QStringLiteral("snoozes"));
    if (snoozes.isEmpty())
        return;
    settings.beginWriteArray(QStringLiteral("snoozes"));
    for (int i = 0; i < static_cast<int>(snoozes.size()); ++i) {
        const AlertSnooze &snooze = snoozes.at(i);
        settings.setArrayIndex(i);
        settings.setValue(QStringLiteral("of"), nameIn(snoozeNames, snooze.of));
        settings.setValue(QStringLiteral("rule"), alertName(snooze.kind));
        settings.setValue(QStringLiteral("key"), snooze.key.bytes);
        settings.setValue(QStringLiteral("subject"), snooze.subject);
        settings.setValue(QStringLiteral("until"), snooze.untilMs);
        settings.setValue(QStringLiteral("made"), snooze.madeMs);
    }
    settings.endArray();
}

AlertSettings changeAlertSettings(const QString &uri, const AlertSettings &before, const AlertSettings &after)
{
    if (uri.isEmpty())
        return after;
    AlertSettings kept = alertSettingsOf(uri);
    visitRules([&](AlertKind, auto rule) {
        if (before.rules.*rule != after.rules.*rule)
            kept.rules.*rule = after.rules.*rule;
    });
    if (before.notifies != after.notifies)
        kept.notifies = after.notifies;
    const auto changed = before.silent ^ after.silent;
    kept.silent = (kept.silent & ~changed) | (after.silent & changed);
    keepAlertSettings(uri, kept);
    return kept;
}

void changeSnoozes(const QString &uri, const QList<AlertSnooze> &before, const QList<AlertSnooze> &after)
{
    QList<AlertSnooze> kept = snoozesOf(uri);
    kept.removeIf(
        [&](const AlertSnooze &snooze) { return before.contains(snooze) && !after.contains(snooze); });
    for (const AlertSnooze &snooze : after) {
        if (!before.contains(snooze) && !kept.contains(snooze))
            kept.append(snooze);
    }
    keepSnoozes(uri, kept.last(std::min(kept.size(), AlertList::mostSnoozes)));
}

} // namespace lockscope
