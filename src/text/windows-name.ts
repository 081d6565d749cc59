import { win32 } from 'node:path';
import { escaped, shown } from './escape.js';

/** Names that most programs take for a device, with an extension as well. */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=\s*(?:\.|$))/i;
/** A colon would write to a hidden stream of the file whose name comes before it. */
const FORBIDDEN = /[<>:"|?*\p{Cc}]/u;
const MOST_CHARACTERS = 255;

/**
 * What is wrong with a name in a path on Windows, or null. Node asks Windows to take names literally, so it could make
 * files that other programs then can neither open nor delete.
 */
export function badWindowsName(given: string): string | null {
  // Without a share it would be a directory of the current drive.
  if (/^[\\/]{2}/.test(given) && win32.parse(given).root.length < 3)
    return 'the name of a server needs that of a share behind it';
  const full = win32.resolve(given);
  const names = full.slice(win32.parse(full).root.length).split(win32.sep);
  for (const name of names) {
    const [device] = DEVICE.exec(name) ?? [];
    if (device) return `Windows reserves the name ${device}`;
    const [character] = FORBIDDEN.exec(name) ?? [];
    if (character) return `on Windows a name cannot contain ${escaped(character)}`;
    if (/[. ]$/.test(name)) return `on Windows no name can end with a dot or a space, as ${shown(name)} does`;
    if (name.length > MOST_CHARACTERS)
      return `on Windows no name can be longer than ${MOST_CHARACTERS} characters`;
  }
  return null;
}
