#!/bin/sh
# Installs the splc program of a release: downloads the archive for this machine, checks its SHA-256, and copies the
# program to ~/.local/bin. Needs curl or wget, tar, and sha256sum or shasum. Settings:
#
#   SPLC_REPOSITORY    owner/name of the repository on GitHub
#   SPLC_VERSION       a version such as 0.2.0; the latest release without it
#   SPLC_INSTALL_DIR   the folder of the program
#   SPLC_RELEASES      address of the releases, for a mirror
set -eu

# The release workflow replaces the placeholder.
repository=${SPLC_REPOSITORY:-@REPOSITORY@}
version=${SPLC_VERSION:-latest}
folder=${SPLC_INSTALL_DIR:-${HOME:?HOME is not set; set SPLC_INSTALL_DIR}/.local/bin}

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

if [ -z "${SPLC_RELEASES:-}" ]; then
    case $repository in
        @*) fail "no repository: set SPLC_REPOSITORY to OWNER/NAME" ;;
        */*) ;;
        *) fail "invalid repository '$repository': write OWNER/NAME" ;;
    esac
fi
releases=${SPLC_RELEASES:-https://github.com/$repository/releases}

case $(uname -s) in
    Linux) system=unknown-linux-musl ;;
    Darwin) system=apple-darwin ;;
    *) fail "no program for $(uname -s): on Windows, run install.ps1; elsewhere, build splc with cargo" ;;
esac
machine=$(uname -m)
# A shell that Rosetta translates reports x86_64 on Apple silicon.
if [ "$system" = apple-darwin ] && [ "$(sysctl -n sysctl.proc_translated 2> /dev/null || true)" = 1 ]; then
    machine=arm64
fi
case $machine in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail "no program for $machine: build splc with cargo" ;;
esac

case $version in
    latest) address=$releases/latest/download ;;
    *[!0-9A-Za-z.+-]*) fail "invalid version '$version'" ;;
    *) address=$releases/download/v${version#v} ;;
esac
name=splc-$machine-$system
archive=$name.tar.gz

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

download() {
    if command -v curl > /dev/null; then
        curl --fail --silent --show-error --location --retry 3 --output "$scratch/$1" "$address/$1"
    elif command -v wget > /dev/null; then
        wget --quiet --output-document "$scratch/$1" "$address/$1"
    else
        fail "neither curl nor wget is installed"
    fi || fail "cannot download $address/$1"
}
download "$archive"
download SHA256SUMS

# The line of the archive alone: sha256sum would fail for files that are not downloaded.
awk -v name="$archive" '$2 == name || $2 == "*" name' "$scratch/SHA256SUMS" > "$scratch/expected"
[ -s "$scratch/expected" ] || fail "SHA256SUMS does not list $archive"
if command -v sha256sum > /dev/null; then
    sum="sha256sum"
elif command -v shasum > /dev/null; then
    sum="shasum -a 256"
else
    fail "neither sha256sum nor shasum is installed"
fi
(cd "$scratch" && $sum -c expected > /dev/null 2>&1) || fail "$archive is damaged: its SHA-256 is not the one in SHA256SUMS"

tar -xzf "$scratch/$archive" -C "$scratch" "$name/splc"
mkdir -p "$folder"
# A rename replaces the program even while it runs.
cp "$scratch/$name/splc" "$folder/.splc.$$"
chmod 755 "$folder/.splc.$$"
mv -f "$folder/.splc.$$" "$folder/splc"

echo "installed $("$folder/splc" --version) to $folder/splc"
case :${PATH:-}: in
    *:"$folder":*) ;;
    *) echo "add it to your PATH: export PATH=\"$folder:\$PATH\"" ;;
esac
