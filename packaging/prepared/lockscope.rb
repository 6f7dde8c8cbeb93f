# SPDX-License-Identifier: GPL-3.0-or-later
# frozen_string_literal: true

# Not yet tried: the terminal program alone, since Homebrew has no QCustomPlot; nothing of Lockscope has run on macOS yet.
class Lockscope < Formula
  desc "Monitor of distributed locks in Redis, for the terminal"
  homepage "https://lockscope.org"
  url "https://lockscope.org/releases/lockscope-1.0.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000" # that of the release
  license "GPL-3.0-or-later"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "rapidjson" => :build
  depends_on "tl-expected" => :build
  depends_on "tomlplusplus" => :build
  depends_on "redis" => :test
  depends_on "hiredis"
  depends_on "ncurses"
  depends_on "qt"
  depends_on "zstd"

  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja",
           "-DLOCKSCOPE_WINDOW=OFF", "-DLOCKSCOPE_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "\"locks\"", shell_output("#{bin}/lockscope-cli --demo list --json")
  end
end
