import type { Clock } from '../base/index.ts'

const RETRY_MS = 50
/** Connections that are idle are closed, and give back their descriptors, well before. */
const LONGEST_WAIT_MS = 10_000

/**
 * Reads a file while a run is under way, whose connections may have taken every descriptor there is. That is to cost no more
 * than the connections that found none, so the file waits until one is given back.
 *
 * @param read throws an error whose cause is that of the file system
 * @throws what `read` throws for any other reason, or when none was given back; the signal's reason once it has aborted
 */
export async function readOnceThereIsADescriptor<Content>(
  read: () => Content,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Content> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return read()
    } catch (error) {
      if (!isOfDescriptors(error) || waitedMs >= LONGEST_WAIT_MS) throw error
      await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve))
      signal?.throwIfAborted()
    }
  }
}

function isOfDescriptors(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && (cause.code === 'EMFILE' || cause.code === 'ENFILE')
}
