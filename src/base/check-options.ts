import { inspect } from 'node:util'
import type { z } from 'zod'
import { TraceReplayError } from './error.ts'
import { nearest } from './nearest.ts'

/**
 * Holds a value that came from outside against its schema. The error names the option by its path, what was found, what
 * was expected and, for an unknown key or value, the nearest valid one.
 *
 * @param what names the value as the user wrote it: `'replayTest options'`, `'toHaveWorkflowLatency'`
 * @throws {TraceReplayError} `INVALID_OPTION`
 */
export function checkOptions<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const lines = result.error.issues.flatMap((issue) => describe(issue, schema))
  const [first = 'is not valid'] = lines
  throw new TraceReplayError(
    'INVALID_OPTION',
    lines.length === 1 ? `${what}: ${first}` : `${what}:\n${lines.map((line) => `  - ${line}`).join('\n')}`,
  )
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodType): string[] {
  const path = pathText(issue.path)
  const subject = path === '' ? 'the value' : `\`${path}\``
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = keysAt(schema, issue.path)
      return issue.keys.map((key) => {
        const close = nearest(key, known)
        const hint =
          close === undefined ? (known.length > 0 ? ` Known: ${known.join(', ')}.` : '') : ` Did you mean \`${close}\`?`
        return `unknown option \`${pathText([...issue.path, key])}\`.${hint}`
      })
    }
    case 'invalid_value': {
      const values = issue.values.map(String)
      const close = typeof issue.input === 'string' ? nearest(issue.input, values) : undefined
      const hint = close === undefined ? '' : ` Did you mean '${close}'?`
      return [`${subject} is ${show(issue.input)}, expected ${listing(values)}.${hint}`]
    }
    case 'invalid_type':
      return [`${subject} is ${show(issue.input)}, expected ${issue.expected}.`]
    case 'too_small':
    case 'too_big':
      return [`${subject} is ${show(issue.input)}, ${bound(issue)}.`]
    case 'invalid_union': {
      if (issue.discriminator !== undefined) return [unknownKind(issue.discriminator, issue, schema)]
      const [branch] = issue.errors.filter((errors) => errors.some((inner) => inner.path.length > 0))
      const inner = branch?.flatMap((nested) => describe({ ...nested, path: [...issue.path, ...nested.path] }, schema))
      return inner ?? [`${subject} is ${show(issue.input)}, ${issue.message}.`]
    }
    default:
      return [`${subject} is ${show(issue.input)}, ${issue.message}.`]
  }
}

/** None of a union's variants is called so. */
function unknownKind(discriminator: string, issue: z.core.$ZodIssueInvalidUnion, schema: z.ZodType): string {
  const found = (issue.input as Readonly<Record<string, unknown>> | undefined)?.[discriminator]
  const variants = defOf(schemaAt(schema, issue.path.slice(0, -1)))?.options ?? []
  const known = variants.flatMap((variant) => defOf(shapeOf(unwrap(variant))?.[discriminator])?.values ?? []).map(String)
  const close = typeof found === 'string' ? nearest(found, known) : undefined
  const hint = close === undefined ? '' : ` Did you mean '${close}'?`
  return `\`${pathText(issue.path)}\` is ${show(found)}, expected ${listing(known)}.${hint}`
}

function bound(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  if (issue.origin !== 'number' && issue.origin !== 'int') return issue.message
  if (issue.code === 'too_small') return `expected a number ${issue.inclusive === false ? '>' : '≥'} ${issue.minimum}`
  return `expected a number ${issue.inclusive === false ? '<' : '≤'} ${issue.maximum}`
}

/** `['stages', 0, 'duration']` → `stages[0].duration` */
function pathText(path: readonly PropertyKey[]): string {
  let text = ''
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : text === '' ? String(part) : `.${String(part)}`
  return text
}

function listing(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(' | ')
}

/** Objects are named, not printed: one of them may hold a key. */
function show(input: unknown): string {
  if (input === undefined) return 'missing'
  if (typeof input === 'function') return 'a function'
  if (Array.isArray(input)) return 'an array'
  if (typeof input === 'object' && input !== null) return 'an object'
  return inspect(input, { maxStringLength: 60 })
}

/** The keys a schema knows at a path, seen through optional, default, array and pipe wrappers. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  return Object.keys(shapeOf(schemaAt(schema, path)) ?? {})
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): unknown {
  let current: unknown = schema
  for (const part of path) current = step(unwrap(current), part)
  return unwrap(current)
}

interface SchemaLike {
  readonly _zod: {
    readonly def: {
      readonly type: string
      readonly innerType?: unknown
      readonly in?: unknown
      readonly element?: unknown
      readonly shape?: Record<string, unknown>
      readonly options?: readonly unknown[]
      readonly values?: readonly unknown[]
    }
  }
}

function defOf(schema: unknown): SchemaLike['_zod']['def'] | undefined {
  return (schema as SchemaLike | undefined)?._zod.def
}

function unwrap(schema: unknown): unknown {
  for (let current = schema; ; ) {
    const def = defOf(current)
    const inner = def?.innerType ?? def?.in
    if (inner === undefined) return current
    current = inner
  }
}

function step(schema: unknown, part: PropertyKey): unknown {
  return typeof part === 'number' ? defOf(schema)?.element : shapeOf(schema)?.[String(part)]
}

/** A union knows the keys of all its variants. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const def = defOf(schema)
  if (def?.options === undefined) return def?.shape
  return Object.assign({}, ...def.options.map((variant) => shapeOf(unwrap(variant))))
}
