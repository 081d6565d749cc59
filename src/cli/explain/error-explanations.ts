import type { ErrorCode } from '../../errors.js';
import { MIN_FREE_BYTES, MIN_FREE_SHARE } from '../../plan/size.js';
import { formatBytes } from '../../text/units.js';
import { defaultSizeMultiple, type Explanation, formatPercent } from './explanation.js';

/** Every error that gobonnie knows. The code is in the report of a failed run, and in the library's GobonnieError. */
export const errorExplanations: Readonly<Record<ErrorCode, Explanation>> = {
  'option-invalid': {
    title: 'an option has a value that is not allowed, or contradicts another',
    cause:
      'An option was given a value that it does not take, two options contradict each other, or one asks for what this machine or this user cannot do. The line names the option, the value and one that works.',
    impact: 'Nothing was measured, and nothing was written.',
    remedy: 'Correct the value as the line says. --dry-run checks a command without touching the disk.',
    examples: [
      { command: 'gobonnie --help', comment: 'what each option takes' },
      { command: 'gobonnie --size 4 --threads 8 --dry-run', comment: 'what would be done' },
    ],
  },
  'option-unknown': {
    title: 'there is no such option, command or argument',
    cause: 'A flag, a command or an argument is not known. If a similar one exists, the line suggests it.',
    impact: 'Nothing was measured, and nothing was written.',
    remedy:
      'Look it up. A command comes before all flags; the ancestors have flags of their own, after their names. A shell can complete all of them.',
    examples: [
      { command: 'gobonnie --help', comment: 'options and commands' },
      { command: 'gobonnie bonnie++ --help', comment: "an ancestor's flags" },
      { command: 'eval "$(gobonnie completion bash)"', comment: 'completion, in this shell' },
    ],
  },
  'directory-unusable': {
    title: 'the directory cannot be measured',
    cause:
      '--dir is not a directory, cannot be made, cannot be written to, or does not answer; or its path has a link that another user could have made, perhaps to a file of yours; or other users can change the directory, and there is no /proc to use it safely.',
    impact:
      'gobonnie has to be able to make its own directory in it. What other users could do is only checked when the run begins; a run that fails then exits with 1. Nothing was measured.',
    remedy:
      'Pass a directory that you can write to, preferably one that only you can change. Instead of a link, pass the path that it points to.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 4', comment: 'an existing directory' },
      { command: 'gobonnie --dir /mnt/disk/new --size 4', comment: 'made for the run, and removed again' },
      { command: 'realpath /mnt/link', comment: 'where a link points' },
    ],
  },
  'size-too-large': {
    title: 'the data, or the files, do not fit',
    cause: `The disk has less room than the data of --size takes, or the small files of --files, or fewer inodes than there would be files. What other gobonnies of yours will still write there is counted. Part of the disk always stays free: ${formatBytes(MIN_FREE_BYTES)}, or ${formatPercent(MIN_FREE_SHARE)} of the filesystem if that is less.`,
    impact: 'Nothing was measured: a full disk is slow, and a problem for everyone else who uses it.',
    remedy:
      'Pass the largest --size that fits, which the line names, or fewer or smaller --files; free some space; or pass another --dir. Without --size gobonnie takes what fits by itself.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 1 --direct', comment: 'little data, but none from memory' },
      { command: 'df -h /mnt/disk; df -i /mnt/disk', comment: 'free space, free inodes' },
    ],
  },
  'size-too-small': {
    title: 'there is less data than one block for each thread',
    cause: `--size, or by default ${defaultSizeMultiple} the memory, is less than one block of --block-size for each thread (and each of its --data-files).`,
    impact: 'Nothing was measured: some threads would have had nothing to do.',
    remedy: 'Pass a larger --size, fewer --threads or a smaller --block-size.',
    examples: [{ command: 'gobonnie --size 0.01 --threads 2', comment: '10 MiB for two threads' }],
  },
  'memory-too-small': {
    title: 'there is too little memory for that many threads, or for blocks that large',
    cause:
      'Each thread needs some MiB, and room for the largest block that it moves. Together they are more than the machine, its container or a limit (ulimit -v) allows.',
    impact: 'Nothing was measured: the system would have killed the run halfway.',
    remedy:
      'Pass fewer --threads, or a smaller --block-size, --io-size or --file-block-size; or raise the limit.',
    examples: [{ command: 'gobonnie --size 4 --threads 8 --block-size 64k', comment: 'less at once' }],
  },
  'scratch-failed': {
    title: 'cannot make the temporary directory or a file in it',
    cause:
      'gobonnie makes its own directory in --dir, and all files in that. The system refused; the message has the reason.',
    impact: 'The phase has no figure. What was made before is removed again.',
    remedy:
      'Do what the message says: free some space or inodes, mount the filesystem writable, or pass another --dir.',
    examples: [
      { command: 'df -h /mnt/disk; df -i /mnt/disk', comment: 'free space, free inodes' },
      { command: 'touch /mnt/disk/test && rm /mnt/disk/test', comment: 'whether anything can be made' },
    ],
  },
  'cleanup-failed': {
    title: 'temporary files could not be removed',
    cause:
      'At the end of the run or before a phase that needs empty files, the system refused to remove what gobonnie had made, or it was gone already. The message has the path and the reason.',
    impact:
      'The figures of the complete runs are valid, and are printed. Files are left over, as large as --size.',
    remedy:
      'Once that is fixed (the filesystem is writable again, for example), remove them with gobonnie clean or by hand: the directory is called gobonnie-XXXXXX. The next run in the same directory tries to, as well.',
    examples: [
      { command: 'gobonnie clean --dry-run /mnt/disk', comment: 'what would be removed' },
      { command: 'gobonnie clean /mnt/disk', comment: 'removes it' },
    ],
  },
  'threads-failed': {
    title: 'could not start a worker thread',
    cause:
      'The system refused to start one of the threads, or ended it, because of a limit on processes, open files or memory.',
    impact: 'With fewer threads than requested, the figures would measure something else, so there are none.',
    remedy: 'Raise the limit that the line names, or pass fewer --threads.',
    examples: [
      { command: 'ulimit -u; ulimit -n', comment: 'processes, open files' },
      { command: 'gobonnie --size 4 --threads 4', comment: 'fewer' },
    ],
  },
  'phase-failed': {
    title: 'an operation failed while it was measured',
    cause:
      'A write, a read or another call of a phase failed. The line has the phase, the file, the offset and the reason in words.',
    impact:
      'That phase has no figure: if anything failed, it would be false. The complete runs before it are printed, and the temporary files removed.',
    remedy:
      'Do what the line says. An I/O error (EIO) comes from the device or its filesystem: the system log says more. With --direct, EINVAL means that the filesystem accepts only whole blocks, or no O_DIRECT at all.',
    examples: [
      { command: 'sudo dmesg | tail', comment: "the kernel's side of it" },
      { command: 'gobonnie --size 4 --direct --io-size 4k', comment: 'whole blocks' },
    ],
  },
  'low-disk-space': {
    title: 'something else fills the disk during the run',
    cause: `The free space is looked at several times a second while a phase runs. The run ends when so much was taken that less than half of the reserve would stay free: the reserve is ${formatBytes(MIN_FREE_BYTES)}, or ${formatPercent(MIN_FREE_SHARE)} of the filesystem if that is less.`,
    impact:
      'That phase has no figure. The complete runs before it are printed, and the temporary files removed, so that the other program can go on.',
    remedy: 'Find what writes there, wait until it is done, or measure less, or another directory.',
    examples: [
      { command: 'df -h /mnt/disk', comment: 'free space' },
      { command: 'gobonnie --dir /mnt/disk --size 1 --direct', comment: 'little data, but none from memory' },
    ],
  },
  'data-corrupt': {
    title: 'what was read is not what was written',
    cause:
      'gobonnie compares what it reads with what it wrote: some of it always, all of it with --verify. It was different, or the file was too short; the line has the file and the offset of the first wrong byte.',
    impact:
      'The disk, its controller, the memory or the filesystem changed the data; or another program wrote to the file. The phase has no figure.',
    remedy:
      'Do not trust the disk with data until you know the cause. Measure again with --verify, which also says where misplaced data belongs. Then measure another disk on the same machine, and test the memory.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 4 --verify --direct', comment: 'every block compared' },
      { command: 'sudo smartctl -a /dev/sda', comment: 'what the disk reports about itself' },
    ],
  },
  'sync-failed': {
    title: 'the data could not be synced to the device',
    cause: 'Every write succeeded, and then the sync of a file failed.',
    impact:
      'Some of what was written is not on the device, so the phase has no figure. The sync is not repeated, because the kernel would report success the second time.',
    remedy:
      'Do what the line says; the system log says more. It also happens on a disk that promises more space than it has (thin provisioning, a sparse image).',
    examples: [{ command: 'sudo dmesg | tail', comment: "the kernel's side of it" }],
  },
  'cache-failed': {
    title: 'the page cache could not be emptied',
    cause: '--cache drop or --cache evict was asked for, and it failed.',
    impact: 'Memory would have served the reads although you ruled that out, so the run ended.',
    remedy:
      'Pass --cache auto, which does the best available and warns if nothing is, or --direct (Linux and Windows). Evicting needs Linux and GNU dd, in a directory that only root can change. Alpine and other systems with busybox have another dd: install GNU coreutils (apk add coreutils on Alpine).',
    examples: [
      { command: 'gobonnie --size 4 --cache auto', comment: 'the best available' },
      { command: 'gobonnie --size 4 --direct', comment: 'bypass the page cache' },
    ],
  },
  'output-failed': {
    title: 'the results could not be written',
    cause:
      'stdout, or a file of --out, could not be written: the disk there is full, or the program that read the pipe has ended.',
    impact: 'The figures would be lost, so the run ended, and the temporary files are removed.',
    remedy: 'Redirect stdout to another file or pipe, or pass an --out on another filesystem.',
    examples: [
      { command: 'gobonnie --size 4 --out ~/disk.json', comment: 'not on the disk that is measured' },
    ],
  },
  'input-unreadable': {
    title: 'a file of results cannot be read',
    cause:
      'A file to show or compare does not exist, is not a regular file, is too large, or holds no results that gobonnie knows. The line has the file, often the line in it, and the reason.',
    impact:
      'If there are several files, show still prints the others, with exit code 1; compare compares nothing.',
    remedy:
      "Give it gobonnie's reports or JSON, gobonniego's JSON, bonnie++'s CSV, or what Bonnie printed. Other text around these is skipped.",
    examples: [
      { command: 'gobonnie show report.json', comment: 'what can be read of it' },
      { command: 'gobonnie --size 4 --out report.json', comment: 'a report that can be read back' },
    ],
  },
  'rank-failed': {
    title: 'a rank of a job failed, or did not come',
    cause:
      'Under mpiexec or srun all ranks of a job begin each phase together, and one of them could not: its disk failed or was full, it is another version, or nothing was heard of it for --barrier-timeout seconds.',
    impact:
      'There is no figure of all ranks together. What the others measured in that phase is in the report, marked as incomplete.',
    remedy:
      'The message names the rank, its host and what happened there. If it was only slow, give the others more time.',
    examples: [
      {
        command: 'mpiexec -n 8 gobonnie --dir /shared --size 1 --barrier-timeout 1800',
        comment: 'waits half an hour',
      },
    ],
  },
  'communication-failed': {
    title: 'the processes of a job, or of bonnie++ -y, could not meet',
    cause:
      'In a job of several processes the launcher did not answer, or not as PMI-1 says, or the ranks with --rendezvous DIR do not see the same directory. gobonnie bonnie++ -y s starts each test together with other processes, in a meeting that -p N makes: there is no such meeting, it is full or in use, it was removed, or other users could write to it.',
    impact: 'The tests would not have run at the same time, so there are no figures.',
    remedy:
      'Of a job, look at what mpiexec or srun has printed. For bonnie++ -y, make a meeting for the number of processes, and start all of them as the same user and with the same TMPDIR. It ends when the last one leaves.',
    examples: [
      { command: 'mpiexec -n 8 gobonnie --dir /shared --size 1', comment: 'a job of MPICH' },
      { command: 'gobonnie bonnie++ -p 2', comment: 'a meeting for two processes' },
      { command: 'gobonnie bonnie++ -y s -r 0 -s 4g -d /mnt/a &', comment: 'the first process' },
      { command: 'gobonnie bonnie++ -y s -r 0 -s 4g -d /mnt/b', comment: 'the second process' },
      { command: 'gobonnie bonnie++ -p -1', comment: 'removes a meeting' },
    ],
  },
  'system-call-failed': {
    title: 'the system refused something that gobonnie needs',
    cause:
      'A system call failed for which there is no code of its own, for example while the program was loaded or while a disk was read for its zones. The line has the reason in words.',
    impact: 'There is no figure.',
    remedy:
      'Do what the line says. GOBONNIE_DEBUG=1 adds where in the code it came from; the system log may say more.',
    examples: [
      { command: 'sudo dmesg | tail', comment: "the kernel's side of it" },
      { command: 'GOBONNIE_DEBUG=1 gobonnie --size 1', comment: 'with the stack of the error' },
    ],
  },
};
