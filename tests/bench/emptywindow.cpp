// SPDX-License-Identifier: GPL-3.0-or-later
// A main window with nothing in it: the least that a start can take.
#include <QApplication>
#include <QMainWindow>

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QMainWindow window;
    window.resize(1280, 800);
    window.show();
    return QApplication::exec();
}
