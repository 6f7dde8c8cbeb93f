// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/patternsdialog.h"

#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/propertygrid.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockscope {

PatternsDialog::PatternsDialog(const QList<QByteArray> &patterns, QWidget *parent)
    : QDialog(parent), m_text(new QPlainTextEdit(this)), m_message(plainLabel(this))
{
    setWindowTitle(tr("Key patterns"));
    auto *help = plainLabel(this);
    help->setText(tr("Lockscope reads the keys that match one of these patterns. Write one pattern per line, "
                     "as for SCAN (* any characters, ? one, [ab] a choice)."));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setPlainText(QString::fromUtf8(patterns.join('\n')));
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("Patterns"));
    applyTextColor(m_message, StatusColor::Danger);
    m_message->hide();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    for (QAbstractButton *button : buttons->buttons())
        button->setIcon({});
    connect(buttons, &QDialogButtonBox::accepted, this, &PatternsDialog::submit);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addWidget(help);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_message);
    layout->addWidget(buttons);
    resize(latinWidth(fontMetrics(), 64), fontMetrics().height() * 16);
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
        m_message->setText(tr("The pattern is missing. Type at least one, such as lock:*"));
        m_message->show();
        m_text->setFocus();
        return;
    }
    emit chosen(patterns());
    accept();
}

} // namespace lockscope
