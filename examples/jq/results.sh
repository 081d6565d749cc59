#!/bin/sh
# Reads gobonnie's documents with jq. Exits with code 1 if the disk is too slow, or if the page cache served a result.
#   sh results.sh /mnt/disk
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npx gobonnie --quiet --dir "${1:-.}" --size 0.1 --iops-duration 1 --json --out "$work/report.json" >"$work/document.json"

echo '== gobonniego'\''s document: write and read in MB/s, and IOPS, as CSV'
jq -r '.results[] | [.write_megabytes_per_second, .read_megabytes_per_second, .iops] | @csv' "$work/document.json"

echo '== the full report: MB/s, operations per second, and p99 latency in ms'
jq -r '.runs[].measurements[]
  | [.step, (.bytesPerSecond / 1e6 | round), (.operationsPerSecond | round), (.latencyNs | if . then .p99 / 1e6 else "-" end)] | @tsv' "$work/report.json"

echo '== warnings'
jq -r '.warnings[] | "\(.step // "all steps"): \(.message); \(.hint)"' "$work/report.json"

echo '== fast enough, and served by the device?'
jq -e '{write: 20e6, iops: 200} as $least
  | all(.runs[].measurements[] | select($least[.step]);
      .device.share >= 0.9 and .["\(.primaryRate)PerSecond"] >= $least[.step])' "$work/report.json"
