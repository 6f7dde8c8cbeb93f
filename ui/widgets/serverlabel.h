// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace lockscope {

/// The server's name in the tool bar, with a badge where nothing can be changed on it.
class ServerLabel : public QWidget
{
    Q_OBJECT

public:
    explicit ServerLabel(QWidget *parent = nullptr);

    void setServer(const QString &name, bool readOnly);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QFont nameFont() const;
    QString badge() const;

    QString m_name;
    bool m_readOnly = false;
};

} // namespace lockscope
