// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/storedservers.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace lockscope {

/// Stores many servers at once: one address per line, with a common group and environment. Reports invalid
/// lines and stores nothing while there are any.
class ImportDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ImportDialog(QWidget *parent = nullptr);

private:
    void read();
    void store();

    QPlainTextEdit *m_text;
    QLineEdit *m_group;
    QComboBox *m_environment;
    QLabel *m_message;
    QPushButton *m_import;
    QList<StoredServer> m_servers;
};

} // namespace lockscope
