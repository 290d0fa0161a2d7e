/**
 * What the processes of a performance project are started with, each flag with those that say the same thing otherwise. A
 * collection stops all streams, and its pause is part of every time that is taken within it. A thread of a run has a heap of
 * its own, under the same flags.
 */
const FLAGS: readonly { readonly flag: string; readonly saidBy: RegExp }[] = [
  // Left to itself, V8 begins a full collection whenever a small heap has grown by some 10 MB, which a thousand streams do every
  // few seconds, and takes 10 to 15 ms. Below this size it begins none.
  { flag: '--initial-old-space-size=128', saidBy: /^--initial[-_](old[-_]space|heap)[-_]size\b/ },
  // Of young objects a fourth of the usual at once: as many survive in all, in pauses half as long.
  { flag: '--max-semi-space-size=4', saidBy: /^--(max|min)[-_]semi[-_]space[-_]size\b/ },
]

/** All of them, for a process that says nothing itself. */
export const WORKER_HEAP_ARGS: readonly string[] = FLAGS.map(({ flag }) => flag)

/** Pools whose workers are processes: a worker thread takes no flags of V8's. */
const POOLS_OF_PROCESSES: readonly unknown[] = ['forks', 'vmForks']

/**
 * @param pool Vitest's, once resolved
 * @param execArgv what the processes are started with so far
 * @param nodeOptions `NODE_OPTIONS`, which they are started with, too
 * @returns what to add: nothing about what has been said already, and nothing at all where there are no processes to start
 */
export function workerHeapArgs(pool: unknown, execArgv: readonly string[], nodeOptions = ''): readonly string[] {
  if (!POOLS_OF_PROCESSES.includes(pool)) return []
  const said = [...execArgv, ...nodeOptions.split(/\s+/)]
  return FLAGS.filter(({ saidBy }) => !said.some((arg) => saidBy.test(arg))).map(({ flag }) => flag)
}
