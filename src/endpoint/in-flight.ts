/** Something under way that can be ended from outside. */
export interface Abortable {
  abort(): void
  /** Its place among those in flight; kept by {@link InFlight} alone. */
  place: number
}

/**
 * What is under way under one signal (or none). A list from which the last takes the place of the one removed: a `Set` with
 * so much coming and going keeps its old tables, and with them what they held, until the next full collection.
 */
class Group<Item extends Abortable> {
  readonly #items: Item[] = []
  readonly listener = (): void => this.abortAll()

  get isEmpty(): boolean {
    return this.#items.length === 0
  }

  add(item: Item): void {
    item.place = this.#items.push(item) - 1
  }

  remove(item: Item): void {
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    this.#items[item.place] = last
    last.place = item.place
  }

  abortAll(): void {
    for (const item of [...this.#items]) item.abort()
  }
}

/**
 * All that is under way, by signal, with one listener for each signal: a run's signal is shared by thousands of requests, and
 * each listener of its own would cost a walk through all the others.
 */
export class InFlight<Item extends Abortable> {
  readonly #groups = new Map<AbortSignal | undefined, Group<Item>>()

  add(item: Item, signal: AbortSignal | undefined): void {
    let group = this.#groups.get(signal)
    if (group === undefined) {
      group = new Group()
      this.#groups.set(signal, group)
      signal?.addEventListener('abort', group.listener, { once: true })
    }
    group.add(item)
  }

  remove(item: Item, signal: AbortSignal | undefined): void {
    const group = this.#groups.get(signal)
    if (group === undefined) return
    group.remove(item)
    if (!group.isEmpty) return
    this.#groups.delete(signal)
    signal?.removeEventListener('abort', group.listener)
  }

  abortAll(): void {
    for (const group of [...this.#groups.values()]) group.abortAll()
  }
}
