// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/contentsortext.h"

#include <QLabel>

namespace lockscope {

ContentsOrText::ContentsOrText(QWidget *contents, QWidget *parent)
    : QStackedWidget(parent), m_contents(contents), m_text(new QLabel(this))
{
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    addWidget(m_text);
    addWidget(m_contents);
    setContentsMargins(8, 0, 0, 0);
}

void ContentsOrText::showContents()
{
    setCurrentWidget(m_contents);
}

void ContentsOrText::showText(const QString &text)
{
    m_text->setText(text);
    setCurrentWidget(m_text);
}

void ContentsOrText::focusContents()
{
    currentWidget()->setFocus(Qt::ShortcutFocusReason);
}

} // namespace lockscope
