import { closeSync, readdirSync, readFileSync } from 'node:fs';

const STDERR = 2;
/** The flag as the kernel prints it. Node sets it on every file that this process opens. */
const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes files inherited from gobonnie's parents, such as a pipe that a launcher or shell watches to detect the end of
 * a program. Node closes some of them; only Linux lists the others.
 */
export function closeInheritedFiles(): void {
  for (const name of listDirectory('/proc/self/fd')) {
    const fd = Number(name);
    if (fd <= STDERR) continue;
    try {
      const [, flags = ''] =
        /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')) ?? [];
      if (flags !== '' && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0) closeSync(fd);
    } catch {
      // This descriptor listed the directory, and is closed already.
    }
  }
}

function listDirectory(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
