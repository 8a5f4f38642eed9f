#!/bin/sh
# Try the built packages in a bare Debian: sh installers/linux/try_in_root.sh SUITE ROOT OUT
# SUITE as debootstrap names it (bookworm, trixie), ROOT a folder for the system, OUT one for the pictures and the PDF.
# Needs root, debootstrap and a Debian mirror. Ends with an error where any step does not do what it should.
set -eu
suite=$1 root=$2 out=$3
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$out"
command -v debootstrap >/dev/null || { apt-get update -qq && apt-get install -y -qq debootstrap; }
[ -x "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase "$suite" "$root"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
person() { inside su -l therapist -c "$*"; }
[ -e "$root/proc/self" ] || mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
inside id therapist >/dev/null 2>&1 || inside useradd --create-home --home-dir /srv/therapist --shell /bin/sh therapist
cp "$here"/dist/noteeval_*.deb "$root/tmp/noteeval.deb"
cp "$here"/dist/noteeval-*-linux-*.tar.xz "$root/tmp/noteeval.tar.xz"
cp -r "$here/resources/sample" "$root/srv/therapist/"
inside chown -R therapist: /srv/therapist
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends xvfb xauth xz-utils >/dev/null
if inside sh -c 'command -v python3'; then echo "this root has a Python" >&2; exit 1; fi

echo "== the .deb"
inside apt-get install -y -qq --no-install-recommends /tmp/noteeval.deb >/dev/null
person noteeval self-test
person xvfb-run -a -s "'-screen 0 1366x768x24'" noteeval self-test --json deb.json
person noteeval evaluate --transcript sample/transcript.vtt --note sample/note.md --pdf scorecard.pdf --json scorecard.json
person noteeval batch --help >/dev/null
person xvfb-run -a -s "'-screen 0 1366x768x24'" noteeval-desktop --sample --size 1366x768 --screenshot window.png
du -sh "$root/usr/lib/noteeval"
inside apt-get remove -y -qq noteeval
[ ! -e "$root/usr/lib/noteeval" ]
[ -d "$root/srv/therapist/.local/share/noteeval" ]

echo "== the tarball"
person "rm -rf noteeval-* && tar xJf /tmp/noteeval.tar.xz && mv noteeval-* unpacked"
person xvfb-run -a unpacked/noteeval self-test
person unpacked/noteeval evaluate --transcript sample/transcript.vtt --note sample/note.md --pdf again.pdf
person rm -rf unpacked
cp "$root"/srv/therapist/*.pdf "$root"/srv/therapist/*.png "$root"/srv/therapist/*.json "$out"
echo "All of it worked in $suite."
