// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <initializer_list>
#include <utility>

namespace lockscope {

/// How much a client wants this: by an Accept header's value, from 0 (not at all, or not named) to 1.
double acceptedQuality(const QByteArray &accept, QByteArrayView name);

/// A page of metrics as Prometheus reads it: OpenMetrics 1.0, or the text format 0.0.4 before it. A metric without a sample
/// does not appear: what is not known is absent, not 0.
class MetricsText
{
public:
    enum class Format : quint8 { OpenMetrics, Plain };
    enum class Type : quint8 {
        Gauge,
        Counter,  ///< its samples are named NAME_total
        Info,     ///< NAME_info, with the value 1
        StateSet, ///< a label of the metric's own name has the state; 1 or 0
    };
    using Labels = std::initializer_list<std::pair<QByteArrayView, QByteArrayView>>;

    /// By what a client says that it accepts: the header's value.
    static Format formatFor(const QByteArray &accept);
    static QByteArray contentType(Format format);

    explicit MetricsText(Format format) : m_format(format) {}

    /// Begins a metric, whose samples follow. `unit`: "seconds", with which the name ends; or empty.
    void begin(QByteArrayView name, Type type, QByteArrayView unit, QByteArrayView help);
    void add(qint64 value, Labels labels = {}) { addText(QByteArray::number(value), labels); }
    void addSeconds(double value, Labels labels = {}) { addText(QByteArray::number(value, 'f', 6), labels); }
    void addState(QByteArrayView state, bool isSo) { add(isSo ? 1 : 0, {{m_name, state}}); }

    /// The page; nothing may be added after it.
    QByteArray finish();

private:
    void addText(const QByteArray &value, Labels labels);

    const Format m_format;
    QByteArray m_name;
    QByteArray m_sampleName;
    QByteArray m_head; ///< written with the first sample
    QByteArray m_text;
};

} // namespace lockscope
