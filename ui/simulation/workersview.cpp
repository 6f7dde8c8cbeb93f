// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/workersview.h"

#include "core/words/texts.h"
#include "ui/simulation/runtext.h"
#include "ui/simulation/statecounts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QToolButton>

namespace lockscope {

namespace {

constexpr int workerGlyphSize = 13;

class WorkerDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const override
    {
        return {workerGlyphSize + 14 + option.fontMetrics.horizontalAdvance(QStringLiteral("W000")),
                option.fontMetrics.height() + 5};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const StateLook look = lookOf(WorkerState(index.data(WorkerModel::StateRole).toInt()));
        const bool isChosen = option.state.testFlag(QStyle::State_Selected);
        const QRect cell = option.rect.adjusted(1, 1, -1, -1);
        const QColor color = textColor(look.statusColor, option.palette);
        if (isChosen)
            painter->fillRect(cell, selection(option.palette, option.state.testFlag(QStyle::State_Active)));
        else if (look.statusColor != StatusColor::Muted)
            painter->fillRect(cell, tintColor(look.statusColor, option.palette));
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(option.palette.color(QPalette::Highlight));
            painter->drawRect(cell.adjusted(0, 0, -1, -1));
        }
        drawGlyph(
            *painter, look.glyph,
            QRect(cell.left() + 4, cell.center().y() - workerGlyphSize / 2, workerGlyphSize, workerGlyphSize),
            color);
        painter->setPen(option.palette.color(QPalette::Text));
        painter->drawText(cell.adjusted(workerGlyphSize + 8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                          index.data().toString());
    }
};

QToolButton *button(const QString &text, Glyph glyph, const QString &purpose, QWidget *parent)
{
    auto *made = new QToolButton(parent);
    made->setText(text);
    made->setIcon(glyphIcon(glyph));
    made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    made->setFocusPolicy(Qt::StrongFocus);
    made->setToolTip(purpose);
    made->setEnabled(false);
    return made;
}

} // namespace

WorkersView::WorkersView(QWidget *parent)
    : QWidget(parent),
      m_model(new WorkerModel(this)),
      m_counts(new StateCounts(*m_model, this)),
      m_list(new QListView(this)),
      m_story(new ElidedLabel(this)),
      m_kill(button(tr("&Kill"), Glyph::Cross, tr("Kill the selected worker, as kill -9 does"), this)),
      m_pause(button({}, Glyph::Pause, {}, this)),
      m_killHolder(button(tr("Kill a hol&der"), Glyph::Bolt, tr("Kill a worker that holds a lock"), this))
{
    m_kill->setObjectName(QStringLiteral("killWorker"));
    m_pause->setObjectName(QStringLiteral("pauseWorker"));
    m_killHolder->setObjectName(QStringLiteral("killHolder"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new WorkerDelegate(m_list));
    m_list->setFlow(QListView::LeftToRight);
    m_list->setWrapping(true);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setUniformItemSizes(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(Texts::tr("Workers"));
    applyTextColor(m_story, StatusColor::Muted);

    auto *buttons = lineOf({{m_story, 1}, m_kill, m_pause, m_killHolder}, 6);
    setLayout(columnOf({m_counts, {m_list, 1}, buttons}, 4, {}));

    connect(m_kill, &QToolButton::clicked, this, [this] { emit killWanted(chosen()); });
    connect(m_pause, &QToolButton::clicked, this,
            [this] { emit pauseWanted(chosen(), m_model->at(chosen()).state != WorkerState::Paused); });
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { showMessage({}); });
    connect(m_killHolder, &QToolButton::clicked, this, [this] {
        showMessage(tr("Waiting for a worker that holds a lock…"));
        emit killHolderWanted();
    });
    showChosen();
}

void WorkersView::show(const SimulationSnapshot &snapshot, const QList<QByteArray> &keys)
{
    m_model->show(snapshot, keys);
    m_counts->refresh();
    showChosen();
}

void WorkersView::clear()
{
    m_model->clear();
    m_counts->refresh();
    showChosen();
}

void WorkersView::showKilled(int worker)
{
    showMessage(tr("%1 was killed while holding a lock, which stays until its lease expires.")
                    .arg(workerName(worker)));
}

void WorkersView::showNobodyKilled()
{
    showMessage(tr("No worker held a lock for 2 s."));
}

void WorkersView::showMessage(const QString &text)
{
    m_said = text;
    showChosen();
}

void WorkersView::setActive(bool active)
{
    m_active = active;
    m_said.clear();
    showChosen();
}

void WorkersView::choose(int worker)
{
    m_list->setCurrentIndex(m_model->index(worker));
}

int WorkersView::chosen() const
{
    const QModelIndexList indexes = m_list->selectionModel()->selectedIndexes();
    return indexes.isEmpty() ? -1 : indexes.first().row();
}

QString WorkersView::story() const
{
    return m_story->text();
}

void WorkersView::showChosen()
{
    const int worker = chosen();
    const auto state = worker >= 0 ? m_model->at(worker).state : WorkerState::Finished;
    const bool isPaused = state == WorkerState::Paused;
    const bool lives =
        m_active && worker >= 0 && state != WorkerState::Dead && state != WorkerState::Finished;
    QString story;
    if (!m_said.isEmpty())
        story = m_said;
    else if (worker >= 0)
        story = m_model->story(worker);
    else if (m_active)
        story = tr("Select a worker to kill or pause it.");
    m_story->setFullText(story);
    m_kill->setEnabled(lives);
    m_pause->setEnabled(lives);
    m_killHolder->setEnabled(m_active && m_model->rowCount() > 0);
    // A new icon would be painted anew, ten times a second.
    const QString verb = isPaused ? tr("Res&ume") : Texts::tr("&Pause");
    if (m_pause->text() == verb)
        return;
    m_pause->setText(verb);
    m_pause->setIcon(glyphIcon(isPaused ? Glyph::Play : Glyph::Pause));
    m_pause->setToolTip(isPaused ? tr("Resume the selected worker")
                                 : tr("Pause the selected worker and its clock"));
}

} // namespace lockscope
