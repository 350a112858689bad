import { dayMs, wire } from '@linewarden/equipment'
import { mistakenUnit } from '@linewarden/rules/monitor'
import { isDeviceId } from '@linewarden/sparkplug'
import { storableText } from '../../lib/storable-text.ts'
import type { NamedValue } from './birth.ts'

/** A message of the JSON protocol, read. docs/wire-protocol.md shows each. */
export type JsonMessage =
  | {
      readonly kind: 'birth'
      readonly values: readonly NamedValue[]
      readonly devices: readonly { readonly wireId: string; readonly values: readonly NamedValue[] }[]
    }
  | { readonly kind: 'data'; readonly wireId: string; readonly values: readonly NamedValue[] }
  /** Of the gateway itself. */
  | { readonly kind: 'own'; readonly values: readonly NamedValue[] }
  | { readonly kind: 'death' }

/** Why a message cannot be taken. */
export interface JsonRefusal {
  readonly kind: 'refused'
  readonly reason: 'json' | 'misspelt_field' | 'time_unit'
  readonly detail: string
}

const maxBytes = 1_048_576
const maxValues = 5_000

/** Reads `linewarden/v1/{gateway}/{kind}`, or says why it cannot be taken. */
export function readJsonMessage(kind: string, bytes: Uint8Array, now: number): JsonMessage | JsonRefusal {
  const read = readMessage(kind, bytes, now)
  return typeof read === 'string' ? { kind: 'refused', reason: 'json', detail: read } : read
}

/**
 * A string says what is wrong.
 * birth: `{ "time"?, "values"?: {name: value}, "devices": [{ "id", "values": {name: value} }] }`;
 * data and result: `{ "device", "time"?, "historical"?, "values": {name: value} }`, or data without a device where it is of the gateway
 * itself; death: anything.
 */
function readMessage(kind: string, bytes: Uint8Array, now: number): JsonMessage | JsonRefusal | string {
  if (kind === 'death') return { kind }
  if (bytes.length > maxBytes) return `${bytes.length} bytes; at most ${maxBytes} are taken`
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return `not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  if (!isObject(parsed)) return 'an object is needed'
  const misspelt = misspeltIn(parsed)
  if (misspelt) return { kind: 'refused', reason: 'misspelt_field', detail: misspelt }
  const at = parsed.time ?? now
  if (typeof at !== 'number') return '"time" must be Unix milliseconds'
  const unit = mistakenUnit(at, now, decadeMs)
  if (unit) return { kind: 'refused', reason: 'time_unit', detail: `"time" is ${at}, in ${unit}; it must be in milliseconds` }
  const historical = parsed.historical ?? false
  if (typeof historical !== 'boolean') return '"historical" must be true or false'
  return kind === 'birth' ? readBirth(parsed, Math.round(at)) : readData(kind, parsed, Math.round(at), historical)
}

function readBirth(parsed: Record<string, unknown>, at: number): JsonMessage | string {
  const values = readValues(parsed.values ?? {}, at, false)
  if (typeof values === 'string') return values
  if (!Array.isArray(parsed.devices)) return '"devices" must be a list'
  const devices: { wireId: string; values: readonly NamedValue[] }[] = []
  for (const each of parsed.devices) {
    if (!isObject(each) || typeof each.id !== 'string' || !isDeviceId(each.id))
      return 'each device needs an "id" of 1 to 128 characters without "/", "+" and "#"'
    const own = readValues(each.values, at, false)
    if (typeof own === 'string') return `device ${each.id}: ${own}`
    devices.push({ wireId: each.id, values: own })
  }
  return { kind: 'birth', values, devices }
}

function readData(kind: string, parsed: Record<string, unknown>, at: number, historical: boolean): JsonMessage | string {
  if (kind === 'data' && parsed.device === undefined) {
    const own = readValues(parsed.values, at, historical)
    // Whoever forgot the device must hear of it.
    if (typeof own !== 'string' && own.length > 0 && own.every(({ name }) => name === wire.info.signal))
      return { kind: 'own', values: own }
  }
  if (typeof parsed.device !== 'string' || !isDeviceId(parsed.device)) return '"device" must name the device'
  const values = readValues(parsed.values, at, historical)
  return typeof values === 'string' ? values : { kind: 'data', wireId: parsed.device, values }
}

function readValues(given: unknown, at: number, historical: boolean): readonly NamedValue[] | string {
  if (!isObject(given)) return '"values" must be an object of names and values'
  const entries = Object.entries(given)
  if (entries.length > maxValues) return `${entries.length} values; at most ${maxValues} are taken`
  const out: NamedValue[] = []
  for (const [name, value] of entries) {
    if (value !== null && typeof value !== 'number' && typeof value !== 'boolean' && typeof value !== 'string')
      return `"${name}" must be a number, text, true, false or null`
    out.push({ name, alias: null, value: typeof value === 'string' ? storableText(value) : value, at, historical })
  }
  return out
}

/** Whoever has no clock leaves the time out, so one that is right in seconds only is in seconds. */
const decadeMs = 10 * 366 * dayMs
const timeLike = /^(t|ts|at|date|when|epoch|clock)$|time|stamp/
const timeAmongValues = /^(t|ts|time|timestamp|datetime|date|epoch|unixtime|eventtime|devicetime)$/
const historicalLike = /histor|backfill|buffered|replay/

/** A field that was meant to be "time" or "historical", and would pass an old value off as a new one if nobody read it. */
function misspeltIn(parsed: Record<string, unknown>): string | null {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')
  const fields = Object.keys(parsed)
  const ofDevices = Array.isArray(parsed.devices) ? parsed.devices.filter(isObject).flatMap((each) => Object.keys(each)) : []
  const ofValues = isObject(parsed.values) ? Object.keys(parsed.values) : []
  const time =
    [...fields, ...ofDevices].find((name) => timeLike.test(plain(name))) ??
    ofValues.find((name) => timeAmongValues.test(plain(name)))
  if (time !== undefined && parsed.time === undefined)
    return `"${time}" is no field of this message: the time goes into "time" beside "values", in Unix milliseconds`
  const historical = [...fields, ...ofValues].find((name) => historicalLike.test(plain(name)))
  if (historical !== undefined && parsed.historical === undefined)
    return `"${historical}" is no field of this message: what was kept from before is marked by "historical": true beside "values"`
  return null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
