// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recordingwriter.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QSpinBox;

namespace lockscope {

/// Asks where a recording is to be written, how large it may become, and whether names are to be replaced.
class RecordDialog : public QDialog
{
    Q_OBJECT

public:
    /// `server`: as the user calls it, for the name that is suggested.
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
