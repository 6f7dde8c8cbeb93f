// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockdelegate.h"

#include "core/state/severity.h"
#include "core/table/locktext.h"
#include "ui/locks/leasebar.h"

#include <QFontDatabase>
#include <QPainter>

#include <utility>

namespace lockscope {

namespace {

constexpr int cellMargin = 8;
constexpr int glyphSize = 14;
constexpr int barHeight = 3;
constexpr int moreSpace = 6;
constexpr int besideState = cellMargin + 2 + glyphSize + 7 + cellMargin + moreSpace;

} // namespace

LockDelegate::LockDelegate(const LockTableModel &model, const DisplayClock &clock, QObject *parent)
    : QStyledItemDelegate(parent), m_model(model), m_clock(clock)
{
}

void LockDelegate::setFont(const QFont &font)
{
    m_font = font;
    m_monospaced = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    m_monospaced.setPointSizeF(font.pointSizeF());
    m_monospacedWidth = QFontMetricsF(m_monospaced).horizontalAdvance(QString(100, u'0')) / 100;
    m_texts.clear();
    m_monospacedTexts.clear();
}

int LockDelegate::rowHeight() const
{
    return QFontMetrics(m_font).height() + (m_isCompact ? barHeight + 2 : 2 * barHeight + 6);
}

bool LockDelegate::followOwners(const QList<LockKey> &inSight)
{
    QStringList owners;
    for (const LockKey &key : inSight)
        owners << m_model.indexOf(key, LockColumn::Owner).data().toString();
    owners.sort();
    return std::exchange(m_owners, owners) != owners;
}

/// Returns the width with which nothing is cut.
QSize LockDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    if (!index.isValid())
        return {0, rowHeight()};
    const WatchedLock &lock = m_model.at(index.row());
    const TimePoint now = m_clock.of(lock.key()).now();
    const LockColumnSpec &column = specOf(static_cast<LockColumn>(index.column()));
    const bool isMonospaced = column.paint == CellPaint::Monospaced || column.paint == CellPaint::Owner;
    const QString text =
        column.paint == CellPaint::Waiters ? waiterCountText(lock) : column.text(m_model.cellOf(lock, now));
    int width = QFontMetrics(isMonospaced ? m_monospaced : m_font).horizontalAdvance(text);
    width += column.paint == CellPaint::State ? besideState : 2 * cellMargin;
    if (column.paint == CellPaint::Waiters && lock.problems().testFlag(Problem::DeadWaiter))
        width += glyphSize + 6;
    return {width, rowHeight()};
}

/// Colors of stale data are muted; shapes and words stay.
QColor LockDelegate::inkOf(StatusColor statusColor, const QPalette &palette) const
{
    return textColor(m_time.isStopped() ? StatusColor::Muted : statusColor, palette);
}

void LockDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    const bool chosen = option.state.testFlag(QStyle::State_Selected);
    if (chosen)
        painter->fillRect(option.rect,
                          selection(option.palette, option.state.testFlag(QStyle::State_Active)));
    else if (index.row() % 2 == 1)
        painter->fillRect(option.rect, option.palette.color(QPalette::AlternateBase));
    if (chosen && index.column() == 0)
        painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())),
                          option.palette.color(QPalette::Highlight));

    const WatchedLock &lock = m_model.at(index.row());
    m_time = m_model.timeAt(index.row(), m_clock);
    m_isGone = m_model.isGone(index.row());
    painter->save();
    painter->setFont(m_font);
    const LockColumnSpec &column = specOf(static_cast<LockColumn>(index.column()));
    switch (column.paint) {
    case CellPaint::Text:
    case CellPaint::Monospaced:
    case CellPaint::Owner: {
        if (m_isGone && column.id == LockColumn::Held) // it would be counted from when the row was made
            break;
        const bool isMonospaced = column.paint != CellPaint::Text;
        const LockCell cell = m_model.cellOf(lock, m_time.now());
        painter->setFont(isMonospaced ? m_monospaced : m_font);
        QString text = column.text(cell);
        if (column.paint == CellPaint::Owner)
            text = shortenedOwner(text, m_owners,
                                  int((option.rect.width() - 2 * cellMargin) / m_monospacedWidth));
        paintText(*painter, option, isMonospaced ? m_monospacedTexts : m_texts, text,
                  column.isNumber ? Qt::AlignRight : Qt::AlignLeft, column.isMuted && column.isMuted(cell));
        break;
    }
    case CellPaint::State:
        paintState(*painter, option, lock);
        break;
    case CellPaint::Waiters:
        paintWaiters(*painter, option, lock);
        break;
    case CellPaint::Ttl:
        if (!m_isGone)
            paintTtl(*painter, option, lock);
        break;
    }
    painter->restore();
}

