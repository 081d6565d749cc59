import { win32 } from 'node:path';
import { display } from './escape.js';

/**
 * Names that most programs can neither open nor delete: of a device, with a forbidden character, with a dot or space at
 * the end, too long. The text after a colon would be the name of a hidden stream.
 */
const INVALID_NAME =
  /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=\s*(?:\.|$))|[<>:"|?*\p{Cc}]|[. ]$|^.{256}/iu;

/** Returns the problem with a name in a Windows path, or null. Node makes Windows take names literally. */
export function findWindowsNameProblem(file: string): string | null {
  // Without a share, Windows would treat the server as a directory of the current drive.
  if (/^[\\/]{2}/.test(file) && win32.parse(file).root.length < 3)
    return 'the server name needs a share name after it';
  const full = win32.resolve(file);
  const names = full.slice(win32.parse(full).root.length).split(win32.sep);
  const invalid = names.find((name) => INVALID_NAME.test(name));
  return invalid === undefined ? null : `Windows does not allow the name ${display(invalid)}`;
}
