// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/families/familiesdialog.h"

#include "core/base/printable.h"
#include "core/family/draft.h"
#include "core/family/userfamilies.h"
#include "core/redis/whendone.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/spokenrole.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTreeWidget>

namespace lockscope {

namespace {

enum Column { LookedFor, Title, Locks, From };
constexpr int familyRole = Qt::UserRole;    // of a family's row: its index
constexpr int faultRole = Qt::UserRole + 1; // of a file that was left out
constexpr std::chrono::seconds countEvery{1};

QString shownText(const QString &text)
{
    return printable(text.toUtf8());
}

} // namespace

FamiliesDialog::FamiliesDialog(LocksOfPage locks, std::optional<Lock> chosen,
                               std::optional<FamilySet> undiscovered, QWidget *parent)
    : QDialog(parent),
      m_known(std::move(locks)),
      m_chosen(std::move(chosen)),
      m_canSwitch(undiscovered.has_value()),
      m_filter(new QLineEdit(this)),
      m_list(new QTreeWidget(this)),
      m_none(plainLabel(this, tr("No family matches. Clear the search to see all."))),
      m_details(new QPlainTextEdit(this)),
      m_problem(plainLabel(this))
{
    setWindowTitle(tr("Families"));
    m_filter->setPlaceholderText(tr("Search"));
    m_filter->setAccessibleName(tr("Search in the families"));
    addClearButton(m_filter);
    m_list->setHeaderLabels({tr("Looked for"), tr("Family"), tr("Locks"), tr("From")});
    m_list->headerItem()->setToolTip(LookedFor, tr("Look for locks under this family's usual names."));
    m_list->setAccessibleName(windowTitle());
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_none->hide();
    applyTextColor(m_none, StatusColor::Muted);
    m_details->setReadOnly(true);
    m_details->setAccessibleName(tr("Details of the family"));
    applyTextColor(m_problem, StatusColor::Danger);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->hide();
    addFamilies(undiscovered.value_or(FamilySet()));
    addRefused();
    if (const auto count = refusedFamilies().size(); count > 0)
        say(tr("Files left out: %1. Search “left out” for reasons.").arg(count));
    countLocks();
    m_list->setSortingEnabled(true);
    m_list->sortByColumn(Title, Qt::AscendingOrder);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(Title, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(From, QHeaderView::Interactive);
    m_list->setColumnWidth(From, latinWidth(fontMetrics(), 14));

    auto *left = new QWidget(this);
    left->setLayout(columnOf({{m_list, 1}, m_none}, usualSpacing, {}));
    auto *halves = new QSplitter(this);
    halves->addWidget(left);
    halves->addWidget(m_details);
    halves->setChildrenCollapsible(false);
    halves->setSizes({latinWidth(fontMetrics(), 80), latinWidth(fontMetrics(), 44)});
    auto *buttons = buttonsOf(this, QDialogButtonBox::Close);
    auto *tried = buttons->addButton(tr("&Try a file…"), QDialogButtonBox::ActionRole);
    m_draft = buttons->addButton(tr("&New from lock…"), QDialogButtonBox::ActionRole);
    m_draft->setEnabled(m_chosen && m_known.read);
    m_draft->setToolTip(!m_known.read ? tr("A recording has no values for a draft.")
                        : !m_chosen   ? tr("Select a lock in the table first.")
                                      : plainToolTip(shownText(QString::fromUtf8(m_chosen->key().bytes))));
    for (QAbstractButton *button : buttons->buttons()) // Enter is for the list
        static_cast<QPushButton *>(button)->setAutoDefault(false);
    setLayout(columnOf({m_filter, {halves, 1}, m_problem, buttons}, 10, dialogMargins));

    auto *turn = new QShortcut(Qt::Key_Space, m_list, nullptr, nullptr, Qt::WidgetShortcut);
    connect(turn, &QShortcut::activated, this, [this] {
        QTreeWidgetItem *item = m_list->currentItem();
        if (item && (item->flags() & Qt::ItemIsUserCheckable))
            item->setCheckState(LookedFor,
                                item->checkState(LookedFor) == Qt::Checked ? Qt::Unchecked : Qt::Checked);
    });
    connect(m_filter, &QLineEdit::textChanged, this, &FamiliesDialog::filter);
    connect(m_filter, &QLineEdit::returnPressed, m_list, qOverload<>(&QWidget::setFocus));
    connect(m_list, &QTreeWidget::currentItemChanged, this, &FamiliesDialog::showDetails);
    connect(m_list, &QTreeWidget::itemChanged, this, [this](const QTreeWidgetItem *, int column) {
        if (column == LookedFor)
            takeChecks();
    });
    connect(tried, &QPushButton::clicked, this, &FamiliesDialog::tryFile);
    connect(m_draft, &QPushButton::clicked, this, &FamiliesDialog::draft);
    connect(&m_counting, &QTimer::timeout, this, &FamiliesDialog::countLocks);
    m_counting.start(countEvery);
    m_list->setCurrentItem(m_list->topLevelItem(0));
    m_filter->setFocus();
    resize(latinWidth(fontMetrics(), 140), fontMetrics().height() * 30);
}

void FamiliesDialog::addFamilies(const FamilySet &undiscovered)
{
    for (const Family family : allFamilies()) {
        const FamilySpec &spec = specOf(family);
        if (family.isUnknown())
            continue;
        const QString title =
            tr("%1 (%2)", "a family and its name").arg(shownText(describe(family)), QLatin1String(spec.name));
        auto *item = new QTreeWidgetItem(m_list, {QString(), title, QString(), originOf(spec)});
        item->setData(Title, familyRole, family.index());
        item->setTextAlignment(Locks, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(From, plainToolTip(originOf(spec)));
        const bool isLookedFor = spec.discovery == Discovery::Always && !spec.usualNames.isEmpty();
        if (isLookedFor)
            item->setCheckState(LookedFor, undiscovered.contains(family) ? Qt::Unchecked : Qt::Checked);
        item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled |
                       (isLookedFor && m_canSwitch ? Qt::ItemIsUserCheckable : Qt::NoItemFlags));
    }
}

void FamiliesDialog::addRefused()
{
    for (const RefusedFamily &file : refusedFamilies()) {
        const QString name = QFileInfo(file.path).fileName();
        auto *item = new QTreeWidgetItem(
            m_list, {QString(), tr("%1 (left out)").arg(shownText(name)), QString(), shownText(file.path)});
        item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
        item->setData(Title, faultRole, inWords(faultInFile(file.path, file.fault)));
        item->setToolTip(From, plainToolTip(file.path));
        item->setForeground(Title, textColor(StatusColor::Danger, palette()));
    }
}

void FamiliesDialog::countLocks()
{
    QHash<int, int> counts;
    m_known.visit([&counts](const Lock &lock) { ++counts[lock.family.index()]; });
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        QTreeWidgetItem *item = m_list->topLevelItem(row);
        const QVariant family = item->data(Title, familyRole);
        const int count = counts.value(family.toInt());
        if (family.isValid() && item->data(Locks, Qt::DisplayRole) != count)
            item->setData(Locks, Qt::DisplayRole, count);
    }
}

void FamiliesDialog::filter(const QString &words)
{
    const QStringList wanted = words.split(u' ', Qt::SkipEmptyParts);
    QTreeWidgetItem *first = nullptr;
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        QTreeWidgetItem *item = m_list->topLevelItem(row);
        const QString text = item->text(Title) + u' ' + item->text(From);
        const bool isMatch = std::ranges::all_of(
            wanted, [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
        item->setHidden(!isMatch);
        first = isMatch && !first ? item : first;
    }
    m_list->setVisible(first);
    m_none->setVisible(!first);
    if (const QTreeWidgetItem *current = m_list->currentItem(); !current || current->isHidden())
        m_list->setCurrentItem(first);
}

void FamiliesDialog::showDetails()
{
    const QTreeWidgetItem *item = m_list->currentItem();
    if (!item)
        return m_details->clear();
    const QString fault = item->data(Title, faultRole).toString();
    m_details->setPlainText(fault.isEmpty()
                                ? detailsOf(Family(item->data(Title, familyRole).toInt())).join(u'\n')
                                : tr("File left out at start:") + u'\n' + fault);
}

void FamiliesDialog::takeChecks()
{
    FamilySet undiscovered;
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        const QTreeWidgetItem *item = m_list->topLevelItem(row);
        if ((item->flags() & Qt::ItemIsUserCheckable) && item->checkState(LookedFor) == Qt::Unchecked)
            undiscovered.insert(Family(item->data(Title, familyRole).toInt()));
    }
    emit undiscoveredChosen(undiscovered);
}

void FamiliesDialog::tryFile()
{
    auto *files =
        new QFileDialog(this, tr("Try a family file"), familyFolders().last(), tr("Family files (*.toml)"));
    files->setFileMode(QFileDialog::ExistingFile);
    connect(files, &QFileDialog::fileSelected, this, [this](const QString &path) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return say(tr("%1 could not be read: %2").arg(shownText(path), file.errorString()));
        say({});
        openDialog(new FamilyEditor(file.read(FamilyFile::longest + 1), m_known, this));
    });
    openDialog(files);
}

void FamiliesDialog::draft()
{
    m_draft->setEnabled(false);
    whenDone(this, m_known.read(*m_chosen), [this](const Result<LockContents> &contents) {
        m_draft->setEnabled(true);
        if (!contents || contents->keys.isEmpty() || contents->keys.first().error)
            return say(
                tr("The key could not be read: %1")
                    .arg(inWords(contents ? contents->keys.value(0).error.value_or(ErrorKind::UnexpectedReply)
                                          : contents.error())));
        const StoredKey &stored = contents->keys.first();
        const QByteArray text =
            familyDraft(m_chosen->key(), contentOf(stored), stored.ttl, contents->readAtMs);
        if (text.isEmpty())
            return say(tr("No family form describes this key."));
        say({});
        openDialog(new FamilyEditor(text, m_known, this));
    });
}

void FamiliesDialog::say(const QString &problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

} // namespace lockscope
