// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/userfamilies.h"

#include "core/family/filecompanions.h"
#include "core/family/registry.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <memory>
#include <optional>

namespace lockscope {

namespace {

constexpr qsizetype maxFamilies = 1000;

/// Why the file cannot be used; absent: it can.
std::optional<FileFault> refusalOf(const FamilyFile &file, std::span<const FamilySpec *const> taken)
{
    if (!file.isValid())
        return file.faults().first();
    const FamilySpec &spec = file.spec();
    for (const FamilySpec *known : taken) {
        if (qstrcmp(known->name, spec.name) == 0 && known->version > spec.version)
            return FileFault{0, 0,
                             Phrase(QT_TRANSLATE_NOOP("phrases", "the family %1 exists in a higher version"),
                                    QByteArray(spec.name))};
    }
    const std::optional<Family> builtIn = builtInFamily(spec.name);
    if (!builtIn)
        return std::nullopt;
    const FamilySpec &known = specOf(*builtIn);
    if (!known.forms)
        return FileFault{
            0, 0,
            Phrase(QT_TRANSLATE_NOOP("phrases", "the family %1 is built in; choose another name"),
                   QByteArray(spec.name))};
    if (known.version > spec.version)
        return FileFault{0, 0,
                         Phrase(QT_TRANSLATE_NOOP("phrases", "the family %1 exists in a higher version"),
                                QByteArray(spec.name))};
    return std::nullopt;
}

QList<RefusedFamily> &leftOut()
{
    static QList<RefusedFamily> files;
    return files;
}

} // namespace

const QList<RefusedFamily> &refusedFamilies()
{
    return leftOut();
}

QStringList familyFolders()
{
    return {QStringLiteral("/etc/lockscope/families.d"),
            QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
                QStringLiteral("/lockscope/families")};
}

QList<RefusedFamily> loadFamilies(const QStringList &folders)
{
    static std::vector<std::unique_ptr<FamilyFile>> files; // for good: locks name their families
    QList<RefusedFamily> &refused = leftOut();
    std::vector<const FamilySpec *> specs;
    for (const QString &folder : folders) {
        const QDir directory(folder);
        for (const QString &name : directory.entryList({QStringLiteral("*.toml")}, QDir::Files, QDir::Name)) {
            const QString path = directory.filePath(name);
            QFile file(path);
            const bool isRead = file.open(QIODevice::ReadOnly);
            auto family = std::make_unique<FamilyFile>(
                isRead ? file.read(FamilyFile::longest + 1) : QByteArray(), path);
            std::optional<FileFault> fault;
            if (!isRead)
                fault = FileFault{0, 0, Phrase::verbatim(file.errorString())};
            else if (specs.size() >= maxFamilies)
                fault =
                    FileFault{0, 0, Phrase(QT_TRANSLATE_NOOP("phrases", "more than %1 files"), maxFamilies)};
            else
                fault = refusalOf(*family, specs);
            if (fault) {
                refused.append({path, *fault});
                continue;
            }
            if (!family->spec().forms->companions.empty())
                family->setCompanions(fileCompanions(family->spec().hasQueue));
            specs.push_back(&family->spec());
            files.push_back(std::move(family));
        }
    }
    if (!specs.empty())
        addFamilies(specs);
    return refused;
}

Phrase faultInFile(const QString &path, const FileFault &fault)
{
    return fault.line == 0 ? Phrase("%1: %2", path, fault.what)
                           : Phrase("%1:%2:%3: %4", path, Phrase::verbatim(QString::number(fault.line)),
                                    Phrase::verbatim(QString::number(fault.column)), fault.what);
}

} // namespace lockscope
