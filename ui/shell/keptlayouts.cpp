// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/keptlayouts.h"

#include "core/base/settings.h"

#include <algorithm>

namespace lockscope::keptlayouts {

namespace {

constexpr qsizetype maxNameCharacters = 60;

QString settingsKey()
{
    return QStringLiteral("layouts");
}

void write(const QList<KeptLayout> &layouts)
{
    Settings settings;
    settings.remove(settingsKey());
    settings.beginWriteArray(settingsKey(), static_cast<int>(layouts.size()));
    for (int at = 0; at < layouts.size(); ++at) {
        settings.setArrayIndex(at);
        settings.setValue(QStringLiteral("name"), layouts[at].name);
        settings.setValue(QStringLiteral("layout"), layouts[at].layout);
    }
    settings.endArray();
}

} // namespace

QList<KeptLayout> all()
{
    Settings settings;
    QList<KeptLayout> layouts;
    const auto size = std::min<qsizetype>(settings.beginReadArray(settingsKey()), most);
    for (int at = 0; at < size; ++at) {
        settings.setArrayIndex(at);
        const KeptLayout kept{settings.value(QStringLiteral("name")).toString().left(maxNameCharacters),
                              settings.value(QStringLiteral("layout")).toByteArray()};
        if (!kept.name.isEmpty())
            layouts.append(kept);
    }
    settings.endArray();
    return layouts;
}

bool save(const KeptLayout &layout)
{
    const KeptLayout kept{layout.name.simplified().left(maxNameCharacters), layout.layout};
    QList<KeptLayout> layouts = all();
    layouts.removeIf([&kept](const KeptLayout &each) { return each.name == kept.name; });
    if (kept.name.isEmpty() || layouts.size() >= most)
        return false;
    layouts.append(kept);
    std::ranges::sort(layouts, [](const KeptLayout &a, const KeptLayout &b) {
        return a.name.localeAwareCompare(b.name) < 0;
    });
    write(layouts);
    return true;
}

void remove(const QString &name)
{
    QList<KeptLayout> layouts = all();
    layouts.removeIf([&name](const KeptLayout &each) { return each.name == name; });
    write(layouts);
}

} // namespace lockscope::keptlayouts
