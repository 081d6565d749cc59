import path from 'node:path';
import { dataFileName } from '../plan/files.js';

export function dataFilePaths(root: string, files: number): readonly string[] {
  return Array.from({ length: files }, (_, index) => path.join(root, dataFileName(index)));
}
