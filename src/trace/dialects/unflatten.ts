import type { Attributes, AttributeValue } from '../span.ts'

/** Longer paths than any recorder writes; attributes with one are ignored. */
const LONGEST_PATH = 32

/**
 * What recorders have flattened into keys like `prefix.0.message.role`, as nested values again; `undefined` when there is nothing
 * under the prefix. Positions become lists in their order, whatever numbers they have: gaps close, and a huge number costs nothing.
 */
export function unflatten(attributes: Attributes, prefix: string): AttributeValue | undefined {
  const root: Branch = new Map()
  const start = `${prefix}.`
  for (const [key, value] of attributes) if (key.startsWith(start)) put(root, key.slice(start.length).split('.'), value)
  return root.size === 0 ? undefined : nestedValue(root)
}

/** A list under the prefix; empty when there is none. */
export function unflattenList(attributes: Attributes, prefix: string): readonly AttributeValue[] {
  const value = unflatten(attributes, prefix)
  return Array.isArray(value) ? value : []
}

/** The attributes under one position of a list: names and values in turn, so that two entries are quickly compared. */
export type FlatEntry = readonly AttributeValue[]

/**
 * The entries of a list under the prefix, not yet nested.
 *
 * @returns `undefined` when they do not stand in the order of their positions
 */
export function flatEntries(attributes: Attributes, prefix: string): readonly FlatEntry[] | undefined {
  const start = `${prefix}.`
  const entries: AttributeValue[][] = []
  let [entry, here, before]: [AttributeValue[], string, number] = [[], '', -1]
  for (const [key, value] of attributes) {
    if (!key.startsWith(start)) continue
    if (before === -1 || !key.startsWith(here)) {
      const position = /^\d{1,9}(?=\.)/.exec(key.slice(start.length))?.[0]
      if (position === undefined || Number(position) <= before) return undefined
      ;[entry, here, before] = [[], `${start}${position}.`, Number(position)]
      entries.push(entry)
    }
    entry.push(key, value)
  }
  return entries
}

/** A flat entry as a nested value. */
export function nestedEntry(entry: FlatEntry, prefix: string): AttributeValue {
  const root: Branch = new Map()
  for (let k = 0; k < entry.length; k += 2) {
    const [, ...path] = String(entry[k])
      .slice(prefix.length + 1)
      .split('.')
    put(root, path, entry[k + 1] ?? null)
  }
  return nestedValue(root)
}

/** Maps, because the names are chosen by whoever wrote the trace. */
type Branch = Map<string, Branch | { readonly leaf: AttributeValue }>

function put(root: Branch, path: readonly string[], leaf: AttributeValue): void {
  const last = path.at(-1)
  if (last === undefined || path.length > LONGEST_PATH) return
  let branch = root
  for (const part of path.slice(0, -1)) {
    let next = branch.get(part)
    // A place that is both a value and a branch: the branch says more.
    if (!(next instanceof Map)) {
      next = new Map()
      branch.set(part, next)
    }
    branch = next
  }
  if (!(branch.get(last) instanceof Map)) branch.set(last, { leaf })
}

function nestedValue(node: Branch | { readonly leaf: AttributeValue }): AttributeValue {
  if (!(node instanceof Map)) return node.leaf
  const entries = [...node]
  if (entries.every(([name]) => /^\d+$/.test(name))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, child]) => nestedValue(child))
  }
  // Without a prototype, so that a key named `__proto__` is a key like any other.
  const object: Record<string, AttributeValue> = Object.create(null)
  for (const [name, child] of entries) object[name] = nestedValue(child)
  return object
}
