import type { ServerResponse } from 'node:http'
import type { Clock, Timer } from '../base/index.ts'
import type { FaultDoing } from './fault-options.ts'

/** The faults that strike a response under way. */
export type BodyFault = Extract<FaultDoing, { kind: 'stall' | 'cut' | 'stream-error' | 'garbage' }>

/**
 * The body of one response on its way to the socket. What is written in one turn of the event loop leaves in one piece.
 * While the client does not read, or the response stalls on purpose, it is `blocked`: the writer waits, so that an
 * answer nobody reads takes no memory.
 */
export class ResponseBody {
  readonly #response: ServerResponse
  readonly #clock: Clock
  readonly #fault: BodyFault | undefined
  readonly #errorEvent: (message: string) => string
  /** Called when it is no longer blocked. */
  readonly #resume: () => void
  #text = ''
  #flushing = false
  #chunks = 0
  #struck = false
  #stalled = false
  #clogged = false
  #ended = false
  #timer: Timer | undefined

  constructor(options: {
    readonly response: ServerResponse
    readonly clock: Clock
    readonly fault: BodyFault | undefined
    readonly errorEvent: (message: string) => string
    readonly resume: () => void
  }) {
    this.#response = options.response
    this.#clock = options.clock
    this.#fault = options.fault
    this.#errorEvent = options.errorEvent
    this.#resume = options.resume
  }

  get blocked(): boolean {
    return this.#stalled || this.#clogged || this.#ended
  }

  /** Ended, cut or abandoned: nothing can be written any more. */
  get ended(): boolean {
    return this.#ended
  }

  /** Part of the body that is not output. */
  write(text: string): void {
    if (this.#ended) return
    this.#text += text
    this.#scheduleFlush()
  }

  /** One chunk of output. */
  writeChunk(text: string): void {
    this.write(text)
    this.#chunks++
    this.strikeIfDue()
  }

  /** Lets the fault happen if its time has come; `atEnd`: the response has no more chunks to wait for. */
  strikeIfDue(atEnd = false): void {
    const fault = this.#fault
    if (fault === undefined || this.#struck || this.#ended) return
    const after = fault.kind === 'stall' ? (typeof fault.after === 'object' ? fault.after.chunks : -1) : fault.afterChunks
    if (after < 0 || (this.#chunks < after && !atEnd)) return
    this.#struck = true
    this.#strike(fault)
  }

  /** The last part; then the response is over. */
  end(text: string): void {
    if (this.#ended) return
    this.#ended = true
    this.#response.end(this.#text + text)
    this.#text = ''
  }

  /** The client has gone: forget everything. */
  abandon(): void {
    this.#ended = true
    this.#text = ''
    this.#timer?.cancel()
  }

  #strike(fault: BodyFault): void {
    switch (fault.kind) {
      case 'garbage':
        this.write(fault.data)
        break
      case 'stream-error':
        this.end(this.#errorEvent(fault.message))
        break
      case 'stall':
        this.#stall(fault.forMs ?? Number.POSITIVE_INFINITY)
        break
      case 'cut':
        if (fault.how === 'end') this.end('')
        else this.#breakConnection(fault.how)
    }
  }

  #stall(forMs: number): void {
    this.#stalled = true
    if (forMs === Number.POSITIVE_INFINITY) return
    this.#timer = this.#clock.after(forMs, () => {
      this.#stalled = false
      if (!this.blocked) this.#resume()
    })
  }

  #breakConnection(how: 'close' | 'reset'): void {
    this.#ended = true
    const { socket } = this.#response
    const finish = () => (how === 'reset' ? socket?.resetAndDestroy() : socket?.destroy())
    // What was written before must reach the client first.
    if (this.#text === '') finish()
    else this.#response.write(this.#text, finish)
    this.#text = ''
  }

  #scheduleFlush(): void {
    if (this.#flushing) return
    this.#flushing = true
    queueMicrotask(() => this.#flush())
  }

  #flush(): void {
    this.#flushing = false
    if (this.#ended || this.#text === '') return
    const text = this.#text
    this.#text = ''
    if (this.#response.write(text)) return
    this.#clogged = true
    this.#response.once('drain', () => {
      this.#clogged = false
      if (!this.blocked) this.#resume()
    })
  }
}
