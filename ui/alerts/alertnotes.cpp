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

const QString ruleOffText = QStringLiteral("off");

// How a rule is stored: what is read otherwise leaves it as it is.

QVariant storedOf(const AlertRule &rule, std::optional<qint64> limit)
{
    if (rule.limit == AlertLimit::None)
        return limit.has_value();
    return limit ? QString::number(*limit) : ruleOffText;
}

void readRule(const AlertRule &rule, const QVariant &stored, std::optional<qint64> &limit)
{
    const QString text = stored.toString();
    bool isNumber = false;
    const qint64 number = text.toLongLong(&isNumber);
    if (rule.limit == AlertLimit::None)
        limit = (stored.isValid() ? stored.toBool() : limit.has_value()) ? std::optional(0LL) : std::nullopt;
    else if (text == ruleOffText)
        limit.reset();
    else if (isNumber && number >= rule.minLimit && number <= rule.maxLimit)
        limit = number;
}

} // namespace

AlertSettings alertSettingsOf(const QString &uri)
{
    AlertSettings kept;
    if (uri.isEmpty())
        return kept;
    Settings settings;
    settings.beginGroup(rulesGroup(uri));
    for (const AlertRule &rule : alertRuleTable())
        readRule(rule, settings.value(QString::fromLatin1(rule.name)), kept.rules[rule.kind]);
    kept.notifies = settings.value(QStringLiteral("notifies"), kept.notifies).toBool();
    for (const QString &name : settings.value(QStringLiteral("silent")).toStringList()) {
        if (const AlertRule *rule = ruleNamed(name.toLatin1()))
            kept.silent.set(static_cast<size_t>(rule->kind));
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
    settings.setValue(QStringLiteral("notifies"), kept.notifies);
    QStringList silent;
    for (const AlertRule &rule : alertRuleTable()) {
        const QString name = QString::fromLatin1(rule.name);
        settings.setValue(name, storedOf(rule, kept.rules[rule.kind]));
        if (kept.silent.test(static_cast<size_t>(rule.kind)))
            silent << name;
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
    const auto count =
        std::min(settings.beginReadArray(QStringLiteral("snoozes")), static_cast<int>(AlertList::maxSnoozes));
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        const auto of = valueIn(snoozeNames, settings.value(QStringLiteral("of")).toByteArray());
        const AlertRule *rule = ruleNamed(settings.value(QStringLiteral("rule")).toByteArray());
        if (!of || !rule)
            continue;
        snoozes.append({*of, rule->kind, LockKey(settings.value(QStringLiteral("key")).toByteArray()),
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
        settings.setValue(QStringLiteral("rule"), QByteArray(ruleOf(snooze.kind).name));
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
    for (const AlertRule &rule : alertRuleTable()) {
        if (before.rules[rule.kind] != after.rules[rule.kind])
            kept.rules[rule.kind] = after.rules[rule.kind];
    }
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
    keepSnoozes(uri, kept.last(std::min(kept.size(), AlertList::maxSnoozes)));
}

} // namespace lockscope
