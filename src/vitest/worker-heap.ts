/**
 * What the processes of a performance project are started with. Left to itself, V8 begins a full collection whenever a small
 * heap has grown by some 10 MB, which a thousand streams do every few seconds; its pauses of 10 to 15 ms are then part of
 * every time that is taken within them. With this it begins none until it draws near that size, young objects and buffers
 * counted: at 70 MB or so of heap, every half minute instead. A thread of a run has a heap of its own, with the same limit.
 */
export const WORKER_HEAP_ARGS: readonly string[] = ['--initial-old-space-size=128']

/** Flags that say what {@link WORKER_HEAP_ARGS} says; V8 takes `_` for `-`. */
const SIZE_OF_HEAP = /^--initial[-_](old[-_]space|heap)[-_]size\b/

/** Pools whose workers are processes: a worker thread takes no flags of V8's. */
const POOLS_OF_PROCESSES: readonly unknown[] = ['forks', 'vmForks']

/**
 * @param pool Vitest's, once resolved
 * @param execArgv what the processes are started with so far
 * @returns what to add to it: nothing where it says how large the heap is, or where there are no processes to start
 */
export function workerHeapArgs(pool: unknown, execArgv: readonly string[]): readonly string[] {
  return POOLS_OF_PROCESSES.includes(pool) && !execArgv.some((arg) => SIZE_OF_HEAP.test(arg)) ? WORKER_HEAP_ARGS : []
}
