import { wire } from '@linewarden/equipment'
import type { NamedValue } from './birth.ts'
import { storableText } from './storable-text.ts'

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

const mostBytes = 1_048_576
const mostValues = 5_000

/**
 * Reads `linewarden/v1/{gateway}/{kind}`. A string says what is wrong with it.
 * birth: `{ "time"?, "values"?: {name: value}, "devices": [{ "id", "values": {name: value} }] }`;
 * data and result: `{ "device", "time"?, "historical"?, "values": {name: value} }`, or data without a device where it is of the gateway
 * itself; death: anything.
 */
export function readJsonMessage(kind: string, bytes: Uint8Array, now: number): JsonMessage | string {
  if (kind === 'death') return { kind }
  if (bytes.length > mostBytes) return `${bytes.length} bytes; at most ${mostBytes} are taken`
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return `not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  if (!isObject(parsed)) return 'an object is needed'
  const at = parsed.time ?? now
  if (typeof at !== 'number') return '"time" must be Unix milliseconds'
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
    if (!isObject(each) || typeof each.id !== 'string' || !isId(each.id)) return 'each device needs an "id" of 1 to 64 characters'
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
  if (typeof parsed.device !== 'string' || !isId(parsed.device)) return '"device" must name the device'
  const values = readValues(parsed.values, at, historical)
  return typeof values === 'string' ? values : { kind: 'data', wireId: parsed.device, values }
}

function readValues(given: unknown, at: number, historical: boolean): readonly NamedValue[] | string {
  if (!isObject(given)) return '"values" must be an object of names and values'
  const entries = Object.entries(given)
  if (entries.length > mostValues) return `${entries.length} values; at most ${mostValues} are taken`
  const out: NamedValue[] = []
  for (const [name, value] of entries) {
    if (value !== null && typeof value !== 'number' && typeof value !== 'boolean' && typeof value !== 'string')
      return `"${name}" must be a number, text, true, false or null`
    out.push({ name, alias: null, value: typeof value === 'string' ? storableText(value) : value, at, historical })
  }
  return out
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what an id must not hold.
const isId = (id: string) => /^[^+#/\s\u0000-\u001f\u007f]{1,64}$/.test(id)
