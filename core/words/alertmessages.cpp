// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/alertmessages.h"

#include "core/words/messages.h"
#include "core/words/phrases.h"

#include <QRegularExpression>

namespace lockscope {

QString plainLabelOf(const AlertRule &rule)
{
    static const QRegularExpression shortcut(QStringLiteral("\\(&.\\)|&")); // Chinese: "死锁(&D)"
    return inWords(Phrase(rule.label)).remove(shortcut);
}

QString describe(AlertKind kind)
{
    const AlertRule &rule = ruleOf(kind);
    return rule.title ? inWords(Phrase(rule.title)) : plainLabelOf(rule);
}

QString describe(const Alert &alert)
{
    return alert.resetOf ? describe(*alert.resetOf) : inWords(evidenceOf(alert));
}

} // namespace lockscope
