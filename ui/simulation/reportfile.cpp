// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/reportfile.h"

#include "core/words/messages.h"
#include "core/words/simulationmessages.h"
#include "ui/widgets/fileexport.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace lockscope {

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
    return saveFile(path, [&content](const ExportSink &write) { write(content); });
}

} // namespace lockscope
