import type { Clock, Timer, Warn } from '../base/index.ts'
import type { MetricsTarget, Scrape } from '../endpoint/index.ts'
import type { ServerRecord, ServerSample } from '../metrics/index.ts'

/** More would only cost memory: beyond it every other look is dropped, and the interval doubles. */
const MOST_SAMPLES = 600

interface ServerWatchParts {
  readonly metrics: MetricsTarget
  readonly clock: Clock
  readonly scrape: (metrics: MetricsTarget) => Promise<Scrape>
  readonly warn: Warn
}

/** Looks at a server's own metrics beside the load: at the borders of stages and on a timer. It never fails a run. */
export class ServerWatch {
  readonly #parts: ServerWatchParts
  #samples: ServerSample[] = []
  #intervalMs: number
  #timer: Timer | undefined
  readonly #pending = new Set<Promise<void>>()

  constructor(parts: ServerWatchParts) {
    this.#parts = parts
    this.#intervalMs = parts.metrics.intervalMs
  }

  /** @param originMs what the record's times count from */
  start(originMs: number): void {
    const tick = () => {
      this.look(originMs)
      this.#timer = this.#parts.clock.after(this.#intervalMs, tick)
    }
    this.#timer = this.#parts.clock.after(this.#intervalMs, tick)
  }

  /** Starts a look; whoever measures does not wait for it. */
  look(originMs: number): void {
    const { clock, scrape, metrics, warn } = this.#parts
    const atMs = clock.now() - originMs
    const looking: Promise<void> = scrape(metrics)
      .then((found) => {
        if ('reading' in found) this.#keep({ atMs, ...found.reading })
        else
          warn({
            code: 'server-metrics-unread',
            message: `The metrics of the server are missing from the run: ${found.problem}.`,
            where: metrics.url,
          })
      })
      .finally(() => this.#pending.delete(looking))
    this.#pending.add(looking)
  }

  async stop(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = undefined
    await Promise.all(this.#pending)
  }

  /** `undefined` when nothing could be read. */
  get record(): ServerRecord | undefined {
    return this.#samples.length === 0 ? undefined : { samples: this.#samples.toSorted((a, b) => a.atMs - b.atMs) }
  }

  #keep(sample: ServerSample): void {
    this.#samples.push(sample)
    if (this.#samples.length <= MOST_SAMPLES) return
    this.#samples = this.#samples.filter((_, index) => index % 2 === 0)
    this.#intervalMs *= 2
  }
}
