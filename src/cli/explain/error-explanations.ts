import type { ErrorCode } from '../../errors.js';
import { MIN_FREE_BYTES, MIN_FREE_SHARE } from '../../plan/size.js';
import { formatBytes } from '../../text/units.js';
import { defaultSizeMultiple, type Explanation, formatPercent } from './explanation.js';

/** The explanations of all errors. A failed run's report and the library's GobonnieError contain the code. */
export const errorExplanations: Readonly<Record<ErrorCode, Explanation>> = {
  'option-invalid': {
    title: 'an option has an invalid value or contradicts another option',
    cause:
      'An option has a value that it does not accept, two options contradict each other, or an option needs something that this machine or user does not have. The message names the option, its value and a valid value.',
    impact: 'gobonnie measured nothing and wrote nothing.',
    remedy:
      'Correct the option as the message suggests. --dry-run checks a command without touching the disk.',
    examples: [
      { command: 'gobonnie --help', comment: 'list the options and their values' },
      { command: 'gobonnie --size 4 --threads 8 --dry-run', comment: 'print the plan' },
    ],
  },
  'option-unknown': {
    title: 'unknown option, command or argument',
    cause: 'A flag, command or argument does not exist. The message suggests a similar name if there is one.',
    impact: 'gobonnie measured nothing and wrote nothing.',
    remedy:
      "Look the name up in the help. Put the command before all flags, and an ancestor's own flags after its name. Shell completion can fill in all names.",
    examples: [
      { command: 'gobonnie --help', comment: 'list options and commands' },
      { command: 'gobonnie bonnie++ --help', comment: "list an ancestor's flags" },
      { command: 'eval "$(gobonnie completion bash)"', comment: 'turn on completion in this shell' },
    ],
  },
  'directory-unusable': {
    title: 'gobonnie cannot use this directory',
    cause:
      '--dir is not a directory, cannot be created or written to, or does not respond. Or its path contains a link that another user could have created, perhaps to a file of yours. Or other users can change the directory, and the system has no /proc to use it safely.',
    impact:
      'gobonnie must create its own directory there. It checks what other users could change only when the run begins; a run that fails then exits with 1. gobonnie measured nothing.',
    remedy:
      'Pass a directory that you can write to, preferably one that only you can change. Instead of a link, pass its target.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 4', comment: 'use an existing directory' },
      { command: 'gobonnie --dir /mnt/disk/new --size 4', comment: 'created for the run, then removed' },
      { command: 'realpath /mnt/link', comment: 'print the target of a link' },
    ],
  },
  'size-too-large': {
    title: 'the data or the files do not fit',
    cause: `The disk has too little free space for --size or for the small files of --files, or too few free inodes for the files. gobonnie also counts the space that your other gobonnie runs will still use there. It always keeps ${formatBytes(MIN_FREE_BYTES)} free, or ${formatPercent(MIN_FREE_SHARE)} of the filesystem if that is less.`,
    impact:
      'gobonnie measured nothing: a full disk is slow, and causes trouble for everyone else who uses it.',
    remedy:
      'Pass the largest --size that fits (the message has it) or fewer or smaller --files, free some space, or pass another --dir. Without --size, gobonnie reduces the data to fit.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 1 --direct', comment: 'little data, but no cached reads' },
      { command: 'df -h /mnt/disk; df -i /mnt/disk', comment: 'show free space and free inodes' },
    ],
  },
  'size-too-small': {
    title: 'the data is smaller than one block per thread',
    cause: `--size, by default ${defaultSizeMultiple} the RAM, is smaller than one --block-size block for each thread (and for each of its --data-files).`,
    impact: 'gobonnie measured nothing, because some threads would have had no work.',
    remedy: 'Pass a larger --size, fewer --threads or a smaller --block-size.',
    examples: [{ command: 'gobonnie --size 0.01 --threads 2', comment: '10 MiB for two threads' }],
  },
  'memory-too-small': {
    title: 'there is not enough RAM for this many threads or blocks this large',
    cause:
      'Each thread needs a few MiB plus a buffer for its largest block. Together, the threads need more than the machine, its container or a limit (ulimit -v) allows.',
    impact: 'gobonnie measured nothing, because the system would have killed it during the run.',
    remedy:
      'Pass fewer --threads, or a smaller --block-size, --io-size or --file-block-size. Or raise the limit.',
    examples: [
      { command: 'gobonnie --size 4 --threads 8 --block-size 64k', comment: 'fewer and smaller buffers' },
    ],
  },
  'scratch-failed': {
    title: 'cannot create the temporary directory or a file in it',
    cause:
      'gobonnie creates its own directory in --dir, and all its files in that directory. A system call failed; the message has the reason.',
    impact: 'The phase has no result. gobonnie removes the files that it created before.',
    remedy:
      'Do what the message suggests: free some space or inodes, mount the filesystem writable, or pass another --dir.',
    examples: [
      { command: 'df -h /mnt/disk; df -i /mnt/disk', comment: 'show free space and free inodes' },
      { command: 'touch /mnt/disk/test && rm /mnt/disk/test', comment: 'check that you can create files' },
    ],
  },
  'cleanup-failed': {
    title: 'gobonnie could not remove its temporary files',
    cause:
      'At the end of the run, or before a phase that needs empty files, gobonnie failed to remove its files, or another program had removed them already. The message has the path and the reason.',
    impact:
      'The results of the completed runs are valid, and gobonnie prints them. The leftover files can take as much space as --size.',
    remedy:
      'Fix the cause (make the filesystem writable again, for example). Then remove the files with gobonnie clean or by hand: the directory is called gobonnie-XXXXXX. The next run in the same directory also tries to remove them.',
    examples: [
      { command: 'gobonnie clean --dry-run /mnt/disk', comment: 'list leftover files' },
      { command: 'gobonnie clean /mnt/disk', comment: 'remove them' },
    ],
  },
  'threads-failed': {
    title: 'could not start a worker thread',
    cause:
      'The system failed to start a thread, or ended it, because of a limit on processes, open files or memory.',
    impact: 'There are no results, because results with fewer threads would not measure what you asked for.',
    remedy: 'Raise the limit in the message, or pass fewer --threads.',
    examples: [
      { command: 'ulimit -u; ulimit -n', comment: 'show the process and open-file limits' },
      { command: 'gobonnie --size 4 --threads 4', comment: 'use fewer threads' },
    ],
  },
  'phase-failed': {
    title: 'an operation failed during the measurement',
    cause:
      'A write, a read or another call of a phase failed. The message has the phase, the file, the offset and the reason.',
    impact:
      'This phase has no result, because a result with failed operations would be wrong. gobonnie prints the completed runs and removes the temporary files.',
    remedy:
      'Do what the message suggests. An I/O error (EIO) comes from the device or its filesystem; the system log has details. With --direct, EINVAL means that the filesystem accepts only whole blocks or does not support O_DIRECT.',
    examples: [
      { command: 'sudo dmesg | tail', comment: "show the kernel's messages" },
      { command: 'gobonnie --size 4 --direct --io-size 4k', comment: 'use whole blocks' },
    ],
  },
  'low-disk-space': {
    title: 'another process filled the disk during the run',
    cause: `gobonnie checks the free space several times a second while a phase runs. It stops the run when other programs leave so little that less than half of the reserve would remain free. The reserve is ${formatBytes(MIN_FREE_BYTES)}, or ${formatPercent(MIN_FREE_SHARE)} of the filesystem if that is less.`,
    impact:
      'This phase has no result. gobonnie prints the completed runs and removes the temporary files to free space for the other program.',
    remedy:
      'Find the program that writes there and wait until it is done, or use less data or another directory.',
    examples: [
      { command: 'df -h /mnt/disk', comment: 'show the free space' },
      { command: 'gobonnie --dir /mnt/disk --size 1 --direct', comment: 'little data, but no cached reads' },
    ],
  },
  'data-corrupt': {
    title: 'data mismatch: the data read back differs from the data written',
    cause:
      'gobonnie compares data that it reads with the data that it wrote: always a part, and with --verify every block. The data differed, or the file was too short. The message has the file and the offset of the first wrong byte.',
    impact:
      'The disk, its controller, the RAM, the filesystem or another process changed the data. The phase has no result.',
    remedy:
      'Do not trust this disk until you know the cause. Run again with --verify, which also shows where misplaced data belongs. Then test another disk on the same machine, and test the RAM.',
    examples: [
      { command: 'gobonnie --dir /mnt/disk --size 4 --verify --direct', comment: 'compare every block' },
      { command: 'sudo smartctl -a /dev/sda', comment: "show the disk's own error counts" },
    ],
  },
  'sync-failed': {
    title: 'syncing the data to the device failed',
    cause: 'All writes succeeded, but the sync of a file failed.',
    impact:
      'Some written data is not on the device, so the phase has no result. gobonnie does not repeat the sync, because the kernel would report success the second time.',
    remedy:
      'Do what the message suggests; the system log has details. This also happens on a disk that promises more space than it has (thin provisioning, a sparse image).',
    examples: [{ command: 'sudo dmesg | tail', comment: "show the kernel's messages" }],
  },
  'cache-failed': {
    title: 'gobonnie could not empty the page cache',
    cause: 'You passed --cache drop or --cache evict, and it failed.',
    impact: 'The page cache would have served reads despite your choice, so gobonnie stopped the run.',
    remedy:
      'Pass --cache auto, which uses the best available method and warns if none works, or --direct (Linux and Windows). Evicting needs Linux and GNU dd, in a directory that only root can change. Systems with busybox have another dd: install GNU coreutils (apk add coreutils on Alpine).',
    examples: [
      { command: 'gobonnie --size 4 --cache auto', comment: 'use the best available method' },
      { command: 'gobonnie --size 4 --direct', comment: 'bypass the page cache' },
    ],
  },
  'output-failed': {
    title: 'gobonnie could not write the results',
    cause:
      'gobonnie could not write to stdout or to a file of --out: the disk is full, or the program that reads the pipe has exited.',
    impact: 'The results would be lost, so gobonnie stopped the run and removed the temporary files.',
    remedy: 'Redirect stdout to another file or pipe, or pass an --out on another filesystem.',
    examples: [{ command: 'gobonnie --size 4 --out ~/disk.json', comment: 'not on the disk under test' }],
  },
  'input-unreadable': {
    title: 'gobonnie cannot read a result file',
    cause:
      'A file to show or compare does not exist, is not a regular file, is too large, or contains no results that gobonnie can read. The message has the file, often the line, and the reason.',
    impact:
      'Of several files, show still prints the readable ones and exits with 1. compare compares nothing.',
    remedy:
      "Pass gobonnie's reports or JSON, gobonniego's JSON, bonnie++'s CSV, or the output of Bonnie. gobonnie skips other text around them.",
    examples: [
      { command: 'gobonnie show report.json', comment: 'show the results in a file' },
      { command: 'gobonnie --size 4 --out report.json', comment: 'write a report to show later' },
    ],
  },
  'rank-failed': {
    title: 'a rank of the job failed or did not arrive',
    cause:
      'All ranks of a job begin each phase together, and one rank could not: its disk failed or was full, it runs another version of gobonnie, or it sent nothing for --barrier-timeout seconds.',
    impact:
      'The job has no combined result for this phase. The report has the results of the other ranks, marked as incomplete.',
    remedy:
      'The message names the rank, its host and its failure. If the rank was only slow, raise --barrier-timeout.',
    examples: [
      {
        command: 'mpiexec -n 8 gobonnie --dir /shared --size 1 --barrier-timeout 1800',
        comment: 'wait half an hour',
      },
    ],
  },
  'communication-failed': {
    title: 'the processes of a job or of bonnie++ -y could not connect',
    cause:
      'In a job, the launcher did not reply or did not follow PMI-1, or the ranks of --rendezvous DIR do not share the directory. With bonnie++ -y s, processes start each test together at a barrier that bonnie++ -p N creates: that barrier does not exist, is full or in use, was removed, or other users could write to it.',
    impact: 'The tests would not have run at the same time, so there are no results.',
    remedy:
      'For a job, check the output of mpiexec or srun. For bonnie++ -y, create a barrier for the number of processes, and start all processes as the same user with the same TMPDIR. The barrier is gone when the last process leaves.',
    examples: [
      { command: 'mpiexec -n 8 gobonnie --dir /shared --size 1', comment: 'an MPICH job' },
      { command: 'gobonnie bonnie++ -p 2', comment: 'create a barrier for two processes' },
      { command: 'gobonnie bonnie++ -y s -r 0 -s 4g -d /mnt/a &', comment: 'start the first process' },
      { command: 'gobonnie bonnie++ -y s -r 0 -s 4g -d /mnt/b', comment: 'start the second process' },
      { command: 'gobonnie bonnie++ -p -1', comment: 'remove the barrier' },
    ],
  },
  'system-call-failed': {
    title: 'a system call failed',
    cause:
      'A system call failed that has no error code of its own here, for example while gobonnie loaded its modules or while zones read a disk. The message has the reason.',
    impact: 'There is no result.',
    remedy:
      'Do what the message suggests. GOBONNIE_DEBUG=1 adds the place in the code; the system log may have details.',
    examples: [
      { command: 'sudo dmesg | tail', comment: "show the kernel's messages" },
      { command: 'GOBONNIE_DEBUG=1 gobonnie --size 1', comment: 'print the stack of the error' },
    ],
  },
};
