// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/locktablemodel.h"
#include "ui/locks/celltextcache.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QFont>
#include <QHash>
#include <QPixmap>
#include <QStyledItemDelegate>

namespace lockscope {

/// Paints a row of locks from the model's values, without QVariant. Long names are cut before they are
/// measured.
class LockDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// The model and the clock must outlive this.
    LockDelegate(const LockTableModel &model, const DisplayClock &clock, QObject *parent = nullptr);

    void setFont(const QFont &font);
    int rowHeight() const;
    void setCompact(bool compact) { m_isCompact = compact; }
    /// Sets the locks in sight: what differs between their owners is not cut. Returns whether owners changed.
    bool followOwners(const QList<LockKey> &inSight);

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintState(QPainter &painter, const QStyleOptionViewItem &option, const WatchedLock &lock) const;
    void paintWaiters(QPainter &painter, const QStyleOptionViewItem &option, const WatchedLock &lock) const;
    void paintTtl(QPainter &painter, const QStyleOptionViewItem &option, const WatchedLock &lock) const;
    void paintText(QPainter &painter, const QStyleOptionViewItem &option, CellTextCache &texts,
                   const QString &text, Qt::Alignment alignment, bool secondary = false) const;
    void paintGlyph(QPainter &painter, Glyph glyph, const QPoint &place, const QColor &color) const;
    QColor inkOf(StatusColor statusColor, const QPalette &palette) const;

    const LockTableModel &m_model;
    const DisplayClock &m_clock;
    mutable DisplayTime m_time;
    mutable bool m_isGone = false; ///< whether the painted lock is gone
    bool m_isCompact = false;      ///< minimum row height
    QFont m_font;
    QFont m_monospaced;
    double m_monospacedWidth = 1; ///< of one character
    QStringList m_owners;         ///< in sight, sorted
    mutable CellTextCache m_texts;
    mutable CellTextCache m_monospacedTexts;
    mutable QHash<quint64, QPixmap>
        m_glyphs;                    ///< cached pixmaps: drawing glyphs dominated the time to paint a row
    mutable double m_glyphRatio = 0; ///< device pixel ratio of m_glyphs
};

} // namespace lockscope