void LockDelegate::paintState(QPainter &painter, const QStyleOptionViewItem &option,
                              const WatchedLock &lock) const
{
    const StateAppearance look = m_isGone ? goneAppearance() : appearanceOf(lock, m_time.now());
    const QColor color = inkOf(look.color, option.palette);
    const QRect cell = option.rect.adjusted(cellMargin + 2, 0, -cellMargin, 0);
    const QPoint place(cell.left(), cell.center().y() - glyphSize / 2);
    paintGlyph(painter, look.glyph, place, color);
    painter.setPen(color);
    QRect word = cell.adjusted(glyphSize + 7, 0, 0, 0);
    if (const QString more = look.moreText(); !more.isEmpty()) { // the tool tip says which
        painter.setPen(inkOf(StatusColor::Warning, option.palette));
        m_texts.draw(painter, more, word, Qt::AlignRight);
        word.setRight(word.right() - painter.fontMetrics().horizontalAdvance(more) - moreSpace);
        painter.setPen(color);
    }
    m_texts.draw(painter, look.word, word, Qt::AlignLeft, Qt::ElideRight);
}

void LockDelegate::paintWaiters(QPainter &painter, const QStyleOptionViewItem &option,
                                const WatchedLock &lock) const
{
    const QString text = waiterCountText(lock);
    if (text.isEmpty())
        return;
    const bool isDead = lock.problems().testFlag(Problem::DeadWaiter);
    const bool isWaitedOn = lock.lock.companions->waiters.count > 0;
    painter.setPen(isDead                              ? inkOf(StatusColor::Danger, option.palette)
                   : isWaitedOn && !m_time.isStopped() ? option.palette.color(QPalette::Text)
                                                       : inkOf(StatusColor::Muted, option.palette));
    const QRect cell = option.rect.adjusted(cellMargin, 0, -cellMargin, 0);
    if (isDead) {
        const int left = cell.right() - painter.fontMetrics().horizontalAdvance(text) - glyphSize - 6;
        paintGlyph(painter, Glyph::Triangle,
                   QPoint(std::max(cell.left(), left), cell.center().y() - glyphSize / 2),
                   painter.pen().color());
    }
    m_texts.draw(painter, text, cell, Qt::AlignRight);
}

void LockDelegate::paintTtl(QPainter &painter, const QStyleOptionViewItem &option,
                            const WatchedLock &lock) const
{
    const TimePoint now = m_time.now();
    const LockState state = stateOf(lock, now);
    const QRect cell = option.rect.adjusted(cellMargin, 0, -cellMargin, 0);
    const StatusColor statusColor =
        !lock.lock.deadline && state == LockState::Held ? StatusColor::Muted : stateColor(state);
    const QColor color = inkOf(statusColor, option.palette);
    const bool calm = lock.lock.deadline && state != LockState::Expiring && state != LockState::Ended;
    painter.setPen(m_time.isStopped() || !calm ? color : option.palette.color(QPalette::Text));
    m_texts.draw(painter, ttlText(lock, now), cell.adjusted(0, 0, 0, -barHeight - 1), Qt::AlignRight,
                 Qt::ElideRight);

    const QRectF bar(cell.left(), cell.bottom() - barHeight - 2, cell.width(), barHeight);
    drawLeaseBar(painter, bar, lock, now, m_time.isStopped(), option.palette);
}

void LockDelegate::paintGlyph(QPainter &painter, Glyph glyph, const QPoint &place, const QColor &color) const
{
    const double ratio = painter.device()->devicePixelRatioF();
    // Colors change with the theme: what was drawn for the one before goes at some time.
    constexpr qsizetype most = 64;
    if (m_glyphRatio != ratio || m_glyphs.size() >= most)
        m_glyphs.clear();
    m_glyphRatio = ratio;
    QPixmap &drawn = m_glyphs[quint64(color.rgba()) << 8 | quint64(glyph)];
    if (drawn.isNull())
        drawn = glyphPixmap(glyph, glyphSize, color, ratio);
    painter.drawPixmap(place, drawn);
}

void LockDelegate::paintText(QPainter &painter, const QStyleOptionViewItem &option, CellTextCache &texts,
                             const QString &text, Qt::Alignment alignment, bool secondary) const
{
    painter.setPen(secondary || m_time.isStopped() ? textColor(StatusColor::Muted, option.palette)
                                                   : option.palette.color(QPalette::Text));
    // A figure cut in its middle reads like another one.
    texts.draw(painter, text, option.rect.adjusted(cellMargin, 0, -cellMargin, 0), alignment,
               alignment.testFlag(Qt::AlignRight) ? Qt::ElideRight : Qt::ElideMiddle);
}

} // namespace lockscope
