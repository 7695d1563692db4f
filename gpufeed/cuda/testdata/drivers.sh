#!/usr/bin/env bash
# drivers.sh FOLDER: NVIDIA's user-space libraries of several versions, out of
# Debian's non-free packages, so that tests can see what they export. Nothing is
# installed, and nothing of it is kept in this repository. Without Debian's
# packages it says so and ends with 3.
set -euo pipefail
folder=$1
none() { echo "NOTICE: $1: NVIDIA's libraries were not looked at"; exit 3; }

command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || none "no apt-get"
mirror=$(apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
	awk '$1 == "Debian" && $2 == "main" && $3 !~ /security/ { print $3; exit }')
[ -n "$mirror" ] || none "no mirror of Debian among apt's sources"

rm -rf "$folder"
mkdir -p "$folder/lists/partial" "$folder/debs"
for release in bookworm trixie; do # what the machine itself runs does not matter
	echo "deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release non-free"
done >"$folder/sources.list"
apt() {
	apt-get -q -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=/nonexistent -o Dir::State::Lists="$folder/lists" \
		-o Dir::Cache::PkgCache= -o Dir::Cache::SrcPkgCache= -o APT::Architecture=amd64 -o APT::Sandbox::User=root "$@"
}
apt update >"$folder/log" 2>&1 || none "apt-get update fails"
# The first driver that serves, one between, and the newest that Debian has; with each its NVML.
for package in libnvidia-tesla-470-cuda1 libnvidia-tesla-470-ml1 libcuda1/bookworm libnvidia-ml1/bookworm libcuda1/trixie libnvidia-ml1/trixie; do
	(cd "$folder/debs" && apt download "$package" >>"$folder/log" 2>&1) || echo "NOTICE: no package $package"
done
for deb in "$folder"/debs/*.deb; do
	[ -e "$deb" ] || none "no package came"
	dpkg-deb -x "$deb" "$folder/tree"
done
find "$folder/tree" -type f \( -name 'libcuda.so.*' -o -name 'libnvidia-ml.so.*' \) -exec mv {} "$folder" \;
rm -rf "$folder/tree" "$folder/debs" "$folder/lists" "$folder/sources.list" "$folder/log"
ls "$folder"
