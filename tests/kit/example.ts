import type { Call } from '@linewarden/contract'
import { pathOf } from '@linewarden/contract'

type Json = Readonly<Record<string, unknown>>

/** Texts that must look like something; everything else is made from its schema. */
const known: Json = {
  attr: 'trip',
  Bus: 'line:1',
  BusA: 'line:1',
  BusB: 'source:1',
  AccountID: '00000000-0000-4000-8000-000000000009',
  CommandID: '00000000-0000-4000-8000-000000000001',
  ContactPhone: '0755-12345678',
  Currency: 'CNY',
  Email: 'someone@example.com',
  EventID: '1',
  FromDay: '2024-01-15',
  Hash: '0'.repeat(64),
  IMEI: '490154203237518',
  InstalledOn: '2024-01-15',
  Mobile: '13800000099',
  Number: 'GW-EXAMPLE',
  Operation: 'trip:B-T1/1',
  Password: '0123456789abcdef0123456789abcdef',
  To: 1_000,
  ToDay: '2024-01-15',
  UserName: '13800000099',
  WarrantyUntil: '2099-01-15',
}

interface Values {
  readonly all: Json
  readonly given: Json
}

/** A well-formed request of any call, made from its schemas: what is required and no more, with these values in the fields that have them. */
export function exampleOf(call: Call, given: Json): { path: string; body: string } {
  const values: Values = { all: { ...known, ...given }, given }
  const query = new URLSearchParams(
    Object.entries(sample(call.query, values)).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString()
  const path = pathOf(call, sample(call.params, values) as Record<string, unknown>)
  return { path: query === '' ? path : `${path}?${query}`, body: call.body ? JSON.stringify(sample(call.body, values)) : '' }
}

/** Every field a call takes, at its top level. */
export function fieldsOf(call: Call): string[] {
  return [call.params, call.query, call.body].flatMap((schema) => Object.keys((schema as Json | undefined)?.properties ?? {}))
}

function sample(schema: unknown, values: Values): object {
  return (schema ? sampleOf('', schema as Json, values) : {}) as object
}

function sampleOf(name: string, schema: Json, values: Values): unknown {
  // `To` is an instant here and a day there.
  const { type } = (Array.isArray(schema.anyOf) ? schema.anyOf[0] : schema) as Json
  const isOther = type === 'string' && typeof values.all[name] === 'number'
  if (name in values.all && !isOther) return values.all[name]
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return sampleOf(name, schema.anyOf[0] as Json, values)
  switch (schema.type) {
    case 'object': {
      const properties = (schema.properties ?? {}) as Record<string, Json>
      // Ids are filled in even where they may be left out: the point is to name somebody else's things.
      const wanted = Object.keys(properties).filter(
        (key) => (schema.required as string[] | undefined)?.includes(key) || key in values.given,
      )
      const more = Object.keys(properties).filter((key) => !wanted.includes(key))
      wanted.push(...more.slice(0, Math.max(0, Number(schema.minProperties ?? 0) - wanted.length)))
      return Object.fromEntries(wanted.map((key) => [key, sampleOf(key, properties[key] ?? {}, values)]))
    }
    case 'array':
      return Array.from({ length: Number(schema.minItems ?? 0) }, () =>
        sampleOf(name.replace(/s$/, ''), schema.items as Json, values),
      )
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    case 'string':
      if (schema.format === 'uuid') return known.CommandID
      if (typeof schema.pattern === 'string' && schema.pattern.includes('[0-9a-f]{32}')) return known.Password
      if (typeof schema.pattern === 'string' && schema.pattern.includes('\\d{4}-\\d{2}-\\d{2}')) return '2026-01-15'
      if (schema.pattern === '^\\d{4}-\\d{2}$') return '2026-01'
      return 'x'.repeat(Math.max(1, Number(schema.minLength ?? 1)))
    default:
      return null
  }
}
