// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/runpair.h"

#include "ui/simulation/runlegend.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/spokenrole.h"

#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace lockscope {

RunPair::RunPair(QWidget *parent) : QWidget(parent)
{
    auto *legend = new RunLegend(this);
    auto *save = new QToolButton(this);
    save->setObjectName(QStringLiteral("savePairPicture"));
    save->setText(tr("Save picture…"));
    save->setToolTip(tr("Save both timelines as shown, as SVG or PNG"));
    save->setFocusPolicy(Qt::TabFocus);
    connect(save, &QToolButton::clicked, this, &RunPair::pictureWanted);
    auto *head = lineOf({Stretch{}, legend, save});
    auto *column = columnOf({head}, 2, {});
    setLayout(column);
    build(m_first, tr("A"));
    build(m_second, tr("B"));
    for (const Half *half : {&m_first, &m_second})
        addParts(*column, {lineOf({{half->name, 1}, half->omitted}, 8), {half->view, 1}});
    follow(m_first, m_second);
    follow(m_second, m_first);
    connect(legend, &RunLegend::changed, this, [this, legend] {
        m_first.view->setParts(legend->parts());
        m_second.view->setParts(legend->parts());
    });
}

void RunPair::build(Half &half, const QString &letter)
{
    half.view = new LaneView(half.lanes, this);
    half.view->setShrinking(true);
    half.name = new ElidedLabel(this);
    half.omitted = new QLabel(this);
    half.omitted->setObjectName(QStringLiteral("omitted%1").arg(letter));
    half.omitted->setTextFormat(Qt::PlainText);
    applyTextColor(half.omitted, StatusColor::Muted);
    setSpokenRole(half.view, QAccessible::Chart);
    half.view->setAccessibleName(tr("Timeline of run %1").arg(letter));
    // With a scroll bar in one of them alone, the same moment would stand at two places.
    half.view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    connect(half.view, &LaneView::laneChosen, this, [&half](int lane) {
        half.lanes.setChosen(lane);
        half.view->takeLanes();
        half.view->setAccessibleDescription(half.lanes.toolTip(lane, half.view->readMs()));
    });
}

void RunPair::follow(Half &leader, Half &other)
{
    const auto once = [this](const auto &move) {
        if (m_isFollowing)
            return;
        m_isFollowing = true;
        move();
        m_isFollowing = false;
    };
    connect(leader.view, &LaneView::scaleChanged, this,
            [&leader, &other, once] { once([&] { other.view->showTime(leader.view->scale().shown()); }); });
    connect(leader.view, &LaneView::cursorChanged, this,
            [&leader, &other, once] { once([&] { other.view->setCursorAt(leader.view->cursor()); }); });
}

void RunPair::fill(Half &half, const QString &letter, const CompletedRun &run, microseconds end)
{
    half.lanes.show(run.report);
    half.lanes.setAxisEnd(end);
    QStringList parts{tr("%1: %2", "letter and title of a run").arg(letter, run.title)};
    half.name->setFullText(parts.first());
    const QStringList omitted = half.lanes.omittedTexts(run.report.trace.leftOut());
    half.omitted->setText(omitted.join(QStringLiteral(" · ")));
    half.title = (parts + omitted).join(QStringLiteral(" · "));
    half.view->setCursorAt(std::nullopt);
    half.view->takeLanes();
    half.view->takeTime();
}

void RunPair::show(const CompletedRun &first, const CompletedRun &second)
{
    m_pending.emplace(first, second);
    if (isVisible())
        fillBoth();
}

void RunPair::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_pending)
        fillBoth();
}

void RunPair::fillBoth()
{
    const auto [first, second] = *std::exchange(m_pending, std::nullopt);
    const microseconds end = std::max(RunLanes::endOf(first.report), RunLanes::endOf(second.report));
    fill(m_first, tr("A"), first, end);
    fill(m_second, tr("B"), second, end);
    m_first.view->fit();
    m_second.view->fit();
}

void RunPair::setAxisShared(bool on)
{
    m_second.view->setAxisShown(!on);
}

QList<LanePicture> RunPair::pictures() const
{
    return {{m_first.view, m_first.title}, {m_second.view, m_second.title}};
}

} // namespace lockscope
