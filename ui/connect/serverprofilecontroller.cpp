// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/serverprofilecontroller.h"

#include "core/family/recognize.h"
#include "core/watch/keynamefilter.h"
#include "ui/connect/familyrulesdialog.h"
#include "ui/locks/processnamedialog.h"
#include "ui/widgets/dialogs.h"

namespace lockscope {

ServerProfileController::ServerProfileController(QString uri, const QList<FamilyRule> &rules, QObject *parent)
    : QObject(parent), m_uri(std::move(uri)), m_rules(rules)
{
    const ServerProfile notes = notesOf(m_uri);
    m_names.setAll(notes.names);
    m_undiscovered = notes.undiscovered;
    m_patterns = notes.patterns;
    connect(&m_names, &OwnerNames::changed, this, &ServerProfileController::keep);
}

void ServerProfileController::keep() const
{
    keepNotes(m_uri, {m_names.all(), m_rules, m_undiscovered, m_patterns});
}

void ServerProfileController::nameProcess(const WatchedLock *lock, QWidget *window)
{
    if (!lock || clientsOf(lock->lock).isEmpty())
        return;
    auto *dialog = new ProcessNameDialog(lock->lock, m_names, window);
    connect(dialog, &ProcessNameDialog::named, &m_names, &OwnerNames::setName);
    openDialog(dialog);
}

void ServerProfileController::editRules(const WatchedLock *lock, QWidget *window)
{
    const bool isOpen = lock && !candidatesOf(lock->lock).isEmpty();
    auto *dialog = new FamilyRulesDialog(m_rules, isOpen ? lock->key().bytes : QByteArray(), window);
    connect(dialog, &FamilyRulesDialog::chosen, this, [this](const QList<FamilyRule> &rules) {
        m_rules = rules;
        keep();
        emit rulesChosen(rules);
    });
    openDialog(dialog);
}

void ServerProfileController::setPatterns(const QList<QByteArray> &patterns)
{
    m_patterns = patterns == KeyNameFilter::defaultPatterns() ? QList<QByteArray>() : patterns;
    keep();
}

void ServerProfileController::setUndiscovered(const FamilySet &families)
{
    m_undiscovered = families;
    keep();
    emit undiscoveredChosen(families);
}

} // namespace lockscope
