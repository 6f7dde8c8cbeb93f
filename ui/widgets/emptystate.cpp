// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/emptystate.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/spokenrole.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <memory>

namespace lockscope {

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent),
      m_picture(new QLabel(this)),
      m_title(new QLabel(this)),
      m_text(new QLabel(this)),
      m_steps(new QHBoxLayout)
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setFocusPolicy(Qt::StrongFocus);
    setSpokenRole(this, QAccessible::StaticText);
    m_title->setFont(strong(font(), 1.35));
    m_text->setWordWrap(true);
    m_text->setMinimumWidth(latinWidth(fontMetrics(), 44));
    for (QLabel *label : {m_picture, m_title, m_text}) {
        label->setTextFormat(Qt::PlainText);
        label->setAlignment(Qt::AlignHCenter);
    }
    m_steps->setSpacing(10);
    m_steps->setAlignment(Qt::AlignHCenter);

    // Not by an alignment: that would give it the height of two lines, however many it needs.
    auto *text = lineOf({Stretch{}, m_text, Stretch{}});
    setLayout(columnOf(
        {Stretch{2}, m_picture, Space{10}, m_title, Space{4}, text, Space{14}, m_steps, Stretch{3}}));
}

void EmptyState::setMessage(Glyph glyph, const QString &title, const QString &text,
                            const QList<QAction *> &nextSteps)
{
    m_title->setText(title);
    m_text->setText(text);
    setAccessibleName(title);
    m_picture->setAccessibleName(title);
    setAccessibleDescription(text);
    if (m_glyph != glyph || m_picture->pixmap().isNull()) {
        m_glyph = glyph;
        drawPicture();
    }
    if (m_actions == nextSteps)
        return;
    m_actions = nextSteps;
    while (const auto item = std::unique_ptr<QLayoutItem>(m_steps->takeAt(0)))
        item->widget()->deleteLater();
    for (QAction *action : nextSteps) {
        auto *button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        m_steps->addWidget(button);
    }
}

QString EmptyState::title() const
{
    return m_title->text();
}

QString EmptyState::text() const
{
    return m_text->text();
}

void EmptyState::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        drawPicture();
}

void EmptyState::drawPicture()
{
    constexpr int side = 44;
    m_picture->setPixmap(
        glyphPixmap(m_glyph, side, textColor(StatusColor::Muted, palette()), devicePixelRatioF()));
}

} // namespace lockscope
