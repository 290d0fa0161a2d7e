const FIRST_ROOM = 32
const SLAB_ROOM = 4_096

/** In which all lists stand. */
let slab = new Float64Array(0)
let used = 0

/**
 * A list of times that grows by one at a time. As an array of the language each stream's would be copied again and again as it
 * grows, and what is left of that lives long enough to be collected with the old objects, which stops everything for longest.
 */
export class GrowingTimes {
  #memory = slab
  #start = 0
  #room = 0
  length = 0

  /** Hot path. */
  add(timeMs: number): void {
    if (this.length === this.#room) this.#makeRoom()
    this.#memory[this.#start + this.length++] = timeMs
  }

  toArray(): number[] {
    const times = new Array<number>(this.length)
    for (let index = 0; index < times.length; index++) times[index] = this.#memory[this.#start + index] as number
    return times
  }

  #makeRoom(): void {
    const room = Math.max(FIRST_ROOM, 2 * this.#room)
    if (used + room > slab.length) {
      slab = new Float64Array(Math.max(SLAB_ROOM, room))
      used = 0
    }
    for (let index = 0; index < this.length; index++) slab[used + index] = this.#memory[this.#start + index] as number
    this.#memory = slab
    this.#start = used
    this.#room = room
    used += room
  }
}
