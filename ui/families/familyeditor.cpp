// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/families/familyeditor.h"

#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/family/familycheck.h"
#include "core/family/mismatch.h"
#include "core/family/userfamilies.h"
#include "core/redis/whendone.h"
#include "core/words/phrases.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/measure.h"

#include <QDir>
#include <QFileDialog>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>

namespace lockscope {

namespace {

constexpr qsizetype maxTried = 32; // each is read from the server
constexpr std::chrono::milliseconds checkAfter{300};

QString placeInWords(const FileFault &fault)
{
    const QString line = QString::number(fault.line);
    const QString what = inWords(fault.what);
    return fault.column > 0
               ? FamilyEditor::tr("Line %1, column %2: %3").arg(line, QString::number(fault.column), what)
           : fault.line > 0 ? FamilyEditor::tr("Line %1: %2").arg(line, what)
                            : what;
}

/// Returns how certain the file is about a key, or why it rejects the key.
QString findingOf(const FamilyFile &file, const StoredKey &stored, const QByteArray &certainty,
                  const KeyContent &content)
{
    if (certainty != "none")
        return FamilyEditor::tr("matches, %1").arg(QString::fromLatin1(certainty));
    for (const Phrase &why : mismatchesOf(file.spec(), stored.key, content)) {
        if (!why.isEmpty())
            return FamilyEditor::tr("no match: %1").arg(inWords(why));
    }
    return FamilyEditor::tr("matches, but nobody holds it");
}

} // namespace

FamilyEditor::FamilyEditor(const QByteArray &text, LocksOfPage locks, QWidget *parent)
    : QDialog(parent),
      m_known(std::move(locks)),
      m_text(new QPlainTextEdit(this)),
      m_report(new QPlainTextEdit(this))
{
    setWindowTitle(tr("Family file"));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("Text of the file"));
    m_text->setObjectName(QStringLiteral("text"));
    m_text->setPlainText(QString::fromUtf8(text));
    m_report->setReadOnly(true);
    m_report->setAccessibleName(tr("What the file finds"));
    m_report->setObjectName(QStringLiteral("report"));
    auto *buttons = buttonsOf(this, QDialogButtonBox::Close);
    m_save = buttons->addButton(tr("&Save…"), QDialogButtonBox::ActionRole);
    m_checking.setSingleShot(true);
    m_checking.setInterval(checkAfter);
    connect(&m_checking, &QTimer::timeout, this, &FamilyEditor::check);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        m_save->setEnabled(false);
        m_checking.start();
    });
    m_save->setAutoDefault(false);
    connect(m_save, &QPushButton::clicked, this, &FamilyEditor::save);
    setLayout(columnOf({{m_text, 5}, {m_report, 2}, buttons}, 8, dialogMargins));
    resize(latinWidth(fontMetrics(), 104), fontMetrics().height() * 32);
    check();
}

void FamilyEditor::check()
{
    m_file = std::make_shared<FamilyFile>(m_text->toPlainText().toUtf8());
    const QList<FileFault> faults = m_file->isValid() ? checkExamples(*m_file) : m_file->faults();
    const bool isInOrder = faults.isEmpty();
    m_save->setEnabled(isInOrder);
    QStringList places;
    for (const FileFault &fault : faults)
        places.append(placeInWords(fault));
    m_verdict = isInOrder ? tr("The file is in order. Examples: %1.").arg(m_file->examples().size())
                          : places.join(u'\n');
    m_tried.clear();
    m_findings.clear();
    m_named = m_matched = 0;
    if (m_file->isValid())
        findNamed();
    report();
    tryNext();
}

void FamilyEditor::findNamed()
{
    const NameGlobs &names = m_file->spec().usualNames;
    m_known.visit([&](const Lock &lock) {
        const bool isNamed = names.isEmpty() || std::ranges::any_of(names, [&](const char *glob) {
                                 return globMatches(glob, lock.key().bytes);
                             });
        m_named += isNamed ? 1 : 0;
        if (isNamed && m_tried.size() < maxTried)
            m_tried.append(lock);
    });
}

void FamilyEditor::tryNext()
{
    if (m_findings.size() == m_tried.size() || !m_known.read)
        return;
    const Lock lock = m_tried.at(m_findings.size());
    whenDone(this, m_known.read(lock), [this, lock, file = m_file](const Result<LockContents> &contents) {
        if (file != m_file) // edited meanwhile
            return;
        QString finding = tr("could not be read");
        bool isMatch = false;
        if (contents && !contents->keys.isEmpty() && !contents->keys.first().error) {
            const StoredKey &stored = contents->keys.first();
            const KeyContent content = contentOf(stored);
            const QByteArray certainty =
                certaintyIn(file->spec(), {0, stored.key, content, stored.ttl, contents->readAtMs, {}, {}});
            isMatch = certainty != "none";
            finding = findingOf(*file, stored, certainty, content);
        }
        m_findings.insert(
            isMatch ? m_matched++ : m_findings.size(),
            tr("%1: %2", "a key, and what a file makes of it").arg(printable(lock.key().bytes), finding));
        report();
        tryNext();
    });
}

void FamilyEditor::report()
{
    QStringList lines{m_verdict};
    if (m_file->isValid())
        lines.append(tr("Known keys with such names: %1. Read: %2. Matches: %3.")
                         .arg(m_named)
                         .arg(m_findings.size())
                         .arg(m_matched));
    if (m_file->isValid() && !m_known.read)
        lines.append(tr("A recording has no values to try."));
    else if (m_file->isValid() && m_named == 0)
        lines.append(tr("Whole server: lockscope-cli family try FILE"));
    m_report->setPlainText((lines + m_findings).join(u'\n'));
}

void FamilyEditor::save()
{
    const QString folder = familyFolders().last();
    QDir().mkpath(folder);
    auto *files = new QFileDialog(this, tr("Save family file"), folder, tr("Family files (*.toml)"));
    files->setAcceptMode(QFileDialog::AcceptSave);
    files->setDefaultSuffix(QStringLiteral("toml"));
    files->selectFile(QString::fromLatin1(m_file->spec().name) + QStringLiteral(".toml"));
    connect(files, &QFileDialog::fileSelected, this, &FamilyEditor::write);
    openDialog(files);
}

void FamilyEditor::write(const QString &path)
{
    QSaveFile file(path);
    const QByteArray text = m_text->toPlainText().toUtf8();
    const bool isWritten =
        file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit();
    const QString shown = printable(path.toUtf8());
    m_verdict = isWritten ? tr("Saved as %1. Used from the next start.").arg(shown)
                          : tr("%1 could not be written: %2").arg(shown, file.errorString());
    report();
}

} // namespace lockscope
