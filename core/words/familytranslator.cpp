// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/familytranslator.h"

#include "core/family/registry.h"

#include <QHash>

namespace lockscope {

namespace {

/// By English texts.
QHash<QByteArrayView, const char *> chineseTexts()
{
    QHash<QByteArrayView, const char *> texts;
    const auto add = [&texts](const char *source, const char *text) {
        if (source && text)
            texts.insert(source, text);
    };
    for (const Family family : familiesWith<&FamilySpec::translations>()) {
        const FamilySpec &spec = specOf(family);
        add(spec.noun, spec.translations->noun);
        add(spec.wakeEffect, spec.translations->wakeEffect);
        add(spec.ownerEffect, spec.translations->ownerEffect);
        add(spec.companionNote, spec.translations->companionNote);
    }
    return texts;
}

} // namespace

QString FamilyTranslator::translate(const char *context, const char *source, const char *, int) const
{
    if (qstrcmp(context, "phrases") != 0)
        return {};
    static const QHash<QByteArrayView, const char *> texts = chineseTexts(); // once the user's were read
    return QString::fromUtf8(texts.value(source));
}

} // namespace lockscope
