// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QTranslator>

namespace lockscope {

/// The texts of families that are data, in Chinese: their files have them.
class FamilyTranslator : public QTranslator
{
public:
    explicit FamilyTranslator(QObject *parent = nullptr);

    bool isEmpty() const override { return m_texts.isEmpty(); }
    QString translate(const char *context, const char *source, const char *disambiguation,
                      int number) const override;

private:
    QHash<QByteArrayView, const char *> m_texts; ///< by the English one
};

} // namespace lockscope
