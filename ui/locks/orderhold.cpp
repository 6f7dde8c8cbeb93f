// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/orderhold.h"

#include "core/table/locktablemodel.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/propertygrid.h"

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace lockscope {

OrderHold::OrderHold(QTableView &table, LockTableModel &model, QWidget *parent)
    : QWidget(parent), m_table(table), m_model(model), m_text(new QLabel(this)), m_step(new QToolButton(this))
{
    m_text->setTextFormat(Qt::PlainText);
    m_text->setToolTip(tr("Rows stay in place under the mouse; values are current."));
    applyTextColor(m_text, StatusColor::Muted);
    m_step->setAutoRaise(true);
    m_step->setText(tr("Update order"));
    QSizePolicy policy = m_step->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_step->setSizePolicy(policy);
    m_step->hide();
    setLayout(lineOf({Stretch{1}, m_text, m_step}, usualSpacing, {14, 2, 10, 2}));
    setMinimumWidth(1);
    connect(m_step, &QToolButton::clicked, this, &OrderHold::takeStep);

    m_table.viewport()->setMouseTracking(true);
    m_table.viewport()->installEventFilter(this);
    m_table.installEventFilter(this);
    // Before the model's rows move; the view's own handlers have run when ours is called after.
    connect(&m_model, &QAbstractItemModel::layoutAboutToBeChanged, this, &OrderHold::note);
    connect(&m_model, &QAbstractItemModel::layoutChanged, this, &OrderHold::keep);
}

void OrderHold::update()
{
    const TimePoint now = Clock::now();
    if (m_isFilling && m_model.rowCount() == 0)
        m_emptyAt = now;
    m_isFilling = m_isFilling && now - m_emptyAt <= fillTime;
    const bool isUsed = m_isPointedAt || (m_model.isHeld() && QApplication::activePopupWidget());
    const bool isHeld = m_table.isVisible() && ((isUsed && !m_isFilling) || now < m_heldUntil);
    if (isHeld != m_model.isHeld())
        m_model.setHeld(isHeld);
}

void OrderHold::refresh()
{
    const LockTableModel::Pending pending = m_model.pending(std::max(m_table.rowAt(0), 0));
    const auto count = [](int number) { return QLocale().toString(number); };
    QStringList parts;
    if (pending.moved > 0)
        parts << tr("%1 row(s) to move", nullptr, pending.moved).arg(count(pending.moved));
    if (pending.added > 0)
        parts << tr("%1 new", "locks").arg(count(pending.added));
    if (pending.addedAbove > 0)
        parts << tr("%1 new above", "locks").arg(count(pending.addedAbove));
    if (pending.leaving > 0)
        parts << tr("%1 to remove", "rows").arg(count(pending.leaving));
    const QModelIndex chosen = m_model.pinned();
    const bool isOutOfView = parts.isEmpty() && chosen.isValid() && !isInSight(chosen);
    m_text->setText(!parts.isEmpty()   ? tr("Order kept: %1").arg(parts.join(QStringLiteral(" · ")))
                    : isOutOfView      ? tr("The selected lock is out of view")
                    : pending.isPinned ? tr("The selected row keeps its place")
                                       : QString());
    m_step->setText(isOutOfView ? tr("Show lock") : tr("Update order"));
    m_step->setVisible(!m_text->text().isEmpty());
}

void OrderHold::takeStep()
{
    const bool isKept = m_model.pending(0) != LockTableModel::Pending();
    const bool goesToChosen = !isKept || isInSight(m_model.pinned());
    if (isKept)
        m_model.settle();
    if (goesToChosen)
        m_table.scrollTo(m_table.currentIndex());
    refresh();
}

bool OrderHold::isInSight(const QModelIndex &row) const
{
    const QRect place = row.isValid() ? m_table.visualRect(row) : QRect();
    return row.isValid() && place.bottom() >= 0 && place.top() < m_table.viewport()->height();
}

void OrderHold::note()
{
    m_inSight.clear();
    m_firstInSight = m_table.rowAt(0);
    if (m_table.verticalScrollBar()->value() == 0 || m_firstInSight < 0 || isInSight(m_model.pinned()))
        return;
    for (int row = m_firstInSight; row < m_model.rowCount() && isInSight(m_model.index(row, 0)); ++row)
        m_inSight.append(m_model.index(row, 0));
}

/// Scrolls by as much as most rows in sight have moved: a row that goes elsewhere is not followed.
void OrderHold::keep()
{
    QList<int> shifts;
    for (qsizetype i = 0; i < m_inSight.size(); ++i) {
        if (m_inSight[i].isValid())
            shifts.append(m_inSight[i].row() - m_firstInSight - static_cast<int>(i));
    }
    m_inSight.clear();
    std::ranges::sort(shifts);
    const int shift = shifts.value(shifts.size() / 2);
    if (shift == 0 || shifts.count(shift) * 2 < shifts.size())
        return;
    QScrollBar *bar = m_table.verticalScrollBar();
    bar->setValue(bar->value() + shift * m_table.verticalHeader()->defaultSectionSize());
}

bool OrderHold::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        if (watched == m_table.viewport())
            m_isFilling = false;
        [[fallthrough]];
    case QEvent::MouseMove:
    case QEvent::Wheel:
        m_isPointedAt |= watched == m_table.viewport();
        update();
        break;
    case QEvent::KeyPress:
        m_heldUntil = Clock::now() + keyTime;
        update();
        break;
    case QEvent::Leave:
    case QEvent::Hide:
        if (watched == &m_table && std::exchange(m_isPointedAt, false))
            m_heldUntil = Clock::now() + leaveTime;
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace lockscope
