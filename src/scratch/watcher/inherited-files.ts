import { closeSync, readdirSync, readFileSync } from 'node:fs';

const STDERR = 2;
/** As the kernel prints it. What this process opens itself has it. */
const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes what the process before left open for every program that is started below it. Launchers and shells see by the
 * end of such a pipe that a program has ended. Node closes some of it, and only Linux lists the rest.
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
      // It was the one that listed them.
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
