// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/connectiontest.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QWidget>

class QGridLayout;

namespace lockscope {

struct ServerFinding;

/// The progress of a connection test, one line per step: mark, name and, after a failure, what to do.
class ConnectionTestView : public QWidget
{
    Q_OBJECT

public:
    explicit ConnectionTestView(QWidget *parent = nullptr);

    void start(const ServerAddress &address, const QList<QByteArray> &patterns);
    void clear();
    QString text() const;

signals:
    void ended();

private:
    void showSteps(const QList<StepReport> &steps);
    void showFitness(const QList<ServerFinding> &findings);
    void addLine(StatusColor statusColor, Glyph glyph, const QString &name, const QString &text);

    ServerAddress m_address;
    std::unique_ptr<ConnectionTest> m_test;
    QGridLayout *m_lines;
    QStringList m_text;
};

} // namespace lockscope
