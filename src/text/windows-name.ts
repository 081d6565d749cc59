import { win32 } from 'node:path';
import { display, escapeControls } from './escape.js';

/** Names that most programs treat as a device, even with an extension. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=\s*(?:\.|$))/i;
/** Includes the colon, which would write to a hidden stream of the file named before it. */
const FORBIDDEN_CHARACTER = /[<>:"|?*\p{Cc}]/u;
const MAX_NAME_LENGTH = 255;

/**
 * Returns the problem with a name in a Windows path, or null. Node makes Windows take names literally, so it could
 * create files that other programs can neither open nor delete.
 */
export function findWindowsNameProblem(file: string): string | null {
  // Without a share, Windows would treat the server as a directory of the current drive.
  if (/^[\\/]{2}/.test(file) && win32.parse(file).root.length < 3)
    return 'the server name needs a share name after it';
  const full = win32.resolve(file);
  const names = full.slice(win32.parse(full).root.length).split(win32.sep);
  for (const name of names) {
    const [device] = DEVICE_NAME.exec(name) ?? [];
    if (device) return `Windows reserves the name ${device}`;
    const [character] = FORBIDDEN_CHARACTER.exec(name) ?? [];
    if (character) return `Windows does not allow ${escapeControls(character)} in a name`;
    if (/[. ]$/.test(name))
      return `${display(name)} ends with a dot or a space, which Windows does not allow`;
    if (name.length > MAX_NAME_LENGTH) return `Windows limits a name to ${MAX_NAME_LENGTH} characters`;
  }
  return null;
}
