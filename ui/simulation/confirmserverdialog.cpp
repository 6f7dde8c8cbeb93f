// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/confirmserverdialog.h"

#include "core/base/printable.h"
#include "core/words/messages.h"
#include "core/words/texts.h"
#include "ui/widgets/plaintext.h"

#include <QPushButton>

namespace lockscope {

namespace {

QString whatIsWritten(const SimulationSetup &setup)
{
    if (givesFences(setup))
        return ConfirmServerDialog::tr("Writes only keys that start with sim:, with an expiry of at most 24 "
                                       "hours (fencing tokens), and deletes them at the end.");
    return ConfirmServerDialog::
        tr("Writes only keys that start with sim:, with a lease of at most %1, and deletes them at the end.")
            .arg(describe(longestLease(setup)));
}

QString whatHappensThere(const SimulationSetup &setup)
{
    const int workers = maxWorkers(setup);
    const QStringList paragraphs{
        ConfirmServerDialog::tr("%n worker(s) will contend over up to %1 connections.", nullptr, workers)
            .arg(2 * workers + 2),
        whatIsWritten(setup),
    };
    return paragraphs.join(QStringLiteral("\n\n"));
}

} // namespace

ConfirmServerDialog::ConfirmServerDialog(const SimulationSetup &setup, const QString &serverName,
                                         QWidget *parent)
    : QMessageBox(parent)
{
    const QString name = printable(serverName.toUtf8(), 60);
    const bool canRunHere = !needsPrivateServer(setup);
    setWindowTitle(Texts::tr("Simulation"));
    setTextFormat(Qt::PlainText);
    setIcon(QMessageBox::Question);
    setText(canRunHere ? tr("Run “%1” on %2?").arg(titleOf(setup), name)
                       : tr("“%1” runs on a private server only.").arg(titleOf(setup)));
    setInformativeText(canRunHere ? whatHappensThere(setup)
                                  : tr("This run can disturb the server or leave locks."));
    QPushButton *own = addButton(tr("Use a &private server"), QMessageBox::AcceptRole);
    setDefaultButton(own);
    connect(own, &QPushButton::clicked, this, &ConfirmServerDialog::privateServerWanted);
    if (canRunHere) {
        QPushButton *here = addButton(tr("&Run on %1").arg(plainMenuText(printable(serverName.toUtf8(), 30))),
                                      QMessageBox::DestructiveRole);
        here->setObjectName(QStringLiteral("runHere"));
        connect(here, &QPushButton::clicked, this, &ConfirmServerDialog::runHereWanted);
    }
    setEscapeButton(addButton(QMessageBox::Cancel));
    for (QAbstractButton *button : buttons())
        button->setIcon({});
}

} // namespace lockscope
