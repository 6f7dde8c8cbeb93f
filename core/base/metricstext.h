// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <initializer_list>
#include <span>
#include <utility>

namespace lockscope {

/// The quality of `name` in the value of an Accept header, from 0 (absent or refused) to 1.
double acceptedQuality(const QByteArray &accept, QByteArrayView name);

/// A page of metrics for Prometheus: OpenMetrics 1.0, or text format 0.0.4. A metric without samples is left
/// out: unknown is absent, not 0.
class MetricsText
{
public:
    enum class Format : quint8 { OpenMetrics, Plain };
    enum class Type : quint8 {
        Gauge,
        Counter,  ///< samples are named NAME_total
        Info,     ///< NAME_info, with value 1
        StateSet, ///< the state is a label of the metric's name; 1 or 0
        Histogram,
    };
    using Labels = std::initializer_list<std::pair<QByteArrayView, QByteArrayView>>;

    /// The format for an Accept header's value.
    static Format formatFor(const QByteArray &accept);
    static QByteArray contentType(Format format);

    explicit MetricsText(Format format) : m_format(format) {}

    /// Begins a metric, whose samples follow. `unit`: "seconds", the end of its name; or empty.
    void begin(QByteArrayView name, Type type, QByteArrayView unit, QByteArrayView help);
    void add(qint64 value, Labels labels = {}) { addText(QByteArray::number(value), labels); }
    void addSeconds(double value, Labels labels = {}) { addText(QByteArray::number(value, 'f', 6), labels); }
    /// `boundsMs`: of all counts but the last one, in ms; counts are not yet cumulative.
    void addHistogram(std::span<const int> boundsMs, std::span<const qint64> counts, double sum,
                      Labels labels);
    void addState(QByteArrayView state, bool isSo) { add(isSo ? 1 : 0, {{m_name, state}}); }

    /// The page; ends it.
    QByteArray finish();

private:
    void addText(const QByteArray &value, Labels labels, QByteArrayView suffix = {}, QByteArrayView le = {});

    const Format m_format;
    QByteArray m_name;
    QByteArray m_sampleName;
    QByteArray m_head; ///< written with the first sample
    QByteArray m_text;
};

} // namespace lockscope
