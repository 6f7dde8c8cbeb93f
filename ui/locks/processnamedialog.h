// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/ownernames.h"

#include <QDialog>

class QComboBox;
class QLineEdit;

namespace lockscope {

class ProcessNameDialog : public QDialog
{
    Q_OBJECT

public:
    /// `lock` has at least one owner or waiter whose ID carries its process.
    ProcessNameDialog(const Lock &lock, const OwnerNames &names, QWidget *parent);

signals:
    void named(const QByteArray &client, const QString &name);

private:
    void submit();

    const OwnerNames &m_names;
    QComboBox *m_client;
    QLineEdit *m_name;
};

QList<QByteArray> clientsOf(const Lock &lock);

} // namespace lockscope
