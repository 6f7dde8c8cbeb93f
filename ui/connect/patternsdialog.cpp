// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/patternsdialog.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/propertygrid.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

namespace lockscope {

PatternsDialog::PatternsDialog(const QList<QByteArray> &patterns, bool areKept, QWidget *parent)
    : QDialog(parent), m_text(new QPlainTextEdit(this)), m_message(plainLabel(this))
{
    setWindowTitle(tr("Key patterns"));
    auto *help = plainLabel(this, tr("One pattern per line, as for SCAN. With lock:*, lock_* and *:lock, "
                                     "known families' usual names are read too.") +
                                      (areKept ? u'\n' + keptText() : QString()));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setPlainText(QString::fromUtf8(patterns.join('\n')));
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("Patterns"));
    applyTextColor(m_message, StatusColor::Danger);
    m_message->hide();
    auto *buttons = buttonsOf(this, QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &PatternsDialog::submit);
    setLayout(columnOf({help, {m_text, 1}, m_message, buttons}, 10));
    resize(latinWidth(fontMetrics(), 64), fontMetrics().height() * 16);
}

QString PatternsDialog::keptText()
{
    return tr("Patterns are stored with this server.");
}

QList<QByteArray> PatternsDialog::patterns() const
{
    QList<QByteArray> patterns;
    for (const QByteArray &line : m_text->toPlainText().toUtf8().split('\n')) {
        if (!line.trimmed().isEmpty() && !patterns.contains(line.trimmed()))
            patterns.append(line.trimmed());
    }
    return patterns;
}

void PatternsDialog::submit()
{
    if (patterns().isEmpty()) {
        m_message->setText(tr("Type at least one pattern, such as lock:*"));
        m_message->show();
        m_text->setFocus();
        return;
    }
    emit chosen(patterns());
    accept();
}

} // namespace lockscope
