// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/connectiontest.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QWidget>

class QGridLayout;

namespace lockscope {

/// How far a connection got, a line for each step: a mark, its name, and what to do where it failed.
class ConnectionTestView : public QWidget
{
    Q_OBJECT

public:
    explicit ConnectionTestView(QWidget *parent = nullptr);

    void start(const ServerAddress &address, const QList<QByteArray> &patterns);
    /// Nothing is shown of it any more.
    void clear();
    /// What is shown, a line for each step.
    QString text() const;

signals:
    void ended();

private:
    void showSteps(const QList<StepReport> &steps);
    void addLine(StatusColor statusColor, Glyph glyph, const QString &name, const QString &text);

    ServerAddress m_address;
    std::unique_ptr<ConnectionTest> m_test;
    QGridLayout *m_lines;
    QStringList m_text;
};

} // namespace lockscope
