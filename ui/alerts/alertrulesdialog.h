// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/alerts/alertnotes.h"

#include <QDialog>

#include <array>
#include <optional>

class QCheckBox;
class QLabel;
class QSpinBox;

namespace lockscope {

class DesktopNotifications;

/// Which alerts there are of a server, with their limits, and of which of them the desktop is told.
class AlertRulesDialog : public QDialog
{
    Q_OBJECT

public:
    /// `areKept`: they are stored with the server. `desktop` must outlive this.
    AlertRulesDialog(const AlertSettings &settings, bool areKept, DesktopNotifications &desktop,
                     QWidget *parent);

    AlertSettings settings() const;

signals:
    void chosen(const lockscope::AlertSettings &settings);

private:
    struct Rule
    {
        QCheckBox *isOn = nullptr;
        QSpinBox *limit = nullptr; ///< null: it has none
        QCheckBox *notifies = nullptr;
    };

    Rule &rule(AlertKind kind) { return m_rules.at(static_cast<size_t>(kind)); }
    const Rule &rule(AlertKind kind) const { return m_rules.at(static_cast<size_t>(kind)); }
    QLayout *table();
    QSpinBox *numberBox(const QString &name, int least, int most);
    void fill(const AlertSettings &settings);
    void showState();
    void submit();

    DesktopNotifications &m_desktop;
    AlertSettings m_filled; ///< as the fields show it
    std::array<Rule, alertKinds> m_rules;
    QCheckBox *m_notifies;
    QLabel *m_service;
    QLabel *m_message;
};

} // namespace lockscope
