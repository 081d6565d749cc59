#!/bin/sh
# Reads gobonnie's documents with jq. Exits with code 1 if the disk is too slow.
#   sh results.sh /mnt/disk
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npx gobonnie --quiet --dir "${1:-.}" --size 0.1 --iops-duration 1 --json --out "$work/report.json" >"$work/document.json"

echo '== gobonniego'\''s document: write and read in MB/s, and IOPS, as CSV'
jq -r '.results[] | [.write_megabytes_per_second, .read_megabytes_per_second, .iops] | @csv' "$work/document.json"

echo '== the full report: MB/s, operations per second, and p99 latency in ms'
jq -r '.runs[].measurements[]
  | [.step, (.bytesPerSecond / 1e6 | round), (.operationsPerSecond | round), .latencyNs.p99 / 1e6] | @tsv' "$work/report.json"

echo '== warnings'
jq -r '.warnings[] | "\(.step // "all steps"): \(.message); \(.hint)"' "$work/report.json"

echo '== fast enough?'
jq -e 'all(.results[]; .write_megabytes_per_second >= 20 and .iops >= 200)' "$work/document.json"
