// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/reportfile.h"

#include "core/words/messages.h"
#include "core/words/simulationmessages.h"
#include "ui/widgets/fileexport.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace lockscope {

QString writeReport(const ScenarioReport &report, const QString &path)
{
    const bool isText = path.endsWith(QStringLiteral(".txt"), Qt::CaseInsensitive);
    const QByteArray content = isText ? describe(report).toUtf8() + '\n'
                                      : QJsonDocument(toJson(report)).toJson(QJsonDocument::Indented);
    return saveFile(path, [&content](const ExportSink &write) { write(content); });
}

} // namespace lockscope
