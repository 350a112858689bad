import type { NamedValue } from '../../../field/intake/birth.ts'
import { storableText } from '../../../lib/storable-text.ts'

/** What one message of a platform says of one device. */
export interface PushedReport {
  /** Everything the platform calls the device by: IMEI, id, name. */
  readonly names: readonly string[]
  readonly productId: string | null
  /** By the platform's own identifiers. A time of null: the message does not say when. */
  readonly values: readonly (Omit<NamedValue, 'alias' | 'historical' | 'at'> & { readonly at: number | null })[]
}

/** A message read: its reports, or in words why it cannot be read. No report is a message that says nothing of values. */
export type ReadPush = readonly PushedReport[] | string

type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text or number as text; null for anything else. Platforms write ids either way, and "undefined" where they have none. */
export function idIn(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? storableText(String(value)).trim() : ''
  return text === '' || text === 'undefined' || text === 'null' || text.length > 64 ? null : text
}

export const idsIn = (...values: readonly unknown[]): string[] => values.flatMap((each) => idIn(each) ?? [])

export const timeIn = (value: unknown): number | null => {
  const time = typeof value === 'string' ? Number(value) : value
  return typeof time === 'number' && Number.isFinite(time) && time > 0 ? Math.round(time) : null
}

/** Of one message; each is looked up, judged and may be set aside by itself. */
export const maxReports = 200
const maxValues = 500

/** Fields as named values; a field that holds fields of its own, as events do, is laid flat. A string says what is wrong. */
export function valuesIn(fields: Json, at: number | null): PushedReport['values'] | string {
  const values: PushedReport['values'][number][] = []
  const add = (name: string, value: unknown, time: number | null): void => {
    if (value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string')
      values.push({ name, value: typeof value === 'string' ? numberOr(value) : value, at: time })
    else if (isObject(value)) for (const [key, each] of Object.entries(value)) add(key, each, time)
  }
  for (const [name, given] of Object.entries(fields)) {
    // OneNET wraps each value with its own time.
    if (isObject(given) && 'value' in given) add(name, given.value, timeIn(given.time) ?? at)
    else add(name, given, at)
    if (values.length > maxValues) return `more than ${maxValues} values`
  }
  return values
}

/** Some models report their numbers as text. */
const numberOr = (text: string): string | number => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text)
