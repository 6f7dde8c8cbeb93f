// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/statusbar.h"

#include "core/base/match.h"
#include "core/table/feedtext.h"
#include "core/table/locktext.h"
#include "core/words/messages.h"
#include "core/words/servermessages.h"
#include "core/words/texts.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/spokenrole.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

#include <algorithm>

namespace lockscope {

namespace {

constexpr int leastCharacters = 6; // of what is elided
constexpr std::chrono::seconds flashTime{8};
constexpr std::chrono::seconds longScan{1}; // shorter ones are over before a percentage is read
constexpr std::chrono::seconds fresh{2};    // what a feed confirms every second; a number would only flicker

QString stateText(const ConnectionStatus &status)
{
    switch (status.state) {
    case Connection::State::Connecting:
        return StatusBar::tr("connecting");
    case Connection::State::Ready: {
        const QString product = productText(status.server);
        return product.isEmpty() ? StatusBar::tr("connected") : product;
    }
    case Connection::State::Backoff:
        return StatusBar::tr("connection lost");
    case Connection::State::Refused:
        return Texts::tr("refused");
    case Connection::State::Closed:
        break;
    }
    return StatusBar::tr("not connected");
}

QString progressText(const ScanStats &stats)
{
    const QLocale locale;
    const QString scanned = locale.toString(stats.keysScanned);
    const QString all = locale.toString(stats.keyspace);
    if (stats.keyspace <= 0)
        return StatusBar::tr("scanning: %1 keys").arg(scanned);
    if (stats.wallTime < longScan || stats.keysScanned <= 0)
        return StatusBar::tr("scanning: %1 of %2 keys").arg(scanned, all);
    const double share =
        std::min(1.0, static_cast<double>(stats.keysScanned) / static_cast<double>(stats.keyspace));
    const QString percent = locale.toString(static_cast<int>(share * 100));
    // As fast as so far. Rough: in whole seconds.
    const auto left = std::chrono::ceil<std::chrono::seconds>(stats.wallTime * (1 - share) / share);
    if (left <= std::chrono::seconds(1))
        return StatusBar::tr("scanning: %1%").arg(percent);
    return StatusBar::tr("scanning: %1%, about %2 left")
        .arg(percent, left < std::chrono::minutes(1) ? secondsText(static_cast<double>(left.count()), 0)
                                                     : describe(left));
}

} // namespace

StatusBar::StatusBar(QString serverName, QWidget *parent)
    : QWidget(parent), m_serverName(std::move(serverName)), m_layout(new QHBoxLayout(this))
{
    m_layout->setContentsMargins(12, 4, 12, 5);
    m_layout->setSpacing(18);
    m_server = new ElidedLabel(this);
    m_server->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_server->setMinimumWidth(latinWidth(fontMetrics(), leastCharacters));
    m_server->setAccessibleName(Texts::tr("Server"));
    m_layout->addWidget(m_server);
    m_recording = addPart(new QLabel(this), tr("Recording"));
    m_recording->hide();
    m_feed = addPart(new ElidedLabel(this), Texts::tr("Change feed"));
    m_locks = addPart(new QLabel(this), Texts::tr("Locks"));
    m_permissions = addPart(new ElidedLabel(this), Texts::tr("Permissions"));
    m_permissions->hide();
    m_eviction = addPart(new ElidedLabel(this), tr("Eviction"));
    m_eviction->hide();
    m_scan = addPart(new ElidedLabel(this), tr("Scan"));
    m_layout->addStretch(1);
    m_cost = addPart(new ElidedLabel(this), tr("Scan cost"));
    m_age = addPart(new QLabel(this), tr("Age of the data"));
    m_feed->installEventFilter(this);
    m_cost->setToolTip(tr("Server time of the last scan"));
    m_age->setToolTip(tr("Age of the data"));
    m_flash.setSingleShot(true);
    m_flash.setInterval(flashTime);
    connect(&m_flash, &QTimer::timeout, this, &StatusBar::showScanText);
    showStatus({});
    showFeed({});
    showAge({});
}

/// Elided parts shrink first, which allows small windows; their tool tips have the full text.
QLabel *StatusBar::addPart(QLabel *label, const QString &name)
{
    label->setTextFormat(Qt::PlainText);
    if (qobject_cast<ElidedLabel *>(label)) {
        label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        label->setMinimumWidth(latinWidth(fontMetrics(), leastCharacters));
    }
    label->setAccessibleName(name);
    m_layout->addWidget(label);
    return label;
}

void StatusBar::take(const MonitorReport &event)
{
    std::visit(Match{[this](const ConnectionStatus &status) { showStatus(status); },
                     [this](const ClusterStatus &cluster) { showCluster(cluster); },
                     [this](const FeedStatus &status) { showFeed(status); }, [](const auto &) {}},
               event);
}

void StatusBar::showStatus(const ConnectionStatus &status)
{
    m_stateText = stateText(status);
    showServer();
    m_feed->setVisible(status.state == Connection::State::Ready); // nothing is heard without a connection
}

void StatusBar::showServer()
{
    // The name under which it was given stands above the table; what matters most comes first.
    QStringList parts{m_named.isEmpty() ? m_serverName : m_named, m_roleText, m_trustText, m_stateText,
                      m_nodesText};
    parts.removeAll(QString());
    const QString text = parts.join(QStringLiteral(" · "));
    m_server->setText(text);
    setPlainToolTip(*m_server, (QStringList(text) + m_nodesLines).join(u'\n'));
}

void StatusBar::showTrust(const ServerAddress &address)
{
    if (address.transport != ServerAddress::Transport::Tls)
        m_trustText.clear();
    else if (!address.pins.isEmpty())
        m_trustText = tr("certificate pinned");
    else
        m_trustText = address.insecure ? tr("certificate not checked") : QString();
    showServer();
}

/// Shows the nodes of a cluster, or for a single server its Sentinels and its primary.
void StatusBar::showCluster(const ClusterStatus &cluster)
{
    for (QString *text : {&m_named, &m_roleText, &m_nodesText})
        text->clear();
    QStringList lines;
    if (cluster.isGroup) {
        const qsizetype ready = cluster.nodes.size() - cluster.missing().size();
        m_nodesText =
            tr("servers: %1 of %2").arg(QLocale().toString(ready), QLocale().toString(cluster.nodes.size()));
        lines.append(tr("Redlock group: held if a majority of servers has it."));
        for (const NodeStatus &node : cluster.nodes)
            lines.append(node.isReady() ? tr("%1: ready").arg(node.name)
                                        : tr("%1: not available").arg(node.name));
    } else if (cluster.isCluster()) {
        const QString all = QLocale().toString(cluster.nodes.size());
        const qsizetype missing = cluster.missing().size();
        m_nodesText =
            missing == 0 ? tr("nodes: %1").arg(all)
                         : tr("nodes: %1 of %2").arg(QLocale().toString(cluster.nodes.size() - missing), all);
        for (const NodeStatus &node : cluster.nodes)
            lines.append(node.isReady()
                             ? tr("%1: ready, slots: %2").arg(node.name, QLocale().toString(node.slotTotal))
                             : tr("%1: not available").arg(node.name));
    } else if (!cluster.nodes.isEmpty()) {
        const NodeStatus &node = cluster.nodes.first();
        m_named = cluster.sentinels ? node.name : QString();
        if (node.replicaOf && node.isReady()) {
            m_roleText = replicaText(*node.replicaOf);
            lines.append(replicaWarning(*node.replicaOf));
        }
        if (cluster.sentinels) {
            const SentinelStatus &sentinels = *cluster.sentinels;
            m_nodesText =
                tr("Sentinels: %1 of %2")
                    .arg(QLocale().toString(sentinels.answering), QLocale().toString(sentinels.known));
            lines.append(
                tr("Sentinels that answer: %1 of %2")
                    .arg(QLocale().toString(sentinels.answering), QLocale().toString(sentinels.known)));
            if (sentinels.isDown)
                lines.append(sentinels.isFailingOver ? Texts::tr("A failover is under way.")
                                                     : tr("A Sentinel cannot reach the primary."));
        }
    }
    m_nodesLines = lines;
    showServer();
}

void StatusBar::showLocks(int all, int shown, int selected)
{
    const QString total = QLocale().toString(all);
    QString text = all == shown ? tr("locks: %1").arg(total)
                                : tr("locks: %1, shown: %2").arg(total, QLocale().toString(shown));
    if (selected > 1)
        text += tr(", selected: %1").arg(QLocale().toString(selected));
    m_locks->setText(text);
}

void StatusBar::showRecording(const QString &text, const QString &toolTip)
{
    m_recording->setText(QStringLiteral("● ") + text);
    applyTextColor(m_recording, StatusColor::Danger); // as of any recorder
    m_recording->setToolTip(plainToolTip(toolTip));
    m_recording->setAccessibleDescription(text);
    m_recording->setHidden(text.isEmpty());
}

void StatusBar::showPermissions(const QString &text, const QString &toolTip)
{
    m_permissions->setText(text);
    m_permissions->setToolTip(toolTip);
    m_permissions->setHidden(text.isEmpty());
    applyTextColor(m_permissions, StatusColor::Warning);
}

void StatusBar::showFeed(const FeedStatus &status)
{
    m_feedStatus = status;
    m_feed->setText(feedText(status.worst()));
}

/// The feed's tool tip contains an age and is written on demand.
bool StatusBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_feed && event->type() == QEvent::ToolTip)
        m_feed->setToolTip(feedToolTip(m_feedStatus, m_serverName, Clock::now()));
    return QWidget::eventFilter(watched, event);
}

