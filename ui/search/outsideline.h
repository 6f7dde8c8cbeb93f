// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/outsidenames.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace lockscope {

/// The line that counts keys with lock-like names outside all patterns, and offers patterns for them. Hidden
/// without any, or once dismissed.
class OutsideLine : public QWidget
{
    Q_OBJECT

public:
    explicit OutsideLine(QWidget *parent = nullptr);

    void setOutside(const Outside &outside);
    QString text() const;

signals:
    /// Requests to add a watched pattern.
    void addRequested(const QByteArray &pattern);

private:
    Outside m_outside;
    bool m_isDismissed = false;
    QLabel *m_text;
    QHBoxLayout *m_offers;
};

} // namespace lockscope
