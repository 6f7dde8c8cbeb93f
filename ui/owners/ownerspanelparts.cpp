// SPDX-License-Identifier: GPL-3.0-or-later
// What an OwnersPanel is made of, and what in it listens to what.
#include "ui/owners/ownerspanel.h"

#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/figurecolumns.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/rowkeys.h"
#include "ui/widgets/savedwidgetstate.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

constexpr std::chrono::seconds ownersTick{1};
constexpr std::chrono::milliseconds firstDelay{500};
constexpr int shortestName = 20; ///< in characters

/// Usual widths of the other columns, most important first.
constexpr std::array columnWidths{
    std::pair(OwnersModel::Column::State, 23),    std::pair(OwnersModel::Column::Held, 7),
    std::pair(OwnersModel::Column::Waiters, 9),   std::pair(OwnersModel::Column::HeldFor, 13),
    std::pair(OwnersModel::Column::WaitsFor, 10),
};

class OwnersTree : public QTreeView
{
public:
    using QTreeView::QTreeView;

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        int room = viewport()->width() - latinWidth(fontMetrics(), shortestName);
        for (const auto &[column, characters] : columnWidths) {
            room -= latinWidth(fontMetrics(), characters);
            setColumnHidden(int(column), room < 0);
        }
        QTreeView::resizeEvent(event);
    }
};

} // namespace

OwnersPanel::OwnersPanel(const LockTableModel &locks, const DisplayClock &clock, const OwnerNames &names,
                         QWidget *parent)
    : PagePanel(Texts::tr("Owners"), 16, parent),
      m_locks(locks),
      m_clock(clock),
      m_index(locks, clock, names),
      m_model(m_index, locks, clock),
      m_grouping(new QComboBox(this)),
      m_filter(new QLineEdit(this)),
      m_tree(new OwnersTree(this)),
      m_title(plainLabel(this)),
      m_text(new QPlainTextEdit(this)),
      m_copy(new QPushButton(Texts::tr("Copy"), this)),
      m_filterTable(new QPushButton(tr("Filter table"), this)),
      m_end(new QPushButton(tr("Force-expire all…"), this))
{
    auto *halves = new QSplitter(this);
    halves->addWidget(buildTree());
    halves->addWidget(buildDetails());
    halves->setChildrenCollapsible(false);
    halves->setHandleWidth(1);
    halves->setStretchFactor(0, 2);
    halves->setStretchFactor(1, 1);
    halves->setSizes({latinWidth(fontMetrics(), 108), latinWidth(fontMetrics(), 50)});
    SavedWidgetState::keep(QStringLiteral("owners"), halves);
    buildHead();
    addParts(column(), {{halves, 1}, foot()});

    connect(&locks, &LockTableModel::applied, this, [this](const LockDiff &diff) {
        if (!m_isShown)
            return;
        m_index.apply(diff);
        m_hasChanged = true;
        schedule();
    });
    connect(&names, &OwnerNames::changed, this, [this] {
        m_index.invalidateNames();
        m_hasChanged = true;
        schedule();
    });
    m_due.setSingleShot(true);
    m_due.setInterval(firstDelay);
    connect(&m_due, &QTimer::timeout, this, [this] {
        m_hasChanged = m_isIndexed = false; // time alone makes locks stalled
        m_workedSince.start();
        m_working.start();
    });
    m_working.setInterval(0);
    connect(&m_working, &QTimer::timeout, this, &OwnersPanel::work);
    m_ticking.setInterval(ownersTick);
    connect(&m_ticking, &QTimer::timeout, this, &OwnersPanel::tick);
    tellGroup();
}

void OwnersPanel::buildHead()
{
    m_grouping->addItems({Texts::tr("Owners"), Texts::tr("Processes"), tr("Hosts")});
    m_grouping->setAccessibleName(tr("Group by"));
    setPlainToolTip(*m_grouping, tr("Group locks by owner, process or host"));
    m_grouping->setCurrentIndex(int(OwnerGrouping::Process));
    connect(m_grouping, &QComboBox::currentIndexChanged, this, [this] {
        m_chosen.reset();
        m_chosenName.clear();
        m_reckoning.reset();
        tellGroup();
        restart();
    });
    new SavedWidgetState(
        QStringLiteral("ownersGrouping"), m_grouping,
        [this] { return QByteArray::number(m_grouping->currentIndex()); },
        [this](const QByteArray &saved) {
            m_grouping->setCurrentIndex(std::clamp(saved.toInt(), 0, m_grouping->count() - 1));
        });
    setUpFilter(*m_filter, tr("Filter of the owners"), tr("Part of a name, ID or key"));
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_index.setFilter(text);
        m_isIndexed = false;
        m_workedSince.start();
        if (m_isShown)
            m_working.start();
    });
    addHead(14, {m_grouping, {summary(), 1}, m_filter});
}

QWidget *OwnersPanel::buildTree()
{
    m_tree->setModel(&m_model);
    m_tree->setAccessibleName(tr("Owners and their locks"));
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setAllColumnsShowFocus(true);
    QHeaderView *header = m_tree->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(int(OwnersModel::Column::Name), QHeaderView::Stretch);
    for (const auto &[column, characters] : columnWidths)
        m_tree->setColumnWidth(int(column), latinWidth(fontMetrics(), characters));
    using Column = OwnersModel::Column;
    new FigureColumns(header, {int(Column::HeldFor)},
                      {int(Column::State), int(Column::Held), int(Column::Waiters), int(Column::WaitsFor)});
    new RowKeys(m_tree, [this] { activate(m_tree->currentIndex()); });
    connect(m_tree, &QTreeView::doubleClicked, this, &OwnersPanel::activate);
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, &OwnersPanel::choose);
    return placeOf(m_tree);
}

QWidget *OwnersPanel::buildDetails()
{
    auto *details = new QWidget(this);
    m_title->setFont(strong(m_title->font()));
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("What the chosen owner would leave behind"));
    setPlainToolTip(*m_copy, tr("Copy this text"));
    setPlainToolTip(*m_filterTable, tr("Filter the table to its locks"));
    details->setLayout(columnOf({m_title, {m_text, 1}}, 4, {12, 4, 12, 0}));
    return details;
}

/// Full width: next to the tree the buttons would take its space.
QLayout *OwnersPanel::foot()
{
    connect(m_copy, &QPushButton::clicked, this, &OwnersPanel::copyText);
    connect(m_filterTable, &QPushButton::clicked, this, &OwnersPanel::filterTable);
    connect(m_end, &QPushButton::clicked, this, &OwnersPanel::endLocks);
    auto *buttons = lineOf({Stretch{1}}, 6, {12, 4, 12, 8});
    for (QPushButton *button : {m_copy, m_filterTable, m_end}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    return buttons;
}

} // namespace lockscope