void StatusBar::showScan(const ScanStats &stats)
{
    m_eviction->setVisible(stats.eviction.has_value());
    if (stats.eviction) {
        m_eviction->setText(
            tr("may evict locks, keys evicted: %1").arg(QLocale().toString(stats.eviction->evicted)));
        applyTextColor(m_eviction, StatusColor::Warning);
        setPlainToolTip(*m_eviction, describe(*stats.eviction));
    }
    if (!stats.complete) {
        if (m_scanText.isEmpty() || stats.wallTime >= longScan)
            m_scanText = progressText(stats);
        const QString all = QLocale().toString(stats.keyspace);
        m_scanDetail = stats.keyspace > 0
                           ? tr("%1 of %2 keys").arg(QLocale().toString(stats.keysScanned), all)
                           : QString();
    } else {
        const QLocale locale;
        m_scanText =
            tr("keys scanned: %1")
                .arg(stats.areKeysKnown() ? locale.toString(stats.keysScanned) : Texts::tr("unknown"));
        const QStringList gaps = gapsInWords(stats);
        if (!stats.isWhole())
            m_scanText = tr("%1, incomplete", "keys scanned: 7").arg(m_scanText);
        m_scanDetail = gaps.isEmpty() ? QString() : (QStringList(m_scanText) + gaps).join(u'\n');
        const double ms = static_cast<double>(stats.serverTime.count()) / 1000;
        const QString cost =
            tr("last scan: %1 ms server time").arg(locale.toString(ms, 'f', ms < 10 ? 1 : 0));
        m_cost->setText(cost);
        setPlainToolTip(*m_cost, cost + u'\n' + tr("Server time of the last scan"));
    }
    if (!m_flash.isActive())
        showScanText();
}

void StatusBar::showScanText()
{
    m_scan->setText(m_scanText);
    setPlainToolTip(*m_scan, m_scanDetail.isEmpty() ? m_scanText : m_scanDetail);
}

void StatusBar::showAge(std::optional<milliseconds> age)
{
    if (!age)
        m_age->setText(tr("no data yet"));
    else
        m_age->setText(*age < fresh ? tr("data < %1 s old").arg(fresh.count())
                                    : tr("data %1 old").arg(countdown(*age)));
}

void StatusBar::flash(const QString &text)
{
    m_scan->setText(text);
    setPlainToolTip(*m_scan, text);
    if (!QApplication::activeModalWidget()) // which says the same
        announce(window(), text);
    m_flash.start();
}

} // namespace lockscope
