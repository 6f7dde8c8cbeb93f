// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/ownernames.h"

#include <QDialog>

class QComboBox;
class QLineEdit;

namespace lockscope {

/// Gives one of the processes that hold a lock or wait for it a name.
class ProcessNameDialog : public QDialog
{
    Q_OBJECT

public:
    /// `lock` has at least one owner or waiter whose id carries its process.
    ProcessNameDialog(const Lock &lock, const OwnerNames &names, QWidget *parent);

signals:
    /// An empty name takes it back.
    void named(const QByteArray &client, const QString &name);

private:
    void submit();

    const OwnerNames &m_names;
    QComboBox *m_client;
    QLineEdit *m_name;
};

/// The processes that hold a lock or stand in its queue, as far as their ids carry them; each once, owners first.
QList<QByteArray> clientsOf(const Lock &lock);

} // namespace lockscope
