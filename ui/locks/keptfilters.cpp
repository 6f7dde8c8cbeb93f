// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/keptfilters.h"

#include "core/base/settings.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype maxNameCharacters = 60;
constexpr qsizetype maxTextCharacters = 4000;

QString recentKey()
{
    return QStringLiteral("filters/recent");
}

QString savedKey()
{
    return QStringLiteral("filters/saved");
}

void write(const QList<SavedFilter> &filters)
{
    Settings settings;
    settings.beginWriteArray(savedKey(), static_cast<int>(filters.size()));
    for (int at = 0; at < filters.size(); ++at) {
        settings.setArrayIndex(at);
        settings.setValue(QStringLiteral("name"), filters[at].name);
        settings.setValue(QStringLiteral("text"), filters[at].text);
    }
    settings.endArray();
}

} // namespace

QStringList KeptFilters::recent()
{
    return Settings().value(recentKey()).toStringList().mid(0, maxRecent);
}

void KeptFilters::addRecent(const QString &text)
{
    const QString kept = text.trimmed();
    if (kept.isEmpty() || kept.size() > maxTextCharacters)
        return;
    QStringList filters = recent();
    filters.removeAll(kept);
    filters.prepend(kept);
    Settings().setValue(recentKey(), filters.mid(0, maxRecent));
}

void KeptFilters::forgetRecent()
{
    Settings().remove(recentKey());
}

QList<SavedFilter> KeptFilters::saved()
{
    Settings settings;
    QList<SavedFilter> filters;
    const int size = settings.beginReadArray(savedKey());
    for (int at = 0; at < size; ++at) {
        settings.setArrayIndex(at);
        filters.append({settings.value(QStringLiteral("name")).toString(),
                        settings.value(QStringLiteral("text")).toString()});
    }
    settings.endArray();
    return filters;
}

void KeptFilters::save(const SavedFilter &filter)
{
    const SavedFilter kept{filter.name.simplified().left(maxNameCharacters), filter.text.trimmed()};
    if (kept.name.isEmpty() || kept.text.isEmpty() || kept.text.size() > maxTextCharacters)
        return;
    QList<SavedFilter> filters = saved();
    filters.removeIf([&kept](const SavedFilter &each) { return each.name == kept.name; });
    filters.append(kept);
    std::ranges::sort(filters, [](const SavedFilter &a, const SavedFilter &b) {
        return a.name.localeAwareCompare(b.name) < 0;
    });
    write(filters);
}

void KeptFilters::remove(const QString &name)
{
    QList<SavedFilter> filters = saved();
    filters.removeIf([&name](const SavedFilter &each) { return each.name == name; });
    write(filters);
}

void KeptFilters::rename(const QString &before, const QString &name)
{
    const QList<SavedFilter> filters = saved();
    const auto filter = std::ranges::find(filters, before, &SavedFilter::name);
    if (filter == filters.end() || name.simplified().isEmpty())
        return;
    remove(before);
    save({name, filter->text});
}

} // namespace lockscope
