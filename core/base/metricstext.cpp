// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/metricstext.h"

#include <QList>

#include <algorithm>

namespace lockscope {

namespace {

using Type = MetricsText::Type;

QByteArray typeName(Type type, MetricsText::Format format)
{
    const bool isOpen = format == MetricsText::Format::OpenMetrics;
    switch (type) {
    case Type::Counter:
        return "counter";
    case Type::Info:
        return isOpen ? "info" : "gauge"; // the older format has neither
    case Type::StateSet:
        return isOpen ? "stateset" : "gauge";
    case Type::Histogram:
        return "histogram";
    case Type::Gauge:
        break;
    }
    return "gauge";
}

QByteArray suffixOf(Type type)
{
    return type == Type::Counter ? "_total" : type == Type::Info ? "_info" : "";
}

QByteArray escaped(QByteArrayView text)
{
    QByteArray escaped = text.toByteArray();
    return escaped.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
}

} // namespace

double acceptedQuality(const QByteArray &accept, QByteArrayView name)
{
    double best = 0;
    for (const QByteArray &range : accept.toLower().split(',')) {
        const QList<QByteArray> parts = range.split(';');
        if (parts.first().trimmed() != name)
            continue;
        double quality = 1;
        for (const QByteArray &parameter : parts) {
            if (const QByteArray plain = parameter.trimmed(); plain.startsWith("q="))
                quality = plain.sliced(2).toDouble();
        }
        best = std::max(best, quality);
    }
    return best;
}

MetricsText::Format MetricsText::formatFor(const QByteArray &accept)
{
    const double open = acceptedQuality(accept, "application/openmetrics-text");
    return open > 0 && open >= acceptedQuality(accept, "text/plain") ? Format::OpenMetrics : Format::Plain;
}

QByteArray MetricsText::contentType(Format format)
{
    return format == Format::OpenMetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                         : "text/plain; version=0.0.4; charset=utf-8";
}

void MetricsText::begin(QByteArrayView name, Type type, QByteArrayView unit, QByteArrayView help)
{
    m_name = name.toByteArray();
    m_sampleName = m_name + suffixOf(type);
    const QByteArray metric = m_format == Format::OpenMetrics ? m_name : m_sampleName;
    m_head = "# TYPE " + metric + ' ' + typeName(type, m_format) + '\n';
    if (!unit.isEmpty() && m_format == Format::OpenMetrics)
        m_head += "# UNIT " + metric + ' ' + unit.toByteArray() + '\n';
    m_head += "# HELP " + metric + ' ' + escaped(help) + '\n';
}

void MetricsText::addText(const QByteArray &value, Labels labels, QByteArrayView suffix, QByteArrayView le)
{
    m_text += std::exchange(m_head, {}) + m_sampleName + suffix.toByteArray();
    char before = '{';
    const auto addLabel = [&](QByteArrayView name, QByteArrayView text) {
        m_text += before + name.toByteArray() + "=\"" + escaped(text) + '"';
        before = ',';
    };
    for (const auto &[name, text] : labels)
        addLabel(name, text);
    if (!le.isEmpty())
        addLabel("le", le);
    m_text += (before == ',' ? "} " : " ") + value + '\n';
}

void MetricsText::addHistogram(std::span<const int> boundsMs, std::span<const qint64> counts, double sum,
                               Labels labels)
{
    qint64 total = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
        total += counts[i];
        QByteArray bound = i < boundsMs.size() ? QByteArray::number(boundsMs[i] / 1000.0) : "+Inf";
        if (i < boundsMs.size() && !bound.contains('.'))
            bound += ".0"; // as OpenMetrics writes it; the same series in both formats
        addText(QByteArray::number(total), labels, "_bucket", bound);
    }
    addText(QByteArray::number(total), labels, "_count");
    addText(QByteArray::number(sum, 'f', 3), labels, "_sum");
}

QByteArray MetricsText::finish()
{
    if (m_format == Format::OpenMetrics)
        m_text += "# EOF\n";
    return m_text;
}

} // namespace lockscope
