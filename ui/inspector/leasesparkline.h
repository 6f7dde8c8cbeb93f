// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/leasetrace.h"

#include <QWidget>

namespace lockscope {

/// Describes a lease over time in a sentence: number of renewals, least time left, and how long it was
/// unknown. `mayRepeat`: a renewal may have been another acquisition.
QString leaseSentence(const QList<LeaseStretch> &stretches, bool mayRepeat);

/// Draws the time left of a lease: falling lines, a marked step at each renewal, a broken line without
/// expiry, hatching where it is unknown. The description and tool tip say the same.
class LeaseSparkline : public QWidget
{
    Q_OBJECT

public:
    explicit LeaseSparkline(QWidget *parent = nullptr);

    /// Hides itself without stretches. `isStale`: muted color. Repaints only if it looks different.
    void showLease(const QList<LeaseStretch> &stretches, bool mayRepeat, bool isStale);
    QString sentence() const { return m_sentence; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Piece
    {
        LeaseStretch::Is is = LeaseStretch::Is::Unknown;
        QPointF from;
        QPointF to;
        bool beginsByRenewal = false;

        bool looksLike(const Piece &other) const;
    };

    QList<Piece> pieces() const;

    QList<Piece> m_drawn; ///< pieces of the last painting
    QList<LeaseStretch> m_stretches;
    QString m_sentence;
    bool m_isStale = false;
};

} // namespace lockscope
