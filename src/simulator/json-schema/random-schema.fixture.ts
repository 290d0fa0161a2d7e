import { drawInteger, drawOne, type Random } from '../../base/index.ts'

/** A schema that can be met, of the kinds agents' tools use, with everything drawn. */
export function randomSchema(random: Random, depth = 3): Record<string, unknown> {
  const maybe = (share: number) => random() < share
  const inner = () => randomSchema(random, depth - 1)
  const simple: (() => Record<string, unknown>)[] = [
    () => ({ type: 'boolean' }),
    () => ({ type: ['string', 'null'] }),
    () => ({ enum: [drawInteger(random, 0, 9), 'x', null].slice(0, drawInteger(random, 1, 3)) }),
    () => ({ const: drawOne<unknown>(random, ['fixed', 3, null, true, [1], { a: 1 }]) }),
    () => {
      const minimum = drawInteger(random, -200, 200)
      const step = maybe(0.3) ? { multipleOf: drawInteger(random, 1, 12) } : {}
      return { type: 'integer', ...(maybe(0.5) ? { minimum } : {}), ...(maybe(0.5) ? { maximum: minimum + 30 } : {}), ...step }
    },
    () => ({ type: 'number', exclusiveMinimum: drawInteger(random, -5, 5), exclusiveMaximum: drawInteger(random, 6, 9) }),
    () => {
      const minLength = drawInteger(random, 0, 30)
      return {
        type: 'string',
        ...(maybe(0.5) ? { minLength } : {}),
        ...(maybe(0.5) ? { maxLength: minLength + drawInteger(random, 0, 9) } : {}),
      }
    },
    () => ({ type: 'string', format: drawOne(random, ['date', 'date-time', 'email', 'uri', 'uuid', 'ipv4']) }),
    () => ({
      type: 'string',
      pattern: drawOne(random, ['^[a-f0-9]{8}$', '^(get|set)_\\w+$', '^v\\d+(\\.\\d+)*$', '^[^,;]+$', 'x|yz?']),
    }),
  ]
  const nested: (() => Record<string, unknown>)[] = [
    () => {
      const names = ['alpha', 'beta', 'gamma', 'delta'].slice(0, drawInteger(random, 0, 4))
      return {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, inner()])),
        required: names.filter(() => maybe(0.5)),
        ...(maybe(0.5) ? { additionalProperties: false } : {}),
      }
    },
    () => {
      const minItems = drawInteger(random, 0, 3)
      return {
        type: 'array',
        items: inner(),
        ...(maybe(0.5) ? { minItems } : {}),
        ...(maybe(0.4) ? { maxItems: minItems + 1 } : {}),
      }
    },
    () => ({ type: 'array', prefixItems: [inner(), inner()], items: inner(), minItems: drawInteger(random, 0, 3) }),
    () => ({ anyOf: [inner(), inner()] }),
    () => ({
      oneOf: [
        { type: 'object', properties: { is: { const: 'a' }, of: inner() }, required: ['is'] },
        { type: 'object', properties: { is: { const: 'b' }, as: inner() }, required: ['is', 'as'] },
      ],
    }),
    () => ({
      allOf: [{ type: 'object', properties: { left: inner() }, required: ['left'] }, { properties: { right: inner() } }],
    }),
    () => ({ type: 'object', additionalProperties: inner(), minProperties: drawInteger(random, 0, 2) }),
    () => ({
      type: 'object',
      properties: { self: { $ref: '#/$defs/shared' } },
      required: depth > 1 && maybe(0.5) ? ['self'] : [],
      $defs: {},
    }),
  ]
  const [first, ...rest] = depth > 0 && maybe(0.7) ? nested : simple
  const make = first === undefined ? () => ({}) : drawOne(random, [first, ...rest])
  const schema = make()
  return depth < 3 ? schema : { ...schema, $defs: { shared: randomSchema(random, 1) } }
}
