import type { SchemaTree } from 'hyparquet'
import type { ColumnReader } from './column-reader.ts'

/** Reads one field of the row that comes next, from the columns below it. */
export interface Field {
  read(): unknown
  /** Takes the one placeholder that each column below has where a list or object around it is empty or null. */
  skip(): void
  /** Its levels tell how the field goes on. */
  readonly first: ColumnReader
}

/** Deeper than any table of people; a schema may be made to exhaust the stack. */
const DEEPEST_SCHEMA = 100

/**
 * How rows are put together again from columns.
 *
 * @param column finds the reader of a leaf by its path
 */
export function fieldOf(
  node: SchemaTree,
  column: (path: readonly string[]) => ColumnReader,
  above = { definition: 0, repetition: 0 },
): Field {
  if (node.path.length > DEEPEST_SCHEMA) throw new Error(`its columns nest more than ${DEEPEST_SCHEMA} levels deep`)
  const occurs = node.path.length === 0 ? 'REQUIRED' : node.element.repetition_type
  const definition = above.definition + (occurs === 'OPTIONAL' || occurs === 'REPEATED' ? 1 : 0)
  const repetition = above.repetition + (occurs === 'REPEATED' ? 1 : 0)
  if (node.children.length === 0) {
    const value = leaf(column(node.path))
    return occurs === 'REPEATED' ? repeated(value, definition, repetition) : value
  }
  const children = node.children.map((child) => ({
    name: child.element.name,
    field: fieldOf(child, column, { definition, repetition }),
  }))
  const value = annotated(node, children) ?? group(children)
  if (occurs === 'REPEATED') return repeated(value, definition, repetition)
  return occurs === 'OPTIONAL' ? optional(value, definition) : value
}

interface NamedField {
  readonly name: string
  readonly field: Field
}

/** Lists and maps are groups around a repeated group. */
function annotated(node: SchemaTree, [only, ...others]: readonly NamedField[]): Field | undefined {
  const [child] = node.children
  if (only === undefined || others.length > 0 || child?.element.repetition_type !== 'REPEATED') return undefined
  if (isAnnotated(node, 'MAP') && child.children.length === 2) return mapped(only.field)
  if (!isAnnotated(node, 'LIST')) return undefined
  return wrapsElement(node, child) ? unwrapped(only.field) : only.field
}

function isAnnotated({ element }: SchemaTree, kind: 'LIST' | 'MAP'): boolean {
  const { converted_type: converted, logical_type: logical } = element
  return converted === kind || logical?.type === kind || (kind === 'MAP' && converted === 'MAP_KEY_VALUE')
}

/** Writers put a group around each element, except for old ones that did not. */
function wrapsElement(list: SchemaTree, repeated: SchemaTree): boolean {
  const { name } = repeated.element
  return repeated.children.length === 1 && name !== 'array' && name !== `${list.element.name}_tuple`
}

function leaf(reader: ColumnReader): Field {
  return { first: reader, read: () => reader.next(), skip: () => void reader.next() }
}

function optional(value: Field, definition: number): Field {
  return {
    ...value,
    read() {
      if (value.first.definition >= definition) return value.read()
      value.skip()
      return null
    },
  }
}

function repeated(element: Field, definition: number, repetition: number): Field {
  return {
    ...element,
    read() {
      const list: unknown[] = []
      if (element.first.definition < definition) element.skip()
      else
        do list.push(element.read())
        while (element.first.repetition === repetition)
      return list
    },
  }
}

/** Fields without a value are left out: a table has every column in every row. */
function group(fields: readonly NamedField[]): Field {
  const [first] = fields
  if (first === undefined) throw new Error('it has no columns')
  return {
    first: first.field.first,
    read() {
      const object: Record<string, unknown> = {}
      for (const { name, field } of fields) {
        const value = field.read()
        if (value !== null && name !== '__proto__') object[name] = value
      }
      return object
    },
    skip() {
      for (const { field } of fields) field.skip()
    },
  }
}

function unwrapped(list: Field): Field {
  return { ...list, read: () => (list.read() as readonly object[]).map((wrapper) => Object.values(wrapper)[0] ?? null) }
}

/** A map's keys come from outside: entries become own properties, whatever they are called. */
function mapped(pairs: Field): Field {
  return {
    ...pairs,
    read: () =>
      Object.fromEntries(
        (pairs.read() as readonly object[]).map((pair) => {
          const { key, value = null } = pair as { key?: unknown; value?: unknown }
          return [String(key), value]
        }),
      ),
  }
}
