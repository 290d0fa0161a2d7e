import { inspect } from 'node:util'
import type { z } from 'zod'
import { TraceReplayError } from './error.ts'
import { nearest } from './nearest.ts'

/**
 * Holds a value that came from outside against its schema. The error names the option by its path, what was found, what
 * was expected and, for an unknown key or value, the nearest valid one.
 *
 * @param what names the value as the user wrote it: `'replayTest options'`, `'toHaveWorkflowLatency'`
 * @param known the names to offer for an unknown one, where the caller knows others than the schema; default: the schema's
 * @throws {TraceReplayError} `INVALID_OPTION`
 */
export function checkOptions<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
  known: readonly string[] = keysAt(schema, []),
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const lines = result.error.issues.flatMap((issue) => describe(issue, schema, known))
  const [first = 'is not valid'] = lines
  throw new TraceReplayError(
    'INVALID_OPTION',
    lines.length === 1 ? `${what}: ${first}` : `${what}:\n${lines.map((line) => `  - ${line}`).join('\n')}`,
  )
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodType, top: readonly string[]): string[] {
  const path = pathText(issue.path)
  const subject = path === '' ? 'the value' : `\`${path}\``
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = issue.path.length === 0 ? top : keysAt(schema, issue.path)
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
      return [`${subject} is ${show(issue.input)}, ${ownWords(issue) ?? `expected ${typeName(issue)}`}.`]
    case 'too_small':
    case 'too_big':
      return [`${subject} is ${show(issue.input)}, ${bound(issue)}.`]
    case 'invalid_union': {
      if (issue.discriminator !== undefined) return [unknownKind(issue.discriminator, issue, schema)]
      const [branch] = issue.errors.filter((errors) => errors.some((inner) => inner.path.length > 0))
      const inner = branch?.flatMap((nested) => describe({ ...nested, path: [...issue.path, ...nested.path] }, schema, top))
      return inner ?? [`${subject} is ${show(issue.input)}, ${ownWords(issue) ?? `expected ${alternatives(issue.errors)}`}.`]
    }
    default:
      // What is wrong between the parts of a value is not that it is an object.
      return issue.message.startsWith('expected')
        ? [`${subject} is ${show(issue.input)}, ${issue.message}.`]
        : [`${subject}: ${issue.message}.`]
  }
}

/** What the schema says itself, instead of the library's own words. */
function ownWords({ message }: z.core.$ZodIssue): string | undefined {
  return /^(Invalid input|Too small|Too big)/.test(message) ? undefined : message
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
}

function typeName({ expected, input }: z.core.$ZodIssueInvalidType): string {
  // Infinity and NaN are numbers, too.
  if (expected === 'number' && typeof input === 'number') return 'a finite number'
  return TYPE_NAMES[expected] ?? expected
}

function alternatives(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const names = branches.flat().flatMap((issue) => (issue.code === 'invalid_type' ? [typeName(issue)] : []))
  return names.length === 0 ? 'another value' : [...new Set(names)].join(' or ')
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
  if (issue.origin !== 'number' && issue.origin !== 'int') return ownWords(issue) ?? size(issue)
  if (issue.code === 'too_small') return `expected a number ${issue.inclusive === false ? '>' : '≥'} ${issue.minimum}`
  return `expected a number ${issue.inclusive === false ? '<' : '≤'} ${issue.maximum}`
}

function size(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const [most, count] = issue.code === 'too_small' ? ['least', issue.minimum] : ['most', issue.maximum]
  return `expected at ${most} ${count}${issue.origin === 'string' ? (count === 1 ? ' character' : ' characters') : ''}`
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
  if (Array.isArray(input)) return input.length === 0 ? 'an empty array' : 'an array'
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
