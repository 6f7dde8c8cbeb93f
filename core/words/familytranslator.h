// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTranslator>

namespace lockscope {

/// Translates texts of file-defined families to Chinese, by their files.
class FamilyTranslator : public QTranslator
{
public:
    using QTranslator::QTranslator;

    bool isEmpty() const override { return false; }
    QString translate(const char *context, const char *source, const char *disambiguation,
                      int number) const override;
};

} // namespace lockscope
