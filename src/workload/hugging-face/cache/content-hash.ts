import { createHash } from 'node:crypto'
import type { DatasetFile } from '../dataset-listing.ts'

/** Takes content piece by piece and tells whether it is the one that the hub lists. */
export interface ContentCheck {
  add(bytes: Uint8Array): void
  /** @returns what is wrong, `undefined` for nothing */
  fault(): string | undefined
}

export function contentCheck({ hash, sizeBytes }: DatasetFile): ContentCheck {
  if (hash === null) return { add() {}, fault: () => undefined }
  const digest = createHash(hash.kind === 'sha256' ? 'sha256' : 'sha1')
  // What git hashes begins with the kind of object and its size.
  if (hash.kind === 'git-sha1') digest.update(`blob ${sizeBytes}\0`)
  return {
    add: (bytes) => void digest.update(bytes),
    fault() {
      const found = digest.digest('hex')
      return found === hash.hex ? undefined : `its ${hash.kind} is ${found}, the hub lists ${hash.hex}`
    },
  }
}
