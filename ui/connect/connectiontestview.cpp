// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/connectiontestview.h"

#include "core/base/printable.h"
#include "core/words/messages.h"
#include "core/words/serverfitness.h"
#include "core/words/texts.h"
#include "ui/widgets/propertygrid.h"

#include <QDateTime>
#include <QGridLayout>
#include <QLabel>

namespace lockscope {

namespace {

using State = StepReport::State;

/// In the order of the states.
constexpr std::pair<StatusColor, Glyph> looks[] = {
    {StatusColor::Good, Glyph::Check},
    {StatusColor::Danger, Glyph::Cross},
    {StatusColor::Warning, Glyph::Dash},
    {StatusColor::Muted, Glyph::Dash},
};
static_assert(std::size(looks) == size_t(State::NotReached) + 1);

QString nameOf(ConnectionStep step)
{
    const QString names[] = {ConnectionTestView::tr("Host name"), ConnectionTestView::tr("Network"),
                             ConnectionTestView::tr("TLS"),       ConnectionTestView::tr("Login"),
                             ConnectionTestView::tr("Role"),      Texts::tr("Permissions")};
    static_assert(std::size(names) == size_t(ConnectionStep::Permission) + 1);
    return names[size_t(step)];
}

QString roleText(const StepReport &report)
{
    if (report.primary)
        return ConnectionTestView::tr("A replica of %1. Change locks at the primary.")
            .arg(report.primary->toDisplayString());
    return report.servers > 1 ? ConnectionTestView::tr("%n primary server(s)", nullptr, report.servers)
                              : ConnectionTestView::tr("Primary");
}

QString permissionText(const StepReport &report)
{
    if (report.state == State::Passed)
        return ConnectionTestView::tr("All that watching needs is allowed.");
    QStringList rules;
    for (const QByteArray &rule : report.missing.first(std::min<qsizetype>(report.missing.size(), 12)))
        rules << printable(rule, 40);
    if (!rules.isEmpty())
        return ConnectionTestView::tr("This user lacks %1. Some locks cannot be watched.")
            .arg(rules.join(u' '));
    return Texts::tr("Unknown");
}

} // namespace

ConnectionTestView::ConnectionTestView(QWidget *parent) : QWidget(parent), m_lines(new QGridLayout(this))
{
    setAccessibleName(tr("Connection test"));
    m_lines->setContentsMargins(0, 0, 0, 0);
    m_lines->setHorizontalSpacing(10);
    m_lines->setVerticalSpacing(6);
    m_lines->setColumnStretch(2, 1);
    hide();
}

void ConnectionTestView::start(const ServerAddress &address, const QList<QByteArray> &patterns)
{
    clear();
    m_address = address;
    addLine(StatusColor::Muted, Glyph::Hourglass, tr("Testing…"), address.toDisplayString());
    m_test = std::make_unique<ConnectionTest>(address, patterns);
    connect(m_test.get(), &ConnectionTest::ended, this, &ConnectionTestView::showSteps);
    m_test->start();
}

void ConnectionTestView::clear()
{
    if (m_test) {
        m_test->disconnect(this);
        m_test.release()->deleteLater(); // it may be the one that calls
    }
    m_address = {};
    m_text.clear();
    while (const auto item = std::unique_ptr<QLayoutItem>(m_lines->takeAt(0)))
        item->widget()->deleteLater();
    hide();
}

QString ConnectionTestView::text() const
{
    return m_text.join(u'\n');
}

void ConnectionTestView::showSteps(const QList<StepReport> &steps)
{
    const ServerAddress address = m_address;
    const QByteArray info = m_test->info();
    clear();
    const QString server = address.toDisplayString();
    for (const StepReport &report : steps) {
        QString text;
        if (report.why)
            text = describe(*report.why, server);
        else if (report.state == State::NotReached)
            text = tr("Not reached");
        else if (report.step == ConnectionStep::Role)
            text = roleText(report);
        else if (report.step == ConnectionStep::Permission)
            text = permissionText(report);
        const auto &[color, glyph] = looks[size_t(report.state)];
        addLine(report.primary && report.state == State::Passed ? StatusColor::Warning : color, glyph,
                nameOf(report.step), text);
    }
    if (!info.isEmpty())
        showFitness(judgeServer(info, QDateTime::currentSecsSinceEpoch()));
    emit ended();
}

/// A step more: what may cost locks. All of it: `lockscope-cli check --server`.
void ConnectionTestView::showFitness(const QList<ServerFinding> &findings)
{
    const QString name = tr("Fit for locks");
    bool isFit = true;
    QStringList untold;
    for (const ServerFinding &finding : findings) {
        if (finding.level == ServerFinding::Level::Unknown)
            untold.append(QString::fromLatin1(finding.check));
        const bool isRisk = finding.level == ServerFinding::Level::Risk;
        if (!isRisk && finding.level != ServerFinding::Level::Note)
            continue;
        isFit = false;
        addLine(isRisk ? StatusColor::Warning : StatusColor::Muted, Glyph::Dash, name,
                QStringList{finding.text, finding.reason, finding.advice}.join(u' ').trimmed());
    }
    if (!untold.isEmpty())
        addLine(StatusColor::Muted, Glyph::Dash, name,
                tr("INFO does not tell: %1").arg(untold.join(QStringLiteral(", "))));
    else if (isFit)
        addLine(StatusColor::Good, Glyph::Check, name, tr("No risk found by INFO."));
}

void ConnectionTestView::addLine(StatusColor statusColor, Glyph glyph, const QString &name,
                                 const QString &text)
{
    const int row = m_lines->rowCount();
    auto *mark = new QLabel(this);
    mark->setPixmap(glyphPixmap(glyph, 14, textColor(statusColor, palette()), devicePixelRatioF()));
    auto *title = new QLabel(name, this);
    QLabel *words = plainLabel(this, text);
    if (statusColor != StatusColor::Good)
        applyTextColor(words, statusColor);
    m_lines->addWidget(mark, row, 0, Qt::AlignTop);
    m_lines->addWidget(title, row, 1, Qt::AlignTop);
    m_lines->addWidget(words, row, 2);
    m_text.append(name + QStringLiteral(": ") + text);
    show();
}

} // namespace lockscope
