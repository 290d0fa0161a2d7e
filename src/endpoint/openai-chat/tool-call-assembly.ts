import type { ToolCallPart } from '../../message/index.ts'
import { GrowingText } from '../growing-text.ts'
import { isObject, objectOf, textOf } from '../json-value.ts'

interface OpenCall {
  readonly index: number | undefined
  id: string
  name: string
  readonly arguments: GrowingText
}

/** Puts the tool calls of one response together from deltas, whichever way the server numbers them. */
export class ToolCallAssembly {
  readonly #calls: OpenCall[] = []
  readonly #byIndex = new Map<number, OpenCall>()

  get isEmpty(): boolean {
    return this.#calls.length === 0
  }

  /** One `tool_calls` value: a list, or a lone call. `true` when it brought a new call or more of one. */
  add(value: unknown): boolean {
    if (Array.isArray(value)) {
      let grew = false
      for (const entry of value) if (this.#addEntry(entry)) grew = true
      return grew
    }
    return this.#addEntry(value)
  }

  /** The calls in the order they were begun, each with an id of its own. */
  parts(inventId: () => string): ToolCallPart[] {
    const taken = new Set<string>()
    return this.#calls.map((call) => {
      const id = call.id === '' || taken.has(call.id) ? inventId() : call.id
      taken.add(id)
      return { type: 'tool_call', id, name: call.name, arguments: call.arguments.toString() }
    })
  }

  #addEntry(entry: unknown): boolean {
    if (!isObject(entry)) return false
    const id = typeof entry.id === 'number' ? String(entry.id) : textOf(entry.id)
    const described = objectOf(entry.function ?? entry.custom ?? entry)
    const name = textOf(described.name)
    const args = argumentsText(described.arguments ?? described.input)
    const index = typeof entry.index === 'number' ? entry.index : undefined
    if (id === '' && name === '' && args === '') return false

    const open = this.#find(index, id)
    if (open === undefined || startsAnother(open, id, name)) {
      this.#begin({ index, id, name, arguments: GrowingText.of(args) })
      return true
    }
    if (index !== undefined) this.#byIndex.set(index, open)
    if (open.id === '') open.id = id
    if (open.name === '') open.name = name
    open.arguments.add(args)
    return args !== ''
  }

  #begin(call: OpenCall): void {
    this.#calls.push(call)
    if (call.index !== undefined) this.#byIndex.set(call.index, call)
  }

  /** The call a delta goes on with: the one of its index and id, else the latest of its index, else the last one. */
  #find(index: number | undefined, id: string): OpenCall | undefined {
    const same = id === '' ? undefined : this.#calls.findLast((call) => call.id === id && call.index === index)
    if (same !== undefined) return same
    return index === undefined ? (id === '' ? this.#calls.at(-1) : undefined) : this.#byIndex.get(index)
  }
}

/**
 * Whether a delta that claims an open call's place begins another one. Some servers give every parallel call index 0, or
 * none; a different id tells them apart and, where there are no ids, another name, or the same one after whole arguments.
 */
function startsAnother(open: OpenCall, id: string, name: string): boolean {
  if (id !== '' && open.id !== '') return id !== open.id
  if (name === '' || open.name === '') return false
  return name !== open.name || isWholeJson(open.arguments.toString())
}

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Arguments are JSON text; some servers send the object itself. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
