// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/locktablemodel.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace lockscope {

class OrderHold;

/// The line below the table that says which rows are out of order or out of sight. Always takes its room, so
/// that its text moves nothing.
class OrderLine : public QWidget
{
    Q_OBJECT

public:
    enum class Step : quint8 { Update, GoUp, GoToChosen };

    explicit OrderLine(QWidget *parent = nullptr);

    void showOrder(const LockTableModel::Pending &pending, const OrderHold &hold);
    QString text() const;

signals:
    void stepChosen(lockscope::OrderLine::Step step);

private:
    void say(const QString &text, const QString &stepText, Step step);

    QLabel *m_text;
    QToolButton *m_button;
    Step m_step = Step::Update;
};

} // namespace lockscope
