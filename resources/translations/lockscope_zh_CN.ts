<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Explanation</name>
    <message>
        <source>Nobody is known to hold this: it is no lock of a kind that is known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No expiry: it will never end by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its lease has run out: the server is being asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its lease is being renewed: the holder is alive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was renewed before, but now falls: its holder finishes, hangs or is dead. Ends at %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Falls without renewal: its holder finishes in time or is dead. Ends at %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a time beyond every calendar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives back one level, or all, in the owner&apos;s name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives the lock back in the owner&apos;s name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sets the lease anew, if the owner still holds it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends it, if it is still what you see. Its holder is not told.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LockFilter</name>
    <message>
        <source>A quotation mark is not closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” needs a time, such as 10s, 500ms, 5m or 2h.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1:” needs a value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No family is called “%1”. Try reentrant, token or unknown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No state is called “%1”. Try held, renewed, expiring, no-expiry, corrupt or ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No problem is called “%1”. Try any, no-expiry, bad-count, several-owners or wrong-type.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LockState</name>
    <message>
        <source>Corrupt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No expiry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expiring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LockText</name>
    <message>
        <source>no expiry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bad count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>several owners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrong type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too big to read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PrivateServer</name>
    <message>
        <source>redis-server is not installed: apt-get install redis-server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>redis-server does not start: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RedisCli</name>
    <message>
        <source># Ends the lock, if it is still as seen:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::AcquireDialog</name>
    <message>
        <source>Acquire a lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Acquire</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reentrant: a counted hash; its owner may take it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token: a string; not re-entrant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Family</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lease in seconds</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::ActionDialog</name>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lock needs a key: type its name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lock needs an owner: type an id that nobody else uses.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lease is a number of seconds, at least 0.001, such as 30 or 0.5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking the server…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::Banner</name>
    <message>
        <source>Connection</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::Commands</name>
    <message>
        <source>&amp;New connection…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch another server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop watching this server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the lock&apos;s row as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy &amp;key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the lock&apos;s key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy &amp;owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the owner&apos;s id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as &amp;redis-cli</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy commands that read this lock and, as a comment, end it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type to filter the locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;lear filter, then selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Acquire…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Shift+A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take a lock as an owner of your choice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Release…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the lock back in its owner&apos;s name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Extend…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the lease anew in the owner&apos;s name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Force-expire…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Shift+X</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the lock, if it is still what you see here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Sweep now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the whole keyspace for locks now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Patterns…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+P</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose which keys count as locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go to inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+I</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show &amp;inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Lockscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>purpose and shortcut</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no connection at the moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a lock first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This connection is read-only: nothing may be changed on the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No owner is known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This key is too big to be read whole: what can&apos;t be compared isn&apos;t acted on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is stored here is no lock that a script of ours knows: it isn&apos;t acted on.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::ConnectPage</name>
    <message>
        <source>&amp;Connect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the &amp;demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See and act on the locks that applications keep in Redis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts a private redis-server with a few dozen workers, and removes it at the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (read-only)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::ConnectionForm</name>
    <message>
        <source>&amp;Read-only: nothing can be changed on the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>host, host:port, redis://user:password@host:port/db, rediss://… (TLS), unix:///path?db=N</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optional, such as “orders, production”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Login and TLS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the default user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asked for each time, never stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use &amp;TLS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;User</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CA certificates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client certificate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name in certificate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PEM files (*.pem *.crt *.key);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::EventModel</name>
    <message>
        <source>Found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Acquired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re-entered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unwound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Owner changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expiry lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vanished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Owner, time left</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::ExtendDialog</name>
    <message>
        <source>Extend a lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the name of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lease in seconds, from now</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::ForceExpireDialog</name>
    <message>
        <source>Force-expire a lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Force-expire</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Leave it so many seconds:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The holder is not told and may still be working: from then on it works without the lock, beside whoever takes it next. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiters that listen are woken; those that poll find it free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiters find it free at their next try.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If its owner or its holds are no longer what is shown here, the server refuses and nothing is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds until it ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock ended while this was open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of holds changed while this was open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The owner changed while this was open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: nothing will be done. Close this and look again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a number of seconds, such as 10 or 0.5.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::InspectorPanel</name>
    <message>
        <source>Inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lock chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a lock to see who holds it and what can be done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewals seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Family</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Database</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  (count: %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This lock is gone. Below is what was last seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, the last %2 ago</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::LeaseBar</name>
    <message>
        <source>Share of the lease that is left</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::LockTableModel</name>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Family</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::LocksPage</name>
    <message>
        <source>Clear filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lock matches the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter: words in key or owner, ttl&lt;10s, held&gt;5m, owner:x, state:no-expiry, -not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words must all match the key or an owner. Also key:x  owner:x  family:token  state:held
problem:no-expiry  ttl&lt;10s  held&gt;=5m ; a leading - means not; quotes keep words together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No expiry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expiring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locks</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::Look</name>
    <message>
        <source>no connection in time</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::MainWindow</name>
    <message>
        <source>Tool bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the demo&apos;s server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (read-only) — Lockscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 — Lockscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Lockscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lockscope %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A monitor for the distributed locks that applications keep in Redis.

Free software under the GNU General Public License, version 3 or later.
Redis is a trademark of Redis Ltd., with which this program has no connection.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::MonitorPage</name>
    <message>
        <source>What is shown is %1 old.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has been read yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection stands; it is tried again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting to %1 again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Next try in %n s.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Trying now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit connection…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No locks at the moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keys were looked through for
%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for locks…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keys so far, for
%2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::PatternsDialog</name>
    <message>
        <source>Patterns of locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys that match one of these count as locks: one pattern a line, as Redis&apos; SCAN takes them (* any characters, ? one, [ab] a choice).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patterns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without a pattern nothing would be found: type at least one, such as lock:*</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::ReleaseDialog</name>
    <message>
        <source>Release a lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the name of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;One level: the lease stays as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;All levels: the lock is free at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The holder is not told: if it still works, it works without the lock from then on.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::SeenLock</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Owner seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lock is gone</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::ServerLabel</name>
    <message>
        <source>%1, read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>READ-ONLY</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::StatusLine</name>
    <message>
        <source>connecting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis %1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost of a sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Age of the data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>feed: polling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Known locks are read again and again, and the keyspace is swept for new ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper bound of the server&apos;s time that the last sweep took</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long ago the server last confirmed what is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>locks: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>locks: %1, shown: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sweeping: %1 of %2 keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sweeping: %1 keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keys swept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sweep: %1 ms of the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data %1 old</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no data yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::Transport</name>
    <message>
        <source>%1 can&apos;t be read: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 holds no certificate in PEM form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 holds no certificate in PEM form, or it needs a passphrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 holds no private key in PEM form, or it needs a passphrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server closed the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the peer closed the connection during the TLS handshake</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::app</name>
    <message>
        <source>nothing was sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: broken at line %2: %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the chain holds, records: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Request %1 was sent, and its outcome was never recorded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the audit file can&apos;t be read: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Family</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, holds %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <comment>no TTL</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no lock at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 key(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lock(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>no lock</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held</source>
        <comment>state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 key(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>keys scanned, locks found</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No locks at %1: %2 swept in %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>STATE</source>
        <comment>column of a table</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FAMILY</source>
        <comment>column of a table</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KEY</source>
        <comment>column of a table</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OWNER</source>
        <comment>column of a table</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HOLDS</source>
        <comment>column of a table</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTL</source>
        <comment>column of a table</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PROBLEMS</source>
        <comment>column of a table</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 with problems; %3 swept in %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Password for %1:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--askpass needs a terminal and a password.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>everything is read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>locks: %1, at %2, watched by polling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The option &apos;%1&apos; is not known. See --help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2) is not supported yet by this version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write &apos;%1&apos; and its value as two words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1&apos; takes no value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs a value: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not supported yet by this version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The window takes options only. Give a server&apos;s address with -u.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say what to do, as in: lockscope-cli list. See --help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a server&apos;s address with -u.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not known. See --help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs a KEY.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1&apos; was given too many words. Quote a KEY with blanks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KEY must not be empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1&apos; belongs to lockscope-cli.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1&apos; does not belong to this verb. See --help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With --base64, KEY and owners must be base64 of at least one byte.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--demo brings its own server: leave out the options that name another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give either a socket with -s or a host with -h, -p and --tls.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;--%1&apos; needs --tls or a rediss:// address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--cert and --key belong together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A user needs a password: give --askpass or set REDISCLI_AUTH.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--owner ID is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--lease SECONDS is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--expect-owner ID is needed: the owner that was seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usage: lockscope-cli [OPTIONS] VERB ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the distributed locks of a Redis server and acts on them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verbs:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usage: lockscope [OPTIONS]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the distributed locks of a Redis server, live.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Common:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The password is also read from the environment variable REDISCLI_AUTH.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KEY and ID are bytes; &apos;--&apos; ends the options.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exit status: 0 done; 1 the state said no; 2 wrong usage; 3 the server could not be reached, refused the
login or the permission, or the outcome is unknown; 4 refused by --read-only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A duration is a number of seconds from 0, as in 30 or 0.5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name of a file must not be empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--sni takes a host&apos;s name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--user must not be empty. Leave it out for the default user.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--owner must not be empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--pattern must not be empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>-h takes a host&apos;s name or IP address alone. Give the port with -p, a socket with -s, a URI with -u.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>-p takes a port from 1 to 65535.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>-n takes a database&apos;s number, from 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>-s takes the path of a Unix socket.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address after -u is not valid UTF-8. Percent-encode such bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a password in the address after -u can be read by others on this machine: use --askpass or REDISCLI_AUTH</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a password after -a can be read by others on this machine: use --askpass or REDISCLI_AUTH</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--family takes reentrant or token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--lease takes a number of seconds, at least 0.001, as in 30 or 0.5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--expect-owner must not be empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same owner is given twice by --expect-owner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each --expect-holds must follow the --expect-owner that it belongs to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--expect-holds takes a whole number, at least 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server&apos;s host name or IP address (localhost)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server&apos;s port (6379)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server&apos;s Unix socket, instead of host and port</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of the database (0)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>redis://[[user]:password@]host[:port][/db], rediss:// or unix://; other options win</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>user to log in as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>password; others can read it: prefer --askpass or REDISCLI_AUTH</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ask for the password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>encrypt the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>certificates to trust (PEM), instead of the system&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>client&apos;s certificate (PEM), with --key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>client&apos;s private key (PEM), with --cert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name that the server&apos;s certificate must carry (the host)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accept any certificate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keys that are locks; repeatable (lock:*, lock_*, *:lock)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refuse every action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use a private server with a running simulation, removed at the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print the version and end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print this and end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KEY and the owners given are base64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who holds, or is to hold, the lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how long the lock is to last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reentrant or token (reentrant)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>try so long while another holds it (0)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>release every level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>owner that was seen; repeatable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds that were seen of the owner before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end the lock in so long instead of now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>diagnosis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end after so long (until Ctrl-C)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one sweep, every lock found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquire as ID</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>release one level, or all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set the lease anew, if ID holds it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end it, if what is stored is still what was seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the live feed, an event a line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check the chain of the audit file</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::auditlog</name>
    <message>
        <source>%1 is a symbolic link: it is not followed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a regular file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 belongs to another user.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 may be written by others: chmod 600 it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has been locked by another program for too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not end with an audit record: move it away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ends with a line that no audit record can have: move it away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the record is cut off: its line does not end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the line is longer than any record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the line is not a record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not follow from the line before: one of the two was changed, or a line between them removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its number is not that of its line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The field &quot;%1&quot; is set by the log itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A record of %1 bytes is too long.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::connection</name>
    <message>
        <source>no answer to the TLS greeting: the server may speak plain Redis on this port</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a reply came that nothing had asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no complete reply within %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read-only mode</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::inspector</name>
    <message>
        <source>PTTL did not answer a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HSCAN did not answer a cursor and fields</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::operations</name>
    <message>
        <source>the key is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no family is known for this key, so there is no script that could act on it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the owner is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lease is needed: more than 0 seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the owner that was seen is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the grace is out of range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the script answered in an unknown form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the outcome is not in the audit log: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read-only mode</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::resp</name>
    <message>
        <source>a reply is larger than %1 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a bulk string does not end where its length says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a line is longer than %1 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a reply starts with byte %1, which RESP2 does not know</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a length is no number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a value of %1 bytes was announced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a reply of more than %1 elements was announced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a reply is nested deeper than %1 levels</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::serveraddress</name>
    <message>
        <source>The database must be a whole number from 0, as in redis://host:6379/2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After &apos;?&apos; only db=N is known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before &apos;@&apos; write user:password, or :password for the default user.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A &apos;%&apos; before &apos;@&apos; is not followed by two hexadecimal digits. Write a &apos;%&apos; in a user or password as %25.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The port must be a number from 1 to 65535.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several hosts in one address (Cluster, Sentinel) are not supported yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Between &apos;[&apos; and &apos;]&apos; an IPv6 address is expected, as in [::1]:6379.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After &apos;]&apos; only &apos;:&apos; and a port can follow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write an IPv6 address in brackets, as in [::1]:6379.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The host is missing. Write it as in redis://localhost:6379.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The host holds a character that no host name has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This address can be read in two ways: in the user and password write &apos;@&apos; as %40, &apos;/&apos; as %2F, &apos;?&apos; as %3F and &apos;#&apos; as %23.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The path of a socket must start with &apos;/&apos;, as in unix:///run/redis.sock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A &apos;%&apos; in the path is not followed by two hexadecimal digits. Write it as %25.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The path of the socket holds a control character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address must start with redis://, rediss:// or unix://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentinel addresses are not supported yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cluster addresses are not supported yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1://&apos; is not known. The address must start with redis://, rediss:// or unix://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address is empty. Write it as in localhost:6379.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address holds a blank or an invisible character. In a user or password write it percent-encoded, as in %20.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To log in, write redis://user:password@host:6379.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::sweep</name>
    <message>
        <source>SCAN did not answer a cursor and keys</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockscope::words</name>
    <message>
        <source>The host of %1 can&apos;t be found. Check its spelling and this machine&apos;s name service.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing listens at %1. Is the server running, and is this the right port?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 did not answer in time. Check the address, and that no firewall stands in between.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The socket %1 is missing or may not be opened. Is the server running, and is this user allowed to open its socket?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No secure connection to %1 could be made. Check the certificates, the server&apos;s name in its certificate, and that this port speaks TLS.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection to %1 failed. Check the network and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What answers at %1 does not speak as a Redis server does. Check the port, and whether it expects TLS.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no connection to %1 at the moment: nothing was sent. Try again once it is back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The request to %1 was cancelled before it was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection to %1 was lost after the request was sent: it may have been carried out. Look at the lock before trying again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 asks for a password. Give one, and a user name where the server has users.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 refused the user name or password. Check both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This user lacks a permission on %1. Ask for it, or log in as another user.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is still loading its data. Try again in a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is busy running another client&apos;s script. Try again when it has ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is part of a cluster, and this key is on another node. Clusters are not supported yet: connect to that node.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is moving this key to another node of its cluster. Clusters are not supported yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is moving keys between cluster nodes. Try again in a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cluster that %1 belongs to is down. Check its nodes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a replica and takes no writes. Connect to its master.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes no writes because it can&apos;t save to its disk. Its operator must mend that first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no memory left for new data. Locks can still be released or ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes no writes because too few of its replicas are in step. Check the replicas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a replica that has lost its master. Connect to another node.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not know the script, although it was just sent. Try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key on %1 holds another type than a lock of this family has. Look at it before acting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has reached its limit of clients. Try again later, or raise maxclients.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 answered with an error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 sent a reply that this command never has. Is there a proxy in between?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused: this program runs in read-only mode. Nothing was sent to %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The audit record can&apos;t be written, so nothing was sent to %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This can&apos;t be asked of %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It ends in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key could not be read since: look at it before trying again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A look at the key just now: nothing is there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A look at the key just now: it is there, but no owner can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A look at the key just now: owner %1, holds %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock was acquired.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The owner held the lock already and holds it once more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another owner holds the lock: nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock was released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One level was released; the owner still holds the lock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock is not held by this owner: nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lease was set anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock&apos;s end was forced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock was gone already: nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused: the owner is no longer the one that was seen. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused: the owner&apos;s holds are no longer those that were seen. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is stored there is no lock of a known family: nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stored count of holds is not a number of at least 1: nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection was lost after the request was sent: it may have been carried out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 It said: “%2”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences, one after the other</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No expiry: it will never end by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stored count of holds is not a number of at least 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More than one owner where only one can be.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has a lock&apos;s name, but holds no value that a lock could have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It holds more than is read of a lock: shown in part.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1.%2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 y %2 d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than 1,000 years</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
