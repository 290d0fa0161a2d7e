import type { Socket } from 'node:net'

/** What a stand-in's bytes are: shared by all, and never written to, so that the system gives them no memory. */
let blank = new ArrayBuffer(0)

/**
 * A body that lies in several pieces of memory, most of which other requests share. The connection library wants a body in
 * one piece, and to copy a long history for each request takes longer than to send it; so this stands in for a body of its
 * length, and the socket, which we make ourselves, writes the pieces in its place ({@link writeGatheredBodies}).
 */
export class GatheredBody extends Uint8Array {
  readonly pieces: readonly Uint8Array[]

  constructor(pieces: readonly Uint8Array[], length: number) {
    if (length > blank.byteLength) blank = new ArrayBuffer(Math.max(length, 2 * blank.byteLength))
    super(blank, 0, length)
    this.pieces = pieces
  }
}

/** Has a socket write the pieces of a gathered body that it is given. */
export function writeGatheredBodies(socket: Socket): void {
  const { write } = socket
  socket.write = (data: string | Uint8Array, ...rest: unknown[]): boolean => {
    if (!(data instanceof GatheredBody)) return Reflect.apply(write, socket, [data, ...rest])
    let hasRoom = true
    socket.cork()
    for (const piece of data.pieces) hasRoom = write.call(socket, piece)
    socket.uncork()
    return hasRoom
  }
}
