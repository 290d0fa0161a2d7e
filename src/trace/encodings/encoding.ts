import type { FileReport } from '../file-report.ts'

/**
 * How documents stand in the bytes of a file: one JSON text, one per line, compressed, as protobuf. What a document says is
 * the business of a container.
 *
 * To teach the project another encoding, add a file beside this one and its `Encoding` to the list in `index.ts`.
 *
 * - It is told by content, never by the file's name. `recognises` may look at all bytes but should decide on the first few.
 * - An encoding that wraps another (gzip) unwraps the bytes and yields what `documentsOf` from `index.ts` makes of them.
 * - Documents are plain values as `JSON.parse` makes them. A binary format yields the value its JSON form would have, so that
 *   one container reads both.
 * - Bytes that it recognised but cannot read go to `report.refuse('UNREADABLE_TRACE', …)`; then it yields nothing more.
 */
export interface Encoding {
  readonly name: string
  recognises(bytes: Uint8Array): boolean
  documents(bytes: Uint8Array, report: FileReport): Iterable<unknown>
}
