// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockjson.h"
#include "core/act/lockoperations.h"
#include "core/model/lockevent.h"
#include "core/monitor/lockmonitor.h"
#include "core/watch/clusterstatus.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>

namespace lockscope {

/// The documents of the command line's contract; LOCK is lockJson(). Bytes that are no UTF-8 come with their base64.

QJsonObject toJson(const UnlistedNames &outside);
/// `nodes`: of a cluster, or the one that Sentinels name; left out where there are none.
QJsonObject toJson(const ServerInfo &server, bool isBySentinels, const QJsonArray &nodes);
QJsonObject toJson(const NodeStatus &node, qint64 locks);
QJsonObject toJson(const ScanStats &stats);
QJsonObject toJson(const Eviction &eviction);
QJsonObject toJson(const ActionResult &report, const OwnerId &owner);
QJsonObject toJson(const LockEvent &event);

/// Sets `runbook` and `contact`, where the family's file has them.
void insertHelp(QJsonObject &object, Family family);

/// One line.
QByteArray jsonLine(const QJsonObject &object);

} // namespace lockscope
