// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/unlistednames.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace lockscope {

/// The line that counts keys with lock-like names outside all patterns, and offers patterns for them. Hidden
/// without any, or once dismissed.
class UnlistedLine : public QWidget
{
    Q_OBJECT

public:
    explicit UnlistedLine(QWidget *parent = nullptr);

    void setOutside(const UnlistedNames &outside);
    QString text() const;

signals:
    /// Requests to add a watched pattern.
    void addRequested(const QByteArray &pattern);

private:
    UnlistedNames m_outside;
    bool m_isDismissed = false;
    QLabel *m_text;
    QHBoxLayout *m_offers;
};

} // namespace lockscope
