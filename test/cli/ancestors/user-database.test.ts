import { expect, test } from 'vitest';
import { parseGroups, parseId, parseUsers } from '../../../src/cli/ancestors/user-database.js';

test('users have a name, a number and a primary group', () => {
  const text = [
    'root:x:0:0:root:/root:/bin/bash',
    'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
    'u:x:1000:100:A User, 1 Road:/home/u:/bin/sh',
    '',
  ].join('\n');
  expect(parseUsers(text)).toEqual([
    { name: 'root', uid: 0, gid: 0 },
    { name: 'nobody', uid: 65_534, gid: 65_534 },
    { name: 'u', uid: 1000, gid: 100 },
  ]);
});

test('groups have a name and a number, whoever is in them', () => {
  expect(parseGroups('root:x:0:\nusers:x:100:u,v\nnogroup:x:65534')).toEqual([
    { name: 'root', gid: 0 },
    { name: 'users', gid: 100 },
    { name: 'nogroup', gid: 65_534 },
  ]);
});

test("macOS's negative numbers and comments are understood", () => {
  const text = '##\n# User Database\n##\nnobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false\n';
  expect(parseUsers(text)).toEqual([{ name: 'nobody', uid: 4_294_967_294, gid: 4_294_967_294 }]);
});

test('lines may end as on Windows, and the last one without an end', () => {
  expect(parseUsers('a:x:1:2\r\nb:x:3:4')).toEqual([
    { name: 'a', uid: 1, gid: 2 },
    { name: 'b', uid: 3, gid: 4 },
  ]);
});

test.each([
  ['nothing', ''],
  ['an empty line', '\n\n'],
  ['no fields', 'root'],
  ['no group', 'root:x:0'],
  ['empty numbers', 'root:x:::root:/root:/bin/bash'],
  ['numbers that are none', 'root:x:0x0:zero:::'],
  ['a number that is too large', 'root:x:4294967296:0:::'],
  ['a number that means "leave it"', 'root:x:4294967295:0:::'],
  ['the same, negative', 'root:x:-1:0:::'],
  ['blanks', 'root:x: 0:0:::'],
  ['no name', ':x:0:0:::'],
  ['everybody of another database', '+::::::\n+:x:0:0:::\n+@netgroup:x:0:0:::\n-bad:x:0:0:::'],
])('a line is no user with %s', (_, text) => {
  expect(parseUsers(text)).toEqual([]);
});

test.each([
  ['no number', 'root:x'],
  ['an empty number', 'root:x::'],
  ['a name for a number', 'root:x:root:'],
  ['another database', '+:::'],
])('a line is no group with %s', (_, text) => {
  expect(parseGroups(text)).toEqual([]);
});

test.each([
  ['0', 0],
  ['007', 7],
  ['4294967294', 4_294_967_294],
  ['-2', 4_294_967_294],
] as const)('%s is the number %d', (text, id) => {
  expect(parseId(text)).toBe(id);
});

test.each(['', '-', '-1', '4294967295', '1.0', '1e3', '0x1', '+1', ' 1', '1 ', '65534x', '٣'])(
  '%j is no number of anybody',
  (text) => {
    expect(parseId(text)).toBeNull();
  },
);
