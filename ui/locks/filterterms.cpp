// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/filterterms.h"

#include "core/base/printable.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/plaintext.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>

namespace lockscope {

namespace {

constexpr int crossSize = 8;
constexpr int termPadding = 8;
constexpr int maxCharacters = 40;
constexpr int minCharacters = 4;

} // namespace

FilterTerm::FilterTerm(const QString &term, FilterReading::State state, QWidget *parent)
    : QAbstractButton(parent), m_state(state)
{
    // What the user typed has its own backslashes.
    setText(printable(term.toUtf8(), 400).replace(QStringLiteral("\\\\"), QStringLiteral("\\")));
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setAccessibleName(tr("Remove %1 from the filter").arg(text()));
    setPlainToolTip(*this, accessibleName());
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize FilterTerm::sizeHint() const
{
    const int words =
        std::min(fontMetrics().horizontalAdvance(text()) + 2, latinWidth(fontMetrics(), maxCharacters));
    return {words + 3 * termPadding + crossSize, fontMetrics().height() + 6};
}

QSize FilterTerm::minimumSizeHint() const
{
    return {latinWidth(fontMetrics(), minCharacters) + 3 * termPadding + crossSize, sizeHint().height()};
}

void FilterTerm::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace || key == Qt::Key_Return || key == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void FilterTerm::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isWrong = m_state == FilterReading::State::Wrong;
    const bool isWhole = m_state == FilterReading::State::Whole;
    const QColor color = textColor(isWrong   ? StatusColor::Danger
                                   : isWhole ? StatusColor::Held
                                             : StatusColor::Muted,
                                   palette());
    const StatusColor ground = isWrong ? StatusColor::Danger : StatusColor::Held;
    painter.setPen(QPen(hasFocus() || isWrong ? color : borderColor(palette()), hasFocus() ? 1.6 : 1));
    painter.setBrush(underMouse() ? tintColor(ground, palette()) : palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const QRect cross(width() - termPadding - crossSize, (height() - crossSize) / 2, crossSize, crossSize);
    drawGlyph(painter, Glyph::Cross, cross, textColor(StatusColor::Muted, palette()));
    const QRect place = rect().adjusted(termPadding, 0, -2 * termPadding - crossSize, 0);
    painter.setPen(isWhole ? palette().color(QPalette::Text) : color);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(text(), Qt::ElideMiddle, place.width()));
}

FilterTerms::FilterTerms(QWidget *parent) : QWidget(parent), m_layout(new QHBoxLayout(this))
{
    m_layout->setContentsMargins(10, 0, 10, 8);
    m_layout->setSpacing(6);
    m_layout->addStretch(1);
    hide();
}

void FilterTerms::setFilter(const QString &text, const FilterReading &reading)
{
    for (FilterTerm *term : std::as_const(m_terms)) {
        term->hide();
        term->deleteLater(); // it may be the one that was clicked
    }
    m_terms.clear();
    const QList<FilterReading::Word> &words = reading.words();
    setVisible(words.size() > 1 || m_time);
    if (words.size() < 2)
        return;
    for (int at = 0; at < words.size(); ++at) {
        auto *term = new FilterTerm(words[at].word.in(text), words[at].state, this);
        connect(term, &FilterTerm::clicked, this, [this, at] { emit removed(at); });
        m_layout->insertWidget(at + (m_time ? 1 : 0), term);
        m_terms.append(term);
    }
}

void FilterTerms::setTime(const QString &time)
{
    if (m_time) {
        m_time->hide();
        m_time->deleteLater(); // it may be the one that was clicked
        m_time = nullptr;
    }
    if (!time.isEmpty()) {
        m_time = new FilterTerm(time, FilterReading::State::Whole, this);
        connect(m_time, &FilterTerm::clicked, this, &FilterTerms::timeRemoved);
        m_layout->insertWidget(0, m_time);
    }
    setVisible(m_time || !m_terms.isEmpty());
}

} // namespace lockscope
