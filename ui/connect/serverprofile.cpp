// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/serverprofile.h"

#include "core/base/settings.h"
#include "core/family/registry.h"

#include <QUrl>

namespace lockscope {

namespace {

constexpr int maxNames = 1'000;
constexpr int maxRules = 100;
constexpr qsizetype maxPatterns = 1'000;

} // namespace

QString notesGroup(const QString &uri)
{
    // A slash would begin a group of its own.
    return QStringLiteral("notes/") + QString::fromLatin1(QUrl::toPercentEncoding(uri));
}

ServerProfile notesOf(const QString &uri)
{
    ServerProfile notes;
    if (uri.isEmpty())
        return notes;
    Settings settings;
    settings.beginGroup(notesGroup(uri));
    const int names = std::min(settings.beginReadArray(QStringLiteral("names")), maxNames);
    for (int i = 0; i < names; ++i) {
        settings.setArrayIndex(i);
        const QByteArray client = settings.value(QStringLiteral("client")).toByteArray();
        const QString name = settings.value(QStringLiteral("name")).toString().left(OwnerNames::longest);
        if (!client.isEmpty() && !name.isEmpty())
            notes.names.insert(client, name);
    }
    settings.endArray();
    for (const QString &name : settings.value(QStringLiteral("undiscovered")).toStringList()) {
        if (const auto family = familyFromName(name.toLatin1()))
            notes.undiscovered.insert(*family);
    }
    for (const QVariant &pattern : settings.value(QStringLiteral("patterns")).toList().mid(0, maxPatterns))
        notes.patterns.append(pattern.toByteArray());
    const int rules = std::min(settings.beginReadArray(QStringLiteral("rules")), maxRules);
    for (int i = 0; i < rules; ++i) {
        settings.setArrayIndex(i);
        const QByteArray pattern = settings.value(QStringLiteral("pattern")).toByteArray();
        const auto family = familyFromName(settings.value(QStringLiteral("family")).toString().toLatin1());
        if (!pattern.isEmpty() && family)
            notes.rules.append({pattern, *family});
    }
    return notes;
}

void keepNotes(const QString &uri, const ServerProfile &notes)
{
    if (uri.isEmpty())
        return;
    Settings settings;
    settings.beginGroup(notesGroup(uri));
    for (const char *array : {"names", "rules", "undiscovered", "patterns"})
        settings.remove(QLatin1String(array));
    if (notes == ServerProfile())
        return;
    QStringList undiscovered;
    for (const Family family : notes.undiscovered)
        undiscovered.append(QString::fromLatin1(familyName(family)));
    settings.setValue(QStringLiteral("undiscovered"), undiscovered);
    if (!notes.patterns.isEmpty())
        settings.setValue(QStringLiteral("patterns"),
                          QVariantList(notes.patterns.begin(), notes.patterns.end()));
    settings.beginWriteArray(QStringLiteral("names"));
    int at = 0;
    for (auto name = notes.names.begin(); name != notes.names.end() && at < maxNames; ++name) {
        settings.setArrayIndex(at++);
        settings.setValue(QStringLiteral("client"), name.key());
        settings.setValue(QStringLiteral("name"), *name);
    }
    settings.endArray();
    settings.beginWriteArray(QStringLiteral("rules"));
    for (int i = 0; i < std::min<int>(static_cast<int>(notes.rules.size()), maxRules); ++i) {
        settings.setArrayIndex(i);
        settings.setValue(QStringLiteral("pattern"), notes.rules.at(i).pattern);
        settings.setValue(QStringLiteral("family"),
                          QString::fromLatin1(familyName(notes.rules.at(i).family)));
    }
    settings.endArray();
}

} // namespace lockscope
