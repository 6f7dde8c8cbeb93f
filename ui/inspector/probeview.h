// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/holderprobe.h"
#include "ui/widgets/propertygrid.h"

#include <functional>

class QToolButton;

namespace lockscope {

/// The probe of a lock's holder and the button that runs it: the whole command, then the answer with its time,
/// until the holder changes. Hidden without a probe, and if no owner tells what it needs.
class ProbeView : public QWidget
{
    Q_OBJECT

public:
    using Run = std::function<QFuture<Result<ProbeAnswer>>(const ProbeRequest &)>;

    explicit ProbeView(QWidget *parent = nullptr);

    /// Without it nothing is shown. `command`: the server's; empty: the families' own.
    void setProbe(const QString &command, Run run);
    void showLock(const Lock &lock, bool gone);
    QList<std::pair<QString, QString>> rows() const { return m_grid->rows(); }

private:
    void run();
    void showText();

    PropertyGrid *m_grid;
    QLabel *m_text;
    QToolButton *m_button;
    QString m_command;
    Run m_run;
    std::optional<ProbeRequest> m_request; ///< for the shown lock
    QString m_fault;                       ///< of the command
    std::optional<ProbeRequest> m_asked;
    QString m_answer;
    bool m_isRunning = false;
};

} // namespace lockscope
