// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statusline.h"

#include "core/text/words.h"
#include "ui/locks/locktext.h"
#include "ui/palette.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

namespace lockscope {

namespace {

constexpr std::chrono::seconds flashTime{8};

QString stateText(const ConnectionStatus &status)
{
    switch (status.state) {
    case Connection::State::Connecting:
        return StatusLine::tr("connecting");
    case Connection::State::Ready: {
        const QString version = printable(status.server.version, 24);
        const QString mode = printable(status.server.mode, 24);
        return version.isEmpty() ? StatusLine::tr("connected")
                                 : StatusLine::tr("Redis %1 %2").arg(version, mode).trimmed();
    }
    case Connection::State::Waiting:
        return StatusLine::tr("connection lost");
    case Connection::State::Refused:
        return StatusLine::tr("refused");
    case Connection::State::Closed:
        break;
    }
    return StatusLine::tr("not connected");
}

} // namespace

StatusLine::StatusLine(QString serverName, QWidget *parent)
    : QWidget(parent), m_serverName(std::move(serverName)), m_layout(new QHBoxLayout(this))
{
    m_layout->setContentsMargins(12, 4, 12, 5);
    m_layout->setSpacing(18);
    m_server = addPart(tr("Server"));
    m_feed = addPart(tr("Feed"));
    m_locks = addPart(tr("Locks"));
    m_sweep = addPart(tr("Sweep"));
    m_layout->addStretch(1);
    m_cost = addPart(tr("Cost of a sweep"));
    m_age = addPart(tr("Age of the data"));
    m_feed->setText(tr("feed: polling"));
    m_feed->setToolTip(tr("Known locks are read again and again, and the keyspace is swept for new ones."));
    m_cost->setToolTip(tr("Upper bound of the server's time that the last sweep took"));
    m_age->setToolTip(tr("How long ago the server last confirmed what is shown"));
    m_flash.setSingleShot(true);
    m_flash.setInterval(flashTime);
    connect(&m_flash, &QTimer::timeout, this, [this] { m_sweep->setText(m_sweepText); });
    showStatus({});
    showAge({});
}

QLabel *StatusLine::addPart(const QString &name)
{
    auto *label = new QLabel(this);
    label->setTextFormat(Qt::PlainText);
    label->setAccessibleName(name);
    m_layout->addWidget(label);
    return label;
}

void StatusLine::showStatus(const ConnectionStatus &status)
{
    m_server->setText(m_serverName + QStringLiteral(" · ") + stateText(status));
}

void StatusLine::showLocks(int all, int shown)
{
    const QString total = tr("%n lock(s)", nullptr, all);
    m_locks->setText(all == shown ? total : tr("%1, %2 shown").arg(total, QLocale().toString(shown)));
}

void StatusLine::showSweep(const SweepStats &stats)
{
    const QLocale locale;
    if (!stats.complete) {
        m_sweepText = stats.keyspace > 0
                          ? tr("sweeping: %1 of %2 keys")
                                .arg(locale.toString(stats.keysScanned), locale.toString(stats.keyspace))
                          : tr("sweeping: %1 keys").arg(locale.toString(stats.keysScanned));
    } else {
        m_sweepText = tr("%1 keys swept").arg(locale.toString(stats.keysScanned));
        const double ms = static_cast<double>(stats.serverTime.count()) / 1000;
        m_cost->setText(tr("sweep: %1 ms of the server").arg(locale.toString(ms, 'f', ms < 10 ? 1 : 0)));
    }
    if (!m_flash.isActive())
        m_sweep->setText(m_sweepText);
}

void StatusLine::showAge(std::optional<milliseconds> age)
{
    m_age->setText(age ? tr("data %1 old").arg(countdown(*age)) : tr("no data yet"));
}

void StatusLine::flash(const QString &text)
{
    m_sweep->setText(text);
    m_flash.start();
}

} // namespace lockscope
