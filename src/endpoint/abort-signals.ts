export interface Abortable {
  abort(): void
}

/**
 * Who is to be told when a signal fires, with one listener per signal: a run's signal is shared by thousands of requests,
 * and each listener of its own would cost a walk through all the others.
 */
export class AbortSignals {
  readonly #listeners = new Map<AbortSignal, { readonly waiting: Set<Abortable>; readonly listener: () => void }>()

  add(signal: AbortSignal, abortable: Abortable): void {
    let entry = this.#listeners.get(signal)
    if (entry === undefined) {
      const waiting = new Set<Abortable>()
      const listener = () => {
        for (const each of [...waiting]) each.abort()
      }
      entry = { waiting, listener }
      this.#listeners.set(signal, entry)
      signal.addEventListener('abort', listener, { once: true })
    }
    entry.waiting.add(abortable)
  }

  remove(signal: AbortSignal, abortable: Abortable): void {
    const entry = this.#listeners.get(signal)
    if (entry === undefined) return
    entry.waiting.delete(abortable)
    if (entry.waiting.size > 0) return
    this.#listeners.delete(signal)
    signal.removeEventListener('abort', entry.listener)
  }
}
