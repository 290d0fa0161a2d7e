import { type ApiError, invalidRequest } from './api-error.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value in an error, for people: kind rather than content, since content can be megabytes. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (typeof value === 'string') return value.length <= 40 ? `the string ${JSON.stringify(value)}` : 'a string'
  if (typeof value === 'object') return 'an object'
  return `${typeof value} ${String(value)}`
}

export function wrongType(param: string, expected: string, value: unknown): ApiError {
  return value === undefined
    ? invalidRequest(param, `'${param}' is missing: expected ${expected}.`, 'missing_required_parameter')
    : invalidRequest(param, `'${param}' must be ${expected}, but is ${kindOf(value)}.`, 'invalid_type')
}

export function requireObject(value: unknown, param: string): JsonObject {
  if (!isObject(value)) throw wrongType(param, 'an object', value)
  return value
}

/** A string that is not empty. */
export function requireName(value: unknown, param: string): string {
  if (typeof value !== 'string' || value === '') throw wrongType(param, 'a string that is not empty', value)
  return value
}

export function requireItems(value: unknown, param: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw wrongType(param, 'an array with at least one item', value)
  return value
}

/** As real servers do, `null` stands for an absent optional field. */
export function optionalBoolean(value: unknown, param: string, fallback: boolean): boolean {
  if (value === undefined || value === null) return fallback
  if (typeof value !== 'boolean') throw wrongType(param, 'true or false', value)
  return value
}

export function optionalNumber(value: unknown, param: string, min: number, max: number): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number') throw wrongType(param, 'a number', value)
  if (value < min || value > max) throw invalidRequest(param, `'${param}' must be between ${min} and ${max}, but is ${value}.`)
  return value
}

export function optionalCount(value: unknown, param: string, min: number): number | undefined {
  if (value === undefined || value === null) return undefined
  if (!Number.isInteger(value)) throw wrongType(param, 'a whole number', value)
  if (Number(value) < min) throw invalidRequest(param, `'${param}' must be at least ${min}, but is ${value}.`)
  return Number(value)
}
