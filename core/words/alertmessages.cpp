// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/alertmessages.h"

#include "core/alerts/alertrules.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"

namespace lockscope {

QString describe(AlertKind kind)
{
    return inWords(Phrase(ruleOf(kind).title));
}

QString describe(const Alert &alert)
{
    return alert.resetOf ? describe(*alert.resetOf) : inWords(evidenceOf(alert));
}

} // namespace lockscope
