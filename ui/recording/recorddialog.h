// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recordingwriter.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QSpinBox;

namespace lockscope {

class RecordDialog : public QDialog
{
    Q_OBJECT

public:
    /// `server`: the user's name, part of the suggested file name.
    explicit RecordDialog(const QString &server, QWidget *parent = nullptr);

signals:
    void chosen(const QString &path, const lockscope::RecordingOptions &options);

private:
    void browse();
    void submit();

    QLineEdit *m_path;
    QSpinBox *m_limit; ///< MB
    QCheckBox *m_anonymous;
};

} // namespace lockscope
