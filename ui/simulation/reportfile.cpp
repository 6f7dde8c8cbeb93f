// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/reportfile.h"

#include "core/base/printable.h"
#include "core/words/messages.h"
#include "core/words/simulationmessages.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::simulation)
};

} // namespace

QJsonObject reportJson(const ScenarioReport &report)
{
    if (report.scenario)
        return toJson(report);
    return report.reports.isEmpty() ? QJsonObject() : toJson(report.reports.first());
}

QString reportText(const ScenarioReport &report)
{
    if (report.scenario)
        return describe(report);
    return report.reports.isEmpty() ? QString() : describe(report.reports.first());
}

QString writeReport(const ScenarioReport &report, const QString &path)
{
    const bool isText = path.endsWith(QStringLiteral(".txt"), Qt::CaseInsensitive);
    const QByteArray content = isText ? reportText(report).toUtf8() + '\n'
                                      : QJsonDocument(reportJson(report)).toJson(QJsonDocument::Indented);
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit())
        return {};
    return Words::tr("%1 was not written: %2. Choose another place.")
        .arg(printable(path.toUtf8()), file.errorString());
}

} // namespace lockscope
