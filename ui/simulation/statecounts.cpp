// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/statecounts.h"

#include "ui/simulation/runtext.h"

#include <QLocale>
#include <QPainter>

namespace lockscope {

namespace {

constexpr int stateGlyphSize = 13;
constexpr int space = 5;
constexpr int gap = 14;

constexpr std::array order{WorkerState::Holding,  WorkerState::Waiting, WorkerState::Resting,
                           WorkerState::Paused,   WorkerState::Dead,    WorkerState::Disconnected,
                           WorkerState::Starting, WorkerState::Finished};

} // namespace

StateCounts::StateCounts(const WorkerModel &model, QWidget *parent) : QWidget(parent), m_model(model)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Worker states"));
}

void StateCounts::refresh()
{
    QList<std::pair<WorkerState, int>> counts;
    QStringList words;
    for (const WorkerState state : order) {
        // The two that matter stand still; the others come and go.
        const bool isAlways = state == WorkerState::Holding || state == WorkerState::Waiting;
        const int count = m_model.countOf(state);
        if (count == 0 && !(isAlways && m_model.rowCount() > 0))
            continue;
        counts.append({state, count});
        words << tr("%1 %2", "count and state").arg(QLocale().toString(count), lookOf(state).word);
    }
    if (counts == m_counts)
        return;
    const bool isWider = counts.size() != m_counts.size();
    m_counts = counts;
    m_text = words.join(QStringLiteral(", "));
    setAccessibleDescription(m_text);
    if (isWider)
        updateGeometry();
    update();
}

QList<StateCounts::Part> StateCounts::placed(int width) const
{
    QList<Part> parts;
    const int line = std::max(fontMetrics().height(), stateGlyphSize) + 2;
    // As wide as three digits, so that nothing jumps about ten times a second.
    const int digits = fontMetrics().horizontalAdvance(QStringLiteral("000"));
    QPoint at(0, 0);
    for (const auto &[state, count] : m_counts) {
        const QString number = QLocale().toString(count);
        const QString word = lookOf(state).word;
        const int wide = stateGlyphSize + space + std::max(digits, fontMetrics().horizontalAdvance(number)) +
                         space + fontMetrics().horizontalAdvance(word);
        if (at.x() > 0 && at.x() + wide > width)
            at = QPoint(0, at.y() + line);
        parts.append({state, number + u' ' + word, QRect(at, QSize(wide, line))});
        at.rx() += wide + gap;
    }
    return parts;
}

int StateCounts::heightForWidth(int width) const
{
    const QList<Part> parts = placed(width);
    return parts.isEmpty() ? fontMetrics().height() + 2 : parts.last().place.bottom() + 1;
}

QSize StateCounts::sizeHint() const
{
    return {minimumSizeHint().width() * 3, minimumSizeHint().height()};
}

QSize StateCounts::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(u's') * 20, std::max(fontMetrics().height(), stateGlyphSize) + 2};
}

void StateCounts::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    for (const Part &part : placed(width())) {
        const StateLook look = lookOf(part.state);
        const QRect &place = part.place;
        drawGlyph(
            painter, look.glyph,
            QRect(place.left(), place.center().y() - stateGlyphSize / 2, stateGlyphSize, stateGlyphSize),
            textColor(look.statusColor, palette()));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(place.adjusted(stateGlyphSize + space, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         part.text);
    }
}

} // namespace lockscope
