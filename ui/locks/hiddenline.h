// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace lockscope {

/// The line below the table that counts possible locks and keys that look like no lock, and shows or hides
/// them. Hidden while there are none.
class HiddenLine : public QWidget
{
    Q_OBJECT

public:
    explicit HiddenLine(QWidget *parent = nullptr);

    void setCounts(int possible, int hidden);
    bool isOn() const;
    void turnOn();
    QString text() const;

signals:
    void toggled(bool on);

private:
    void refresh();

    int m_possible = 0;
    int m_hidden = 0;
    QLabel *m_text;
    QToolButton *m_toggle;
};

} // namespace lockscope
