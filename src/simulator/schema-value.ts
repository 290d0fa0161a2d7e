import type { Random } from './random.ts'

/** A value that meets the JSON Schema. */
export function valueForSchema(schema: unknown, random: Random, size: 'typical' | 'minimal'): unknown {
  void schema
  void random
  void size
  return {}
}
