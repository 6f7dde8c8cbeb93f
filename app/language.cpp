// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/language.h"

#include "core/words/familytranslator.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>

namespace lockscope {

namespace {

QString install(const QLocale &locale, const QString &name, const QString &folder)
{
    auto *translator = new QTranslator(QCoreApplication::instance());
    if (!translator->load(locale, name, QStringLiteral("_"), folder))
        return {};
    QCoreApplication::installTranslator(translator);
    return translator->language();
}

} // namespace

void installTranslations(const QLocale &locale)
{
    const QString ours = QStringLiteral(":/i18n");
    const QString name = QStringLiteral("lockscope");
    // English lies beneath all others: the texts in the code don't know one lock from several.
    install(QLocale(QLocale::English), name, ours);
    const QString language = install(locale, name, ours);
    if (language.startsWith(QStringLiteral("zh")))
        QCoreApplication::installTranslator(new FamilyTranslator(QCoreApplication::instance()));
    // Qt's own buttons speak our language, not one that only Qt knows.
    if (!language.isEmpty())
        install(QLocale(language), QStringLiteral("qtbase"),
                QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

} // namespace lockscope
