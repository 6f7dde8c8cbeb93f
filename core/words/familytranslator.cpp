// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/familytranslator.h"

#include "core/family/registry.h"

namespace lockscope {

FamilyTranslator::FamilyTranslator(QObject *parent) : QTranslator(parent)
{
    const auto add = [this](const char *source, const char *text) {
        if (source && text)
            m_texts.insert(source, text);
    };
    for (const Family family : familiesWith<&FamilySpec::translations>()) {
        const FamilySpec &spec = specOf(family);
        add(spec.noun, spec.translations->noun);
        add(spec.wakeEffect, spec.translations->wakeEffect);
        add(spec.ownerEffect, spec.translations->ownerEffect);
        add(spec.companionNote, spec.translations->companionNote);
    }
}

QString FamilyTranslator::translate(const char *context, const char *source, const char *, int) const
{
    return qstrcmp(context, "phrases") == 0 ? QString::fromUtf8(m_texts.value(source)) : QString();
}

} // namespace lockscope
