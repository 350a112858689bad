import type { AnySchemaObject, SchemaValidateFunction } from 'ajv'
import { Ajv } from 'ajv'

/** Nothing is coerced, nothing unknown is dropped, every mistake is named at once. */
export const validating = new Ajv({ allErrors: true, removeAdditional: false, useDefaults: false, coerceTypes: false })

// What the audit log never tells of a refused request is no matter of validation.
validating.addKeyword('secret')

validating.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)

/** Of a text whose schema sets no limit a pattern looks at no more than this. */
const maxUnlimited = 1_000

// Since every mistake is named, a pattern would be run against a text whose length was refused already, and two equal entries looked for in
// a list of any length. Here whatever is too long is left to its limit.
validating.removeKeyword('pattern')
validating.addKeyword({
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  errors: true,
  compile(pattern: string, { maxLength }: AnySchemaObject) {
    const regexp = new RegExp(pattern, 'u')
    // A character may be two of the units that `length` counts.
    const most = maxLength === undefined ? maxUnlimited : maxLength * 2
    const check: SchemaValidateFunction = (text: string) => {
      if (text.length > most ? maxLength !== undefined : regexp.test(text)) return true
      check.errors = [{ keyword: 'pattern', params: { pattern } }]
      return false
    }
    return check
  },
})

validating.removeKeyword('uniqueItems')
validating.addKeyword({
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  compile(_unique: boolean, { maxItems = 1_000 }: AnySchemaObject) {
    const check: SchemaValidateFunction = (items: unknown[]) => {
      if (items.length > maxItems || new Set(items.map(written)).size === items.length) return true
      check.errors = [{ keyword: 'uniqueItems', params: {} }]
      return false
    }
    return check
  },
})

/** The same for equal entries, in whatever order their fields stand. */
const written = (item: unknown): string =>
  JSON.stringify(
    typeof item === 'object' && item !== null ? Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) : item,
  )
