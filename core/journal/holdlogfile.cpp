// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/holdlogfile.h"

#include "core/base/statedirectory.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>

namespace lockscope {

namespace {

constexpr qsizetype digestInName = 16;

QString pathFor(const QString &path, const QByteArray &subject)
{
    if (!path.isEmpty())
        return QFileInfo(path).absoluteFilePath();
    const QByteArray digest = QCryptographicHash::hash(subject, QCryptographicHash::Sha256).toHex();
    return stateDirectory() + QStringLiteral("/check-") + QString::fromLatin1(digest.first(digestInName)) +
           QStringLiteral(".json");
}

/// True if it begins like HoldLog::toJson(), even if incomplete.
bool isOfChecks(const QByteArray &content)
{
    static const QRegularExpression beginning(QStringLiteral(R"(^\{"at":\d+,"holds":\{)"));
    constexpr qsizetype longest = 64;
    const auto match = beginning.match(QString::fromLatin1(content.left(longest)), 0,
                                       QRegularExpression::PartialPreferCompleteMatch);
    return content.isEmpty() || match.hasMatch() || match.hasPartialMatch();
}

tl::unexpected<Phrase> cannotUse(const QString &path, const Phrase &why)
{
    return tl::unexpected(Phrase("%1: %2", path, why));
}

Phrase noFileOfChecks()
{
    return Phrase(QT_TRANSLATE_NOOP("phrases", "it is not a file of checks"));
}

} // namespace

HoldLogFile::HoldLogFile(QString path, QByteArray subject)
    : m_subject(std::move(subject)),
      m_path(pathFor(path, m_subject)),
      m_lock(m_path + QStringLiteral(".lock"))
{
}

tl::expected<HoldLog, Phrase> HoldLogFile::open()
{
    if (!makePrivatePath(QFileInfo(m_path).path()))
        return cannotUse(m_path,
                         Phrase(QT_TRANSLATE_NOOP("phrases", "its directory is missing and cannot be made")));
    if (!m_lock.tryLock(std::chrono::milliseconds(patience).count()))
        return cannotUse(m_path, m_lock.error() == QLockFile::LockFailedError
                                     ? Phrase(QT_TRANSLATE_NOOP("phrases", "another check is using it"))
                                     : Phrase(QT_TRANSLATE_NOOP("phrases", "its directory is not writable")));
    const QFileInfo info(m_path);
    if (info.isSymLink() || (info.exists() && !info.isFile()))
        return cannotUse(m_path, Phrase(QT_TRANSLATE_NOOP("phrases", "it is not a regular file")));
    if (!info.exists())
        return HoldLog(m_subject);
    if (info.permissions() & (QFile::WriteGroup | QFile::WriteOther))
        return cannotUse(m_path,
                         Phrase(QT_TRANSLATE_NOOP("phrases", "others may write to it: chmod 600 it")));
    if (info.size() > maxBytes)
        return cannotUse(m_path, noFileOfChecks());
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly))
        return cannotUse(m_path, Phrase("%1", file.errorString()));
    const QByteArray content = file.read(maxBytes);
    auto parsed = HoldLog::parse(content, m_subject);
    if (!parsed)
        return cannotUse(m_path, parsed.error());
    if (!*parsed && !isOfChecks(content)) // somebody's, named by mistake
        return cannotUse(m_path, noFileOfChecks());
    m_wasDamaged = !*parsed;
    return parsed->value_or(HoldLog(m_subject));
}

tl::expected<void, Phrase> HoldLogFile::save(const HoldLog &memory)
{
    QSaveFile file(m_path);
    const bool isWritten = file.open(QIODevice::WriteOnly) &&
                           file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) &&
                           file.write(memory.toJson()) >= 0 && file.commit();
    if (!isWritten)
        return cannotUse(m_path, Phrase("%1", file.errorString()));
    return {};
}

} // namespace lockscope
