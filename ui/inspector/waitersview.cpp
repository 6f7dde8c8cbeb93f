// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/waitersview.h"

#include "core/table/locktext.h"
#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/figurecolumns.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/pagepanel.h"
#include "ui/widgets/propertygrid.h"

#include <QHeaderView>
#include <QTableView>

namespace lockscope {

namespace {

constexpr int rowsInSight = 6;

} // namespace

WaitersView::WaitersView(const DisplayClock &clock, const OwnerNames &names, QWidget *parent)
    : QWidget(parent),
      m_model(clock, names),
      m_title(new QLabel(Texts::tr("Waiters"), this)),
      m_summary(plainLabel(this)),
      m_ownersWait(plainLabel(this)),
      m_table(new QTableView(this))
{
    m_title->setFont(strong(font()));
    m_summary->setAccessibleName(Texts::tr("Waiters"));
    m_table->setModel(&m_model);
    m_table->setAccessibleName(tr("Wait queue"));
    setUpRows(*m_table);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    QHeaderView *header = m_table->horizontalHeader();
    header->hide();
    header->setMinimumSectionSize(1);
    header->setSectionResizeMode(static_cast<int>(WaiterModel::Column::Place), QHeaderView::Fixed);
    header->setSectionResizeMode(static_cast<int>(WaiterModel::Column::Who), QHeaderView::Stretch);
    header->setSectionResizeMode(static_cast<int>(WaiterModel::Column::State), QHeaderView::Fixed);
    const QList<int> figures{int(WaiterModel::Column::Place), int(WaiterModel::Column::State)};
    for (const int column : figures)
        header->resizeSection(column, 1); // as wide as what it shows
    new FigureColumns(header, {}, figures);
    setLayout(columnOf({m_title, m_summary, m_table, m_ownersWait}, 6, {0, 6, 0, 0}));
}

void WaitersView::showLock(const Lock &lock, const QString &ownersWait)
{
    m_model.show(lock);
    const Waiters &waiters = lock.companions->waiters;
    QString summary = waitersSentence(lock);
    if (!waiters.queue.isEmpty() && waiters.count > waiters.queue.size())
        summary +=
            u' ' + tr("The first %n waiter(s) are shown.", nullptr, static_cast<int>(waiters.queue.size()));
    m_summary->setText(summary);
    m_ownersWait->setText(ownersWait);
    m_ownersWait->setHidden(ownersWait.isEmpty());
    applyTextColor(m_ownersWait, StatusColor::Warning);
    applyTextColor(m_summary, StatusColor::Muted);
    const int rows = std::min(m_model.rowCount(), rowsInSight);
    m_table->setHidden(rows == 0);
    m_table->setFixedHeight(rows * m_table->verticalHeader()->defaultSectionSize() + 2);
    setHidden(summary.isEmpty() && ownersWait.isEmpty());
}

QList<std::pair<QString, QString>> WaitersView::rows() const
{
    QList<std::pair<QString, QString>> rows;
    if (!m_summary->text().isEmpty())
        rows.append({m_title->text(), m_summary->text()});
    const auto text = [this](int row, WaiterModel::Column column) {
        return m_model.index(row, static_cast<int>(column)).data().toString();
    };
    for (int row = 0; row < m_model.rowCount(); ++row)
        rows.append({tr("Waiter %1").arg(text(row, WaiterModel::Column::Place)),
                     text(row, WaiterModel::Column::Who) + QStringLiteral(": ") +
                         text(row, WaiterModel::Column::State)});
    if (!m_ownersWait->isHidden())
        rows.append({Texts::tr("Owner"), m_ownersWait->text()});
    return rows;
}

std::optional<Waiter> WaitersView::deadOne() const
{
    const QList<Waiter> &waiters = m_model.waiters();
    const QModelIndex chosen = m_table->currentIndex();
    if (chosen.isValid() && waiters.at(chosen.row()).isDead)
        return waiters.at(chosen.row());
    const auto dead =
        std::find_if(waiters.begin(), waiters.end(), [](const Waiter &waiter) { return waiter.isDead; });
    return dead == waiters.end() ? std::nullopt : std::optional(*dead);
}

} // namespace lockscope
