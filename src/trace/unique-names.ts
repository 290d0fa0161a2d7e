/** Hands out names, each once: `a`, then `a~2`, `a~3`. */
export class UniqueNames {
  readonly #taken = new Set<string>()
  readonly #last = new Map<string, number>()

  take(name: string): string {
    let free = name
    for (let suffix = (this.#last.get(name) ?? 1) + 1; this.#taken.has(free); suffix += 1) {
      free = `${name}~${suffix}`
      this.#last.set(name, suffix)
    }
    this.#taken.add(free)
    return free
  }
}
