type Json = Readonly<Record<string, unknown>>

/** Texts that must look like something; everything else is made from its schema. */
export const knownExamples: Json = {
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

export interface ExampleValues {
  /** By the names of fields. */
  readonly all: Json
  /** Of these also what may be left out is filled in. */
  readonly given: Json
}

/** A value that a schema takes, with what is required and no more. */
export function sampleOf(name: string, schema: Json, values: ExampleValues): unknown {
  if (name in values.all && fits(values.all[name], (Array.isArray(schema.anyOf) ? schema.anyOf[0] : schema) as Json))
    return values.all[name]
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
      if (Array.isArray(schema.prefixItems)) return schema.prefixItems.map((each) => sampleOf(name, each as Json, values))
      return Array.from({ length: Number(schema.minItems ?? 0) }, () =>
        sampleOf(name.replace(/s$/, ''), schema.items as Json, values),
      )
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    case 'string':
      return textOf(schema)
    default:
      return null
  }
}

/** `To` is an instant here, a day there, and a state elsewhere. */
function fits(value: unknown, { type, enum: among }: Json): boolean {
  if (Array.isArray(among)) return among.includes(value)
  return type === 'string' ? typeof value === 'string' : !/^(integer|number)$/.test(String(type)) || typeof value === 'number'
}

/** By a part of the pattern that a text has to have. */
const patterned: readonly (readonly [string, string])[] = [
  ['[0-9a-f]{32}', '0123456789abcdef0123456789abcdef'],
  ['[0-9a-f]{64}', '0'.repeat(64)],
  ['[A-Za-z0-9_-]{43}', 'A'.repeat(43)],
  ['[A-Za-z0-9]{16,64}', 'A'.repeat(16)],
  ['\\d{4}-\\d{2}-\\d{2}', '2026-01-15'],
  ['[0-9]{4}-[0-9]{2}-[0-9]{2}', '2026-01-15'],
  ['^\\d{4}-\\d{2}$', '2026-01'],
  ['^-?\\d{1,12}', '1'],
  ['[0-9]{6}', '123456'],
  ['[0-9]{1,18}', '1'],
  ['https?://', 'https://example.com'],
]

function textOf({ format, pattern, minLength }: Json): unknown {
  if (format === 'uuid') return knownExamples.CommandID
  const found = patterned.find(([part]) => typeof pattern === 'string' && pattern.includes(part))
  return found?.[1] ?? 'x'.repeat(Math.max(1, Number(minLength ?? 1)))
}
