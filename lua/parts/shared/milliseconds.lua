-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sets ms to the milliseconds of text, which is decimal seconds, or to nil. By pattern, since tonumber() also takes nan, inf,
-- 1e3, 0x10 and blanks.
ms = (text:match('^%d+$') or text:match('^%d+%.%d+$')) and math.floor(tonumber(text) * 1000 + 0.5)
ms = ms and ms >= 1 and ms <= 1e15 and ms or nil
