#!/bin/sh
# Runs a command beside a systemd user manager of its own, in namespaces of its own: nothing of this machine's is asked.
# unshare --mount --cgroup --pid --fork --mount-proc sh with-systemd.sh GROUP COMMAND …
set -e
group="/sys/fs/cgroup/$1"
shift
# Says that systemd runs here; only in here.
mount -t tmpfs none /run/systemd
mkdir /run/systemd/system
umount -R /sys/fs/cgroup 2>/dev/null || true
mount -t cgroup2 none /sys/fs/cgroup
mkdir "$group"
echo $$ >"$group/cgroup.procs"
systemd --user --log-level=err --log-target=console &
manager=$!
until [ -S "$XDG_RUNTIME_DIR/systemd/private" ]; do
  kill -0 "$manager"
  sleep 0.05
done
set +e
"$@"
code=$?
kill "$manager"
wait "$manager"
echo $$ >/sys/fs/cgroup/cgroup.procs
find "$group" -depth -type d -exec rmdir {} \;
exit "$code"
