// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/alerts/alertnotes.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QGridLayout;
class QLabel;
class QSpinBox;

namespace lockscope {

class DesktopNotifications;

class AlertRulesDialog : public QDialog
{
    Q_OBJECT

public:
    /// `areKept`: settings are stored with the server. `desktop` must outlive this.
    AlertRulesDialog(const AlertSettings &settings, bool areKept, DesktopNotifications &desktop,
                     QWidget *parent);

    AlertSettings settings() const;

signals:
    void chosen(const lockscope::AlertSettings &settings);

private:
    struct Fields
    {
        const AlertRule *rule = nullptr;
        QCheckBox *isOn = nullptr;
        QSpinBox *limit = nullptr; ///< nullptr without a limit
        QCheckBox *notifies = nullptr;
    };

    QLayout *table();
    void addRule(const AlertRule &rule, QGridLayout &grid);
    void fill(const AlertSettings &settings);
    void showState();
    void submit();

    DesktopNotifications &m_desktop;
    AlertSettings m_filled; ///< initial values
    std::vector<Fields> m_fields;
    QCheckBox *m_notifies;
    QLabel *m_service;
    QLabel *m_message;
};

} // namespace lockscope
