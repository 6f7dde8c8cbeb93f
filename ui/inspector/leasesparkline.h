// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/leasetrace.h"

#include <QWidget>

namespace lockscope {

/// What a lease was like over a time, in a sentence: how often it was renewed, with how much left at least, and for how long
/// nothing is known. `mayRepeat`: a renewal may have been another acquisition.
QString leaseSentence(const QList<LeaseStretch> &stretches, bool mayRepeat);

/// Draws what was left of a lease: falling lines, a step with a mark at each renewal, a broken line where there is no expiry,
/// and hatching where nothing is known. Says the same as its accessible description and tool tip.
class LeaseSparkline : public QWidget
{
    Q_OBJECT

public:
    explicit LeaseSparkline(QWidget *parent = nullptr);

    /// Nothing is shown where there are none. `isStale`: without its color. Paints where it looks different.
    void showLease(const QList<LeaseStretch> &stretches, bool mayRepeat, bool isStale);
    QString sentence() const { return m_sentence; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    /// A stretch as it is drawn: a line, or what lies between two places.
    struct Piece
    {
        LeaseStretch::Is is = LeaseStretch::Is::Unknown;
        QPointF from;
        QPointF to;
        bool beginsByRenewal = false;

        bool looksLike(const Piece &other) const;
    };

    QList<Piece> pieces() const;

    QList<Piece> m_drawn; ///< as of the last painting
    QList<LeaseStretch> m_stretches;
    QString m_sentence;
    bool m_isStale = false;
};

} // namespace lockscope
