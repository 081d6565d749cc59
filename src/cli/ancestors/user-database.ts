/** A user, by /etc/passwd. */
export interface User {
  readonly name: string;
  readonly uid: number;
  /** The primary group's. */
  readonly gid: number;
}

/** A group, by /etc/group. */
export interface Group {
  readonly name: string;
  readonly gid: number;
}

/** The number behind it would be -1, which the system calls take for "leave it as it is". */
const LARGEST_ID = 2 ** 32 - 2;

/** The lines of /etc/passwd: `nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin`. */
export function parseUsers(text: string): readonly User[] {
  return rowsOf(text).flatMap(([name = '', , uidText = '', gidText = '']) => {
    const [uid, gid] = [parseId(uidText), parseId(gidText)];
    return uid === null || gid === null ? [] : [{ name, uid, gid }];
  });
}

/** The lines of /etc/group: `nogroup:x:65534:`. */
export function parseGroups(text: string): readonly Group[] {
  return rowsOf(text).flatMap(([name = '', , gidText = '']) => {
    const gid = parseId(gidText);
    return gid === null ? [] : [{ name, gid }];
  });
}

/** Null for what is no number that a user or a group can have. macOS writes that of nobody as `-2`. */
export function parseId(text: string): number | null {
  if (!/^-?\d+$/.test(text)) return null;
  const id = text.startsWith('-') ? Number(text) + 2 ** 32 : Number(text);
  return id >= 0 && id <= LARGEST_ID ? id : null;
}

/** Without comments, and without the `+` and `-` lines that send the system to other databases. */
function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .split(/\r?\n/)
    .filter((line) => /^[^#:+-]/.test(line))
    .map((line) => line.split(':'));
}
