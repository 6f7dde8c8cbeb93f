// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/figurecolumns.h"

#include "core/words/durations.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lockscope {

namespace {

constexpr int figureMargin = 10; // both sides
constexpr std::chrono::milliseconds fitDelay{50};

class FigureDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

} // namespace

int durationWidth(const QFontMetrics &metrics)
{
    using namespace std::chrono;
    int widest = 0;
    for (const milliseconds sample :
         {milliseconds(999ms), milliseconds(59min + 59s), milliseconds(23h + 59min),
          milliseconds(days(364) + 23h), milliseconds(days(365) * 999 + days(364))})
        widest = std::max(widest, metrics.horizontalAdvance(QStringLiteral("≥ ") + describe(sample)));
    return widest;
}

int visibleTextWidth(const QAbstractItemView &view, int column)
{
    return view.isVisible() ? view.sizeHintForColumn(column) : 0; // hidden, it would measure all rows
}

FigureColumns::FigureColumns(QHeaderView *header, const QList<int> &durations, const QList<int> &numbers)
    : QObject(header), m_header(header), m_view(qobject_cast<QAbstractItemView *>(header->parentWidget()))
{
    auto *delegate = new FigureDelegate(this);
    for (const int column : durations + numbers) {
        m_view->setItemDelegateForColumn(column, delegate);
        const int duration =
            durations.contains(column) ? durationWidth(m_view->fontMetrics()) + figureMargin : 0;
        m_widths[column] = std::max(header->sectionSizeHint(column), duration);
        header->resizeSection(column, m_widths[column]);
    }
    header->setResizeContentsPrecision(0); // the visible rows
    m_due.setSingleShot(true);
    m_due.setInterval(fitDelay);
    connect(&m_due, &QTimer::timeout, this, &FigureColumns::fit);
    const auto schedule = [this] {
        if (!m_due.isActive())
            m_due.start();
    };
    const QAbstractItemModel *model = m_view->model();
    connect(model, &QAbstractItemModel::layoutChanged, this, schedule);
    connect(model, &QAbstractItemModel::dataChanged, this, schedule);
    connect(model, &QAbstractItemModel::modelReset, this, schedule);
    connect(model, &QAbstractItemModel::rowsInserted, this, schedule);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, schedule);
    m_view->installEventFilter(this);
}

bool FigureColumns::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::Leave || event->type() == QEvent::Resize)
        m_due.start();
    return QObject::eventFilter(watched, event);
}

void FigureColumns::fit()
{
    if (!m_view->isVisible() || (m_isFilled && m_view->underMouse()))
        return;
    for (auto [column, width] : m_widths.asKeyValueRange()) {
        width = std::max(width, visibleTextWidth(*m_view, column));
        // A layout of an older version may have made the column smaller.
        if (m_header->sectionSize(column) < width && !m_header->isSectionHidden(column))
            m_header->resizeSection(column, width);
    }
    m_isFilled = m_view->model()->rowCount() > 0;
}

} // namespace lockscope
