// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/celltextcache.h"
#include "ui/locks/locktablemodel.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QFont>
#include <QHash>
#include <QPixmap>
#include <QStyledItemDelegate>

namespace lockscope {

/// Paints a row of locks straight from the model's values: no QVariant, no text longer than what a cell can
/// show. A name of half a gigabyte is cut before anything is measured.
class LockDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// Both must outlive this.
    LockDelegate(const LockTableModel &model, const DisplayClock &clock, QObject *parent = nullptr);

    void setFont(const QFont &font);
    int rowHeight() const;
    void setCompact(bool compact) { m_isCompact = compact; }
    /// What the State column needs to say whatever it may have to say in full.
    static int stateWidth(const QFontMetrics &metrics);

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintState(QPainter &painter, const QStyleOptionViewItem &option, const WatchedLock &lock) const;
    void paintWaiters(QPainter &painter, const QStyleOptionViewItem &option, const WatchedLock &lock) const;
    void paintTtl(QPainter &painter, const QStyleOptionViewItem &option, const WatchedLock &lock) const;
    void paintProblems(QPainter &painter, const QStyleOptionViewItem &option, const WatchedLock &lock) const;
    void paintText(QPainter &painter, const QStyleOptionViewItem &option, CellTextCache &texts,
                   const QString &text, Qt::Alignment alignment, bool secondary = false) const;
    void paintGlyph(QPainter &painter, Glyph glyph, const QPoint &place, const QColor &color) const;
    QColor inkOf(StatusColor statusColor, const QPalette &palette) const;

    const LockTableModel &m_model;
    const DisplayClock &m_clock;
    mutable DisplayTime m_time; ///< of the lock that is being painted
    bool m_isCompact = false;   ///< rows as low as a text and a bar can be
    QFont m_font;
    QFont m_monospaced;
    mutable CellTextCache m_texts;
    mutable CellTextCache m_monospacedTexts;
    mutable QHash<quint64, QPixmap>
        m_glyphs;                    ///< drawn once: outlines are what painting a row took longest for
    mutable double m_glyphRatio = 0; ///< the device pixels for which they were drawn
};

} // namespace lockscope
