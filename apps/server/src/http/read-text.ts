import type { TSchema } from 'typebox'

/**
 * Reads the numbers and the yes and no of a path or a query, which are text on the wire, in place. Only what people write as a whole number is
 * one: neither `1.0` nor `0x10` nor `Infinity`. What is none stays text, and its schema refuses it.
 */
export function readText(schema: TSchema, value: unknown): void {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> }
  const given = value as Record<string, unknown>
  for (const [key, { type }] of Object.entries(properties)) {
    const text = given[key]
    if (typeof text !== 'string') continue
    if (type === 'integer' && /^(0|-?[1-9][0-9]{0,15})$/.test(text)) given[key] = Number(text)
    if (type === 'boolean' && (text === 'true' || text === 'false')) given[key] = text === 'true'
  }
}
