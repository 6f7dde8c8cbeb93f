// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recording/recorddialog.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/fileexport.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/propertygrid.h"

#include <QCheckBox>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace lockscope {

namespace {

constexpr qint64 bytesPerMegabyte = 1'000'000;
constexpr int maxMegabytes = 1'000'000;

} // namespace

RecordDialog::RecordDialog(const QString &server, QWidget *parent)
    : QDialog(parent),
      m_path(new QLineEdit(this)),
      m_limit(new QSpinBox(this)),
      m_anonymous(new QCheckBox(tr("&Anonymous: replace keys, owners and hosts by hashes"), this))
{
    setWindowTitle(tr("Record"));
    auto *help = plainLabel(
        this, tr("Records all locks until you stop. The file holds tokens, which can release locks."));
    const QString name =
        suggestedName(QStringLiteral("recording"), server, QDateTime::currentMSecsSinceEpoch());
    const QString path = QDir::home().filePath(name);
    m_path->setText(path);
    m_path->setSelection(static_cast<int>(path.size() - name.size()), static_cast<int>(name.size()));
    m_path->setAccessibleName(tr("File"));
    m_path->setMinimumWidth(latinWidth(fontMetrics(), 48));
    auto *browse = new QPushButton(tr("&Browse…"), this);
    browse->setAutoDefault(false);
    auto *file = lineOf({{m_path, 1}, browse});
    m_limit->setRange(2, maxMegabytes);
    m_limit->setValue(static_cast<int>(RecordingOptions::usualLimit / bytesPerMegabyte));
    m_limit->setSuffix(tr(" MB"));
    m_limit->setAccessibleName(tr("At most"));
    m_limit->setToolTip(tr("The oldest part is deleted beyond this"));
    auto *form = new QFormLayout;
    auto *fileLabel = new QLabel(tr("&File"), this);
    fileLabel->setBuddy(m_path);
    form->addRow(fileLabel, file);
    auto *limitLabel = new QLabel(tr("At &most"), this);
    limitLabel->setBuddy(m_limit);
    form->addRow(limitLabel, m_limit);
    form->addRow(QString(), m_anonymous);
    auto *buttons = buttonsOf(this, QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    auto *record = buttons->button(QDialogButtonBox::Ok);
    record->setText(tr("&Record"));
    record->setDefault(true);
    // Stretched, since otherwise the text takes what room is left, as a gap below it.
    setLayout(columnOf({help, form, Stretch{}, buttons}, 12, dialogMargins));
    connect(browse, &QPushButton::clicked, this, &RecordDialog::browse);
    connect(buttons, &QDialogButtonBox::accepted, this, &RecordDialog::submit);
    m_path->setFocus();
}

void RecordDialog::browse()
{
    auto *files = new QFileDialog(this, tr("Record to"), m_path->text());
    files->setAcceptMode(QFileDialog::AcceptSave);
    files->setOption(
        QFileDialog::DontConfirmOverwrite); // a recording that is there goes on, anything else is refused
    connect(files, &QFileDialog::fileSelected, m_path, &QLineEdit::setText);
    openDialog(files);
}

void RecordDialog::submit()
{
    const QString path = m_path->text().trimmed();
    if (path.isEmpty())
        return m_path->setFocus();
    // Where the program was started says nothing to whoever types a name.
    emit chosen(QDir::home().absoluteFilePath(path),
                {.limit = m_limit->value() * bytesPerMegabyte, .isAnonymous = m_anonymous->isChecked()});
    accept();
}

} // namespace lockscope
