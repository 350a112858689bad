import { allCalls, bodyLimitOf } from '@linewarden/contract'
import { describe, expect, test } from 'vitest'
import { validatorOf } from './compile.ts'
import { readText } from './read-text.ts'
import { validating } from './validating.ts'

type Json = Readonly<Record<string, unknown>>

/** Every pattern of the contract, with the schema it stands in. */
function patternsIn(schema: unknown, found = new Map<string, Json>()): Map<string, Json> {
  if (typeof schema !== 'object' || schema === null) return found
  if ('pattern' in schema && typeof schema.pattern === 'string') found.set(schema.pattern, schema as Json)
  for (const each of Object.values(schema)) patternsIn(each, found)
  return found
}
const patterns = patternsIn(allCalls.flatMap(({ params, query, body }) => [params, query, body]))

/** Texts that make patterns try again and again, of `n` characters. */
const long = (n: number) => [
  ...['a', '0', '-', ' ', '.', '=', '@', '+', 'A', '字', '😀'].map((each) => each.repeat(n)),
  `a@${'.'.repeat(n)}@`,
  `a@${'a.'.repeat(n / 2)}@`,
  `${'a@'.repeat(n / 2)}`,
  `https://${'a/'.repeat(n / 2)} `,
  `+${'0 '.repeat(n / 2)}x`,
  `${'A'.repeat(n)}==x`,
  `\n${' '.repeat(n)}`,
]

/** A pattern that tries again from every place needs minutes for this, more than a test has; one that reads it once needs nothing. */
const longest = 200_000

test.each([...patterns.keys()])('%s reads a long text once', (pattern) => {
  const regexp = new RegExp(pattern, 'u')
  for (const text of long(longest)) regexp.test(text)
})

describe('what is too long is refused for its length, and no pattern is run on it', () => {
  const quadratic = { type: 'string', maxLength: 128, pattern: '^([^\\s@]+@[^\\s@]+\\.[^\\s@]+)?$' }

  test('where the schema has a limit', () => {
    const check = validating.compile(quadratic)
    expect(check(`a@${'.'.repeat(1_000_000)}@`)).toBe(false)
    expect(check.errors?.map(({ keyword }) => keyword)).toEqual(['maxLength'])
  })

  test('and where it has none', () => {
    const { maxLength: _, ...unlimited } = quadratic
    const check = validating.compile(unlimited)
    expect(check(`a@${'.'.repeat(1_000_000)}@`)).toBe(false)
    expect(check.errors?.map(({ keyword }) => keyword)).toEqual(['pattern'])
  })

  test('also two equal entries are looked for only in a list that is not too long', () => {
    const check = validating.compile({ type: 'array', maxItems: 3, uniqueItems: true, items: { type: 'object' } })
    expect(check(Array.from({ length: 300_000 }, () => ({})))).toBe(false)
    expect(check.errors?.map(({ keyword }) => keyword)).toEqual(['maxItems'])
    expect([
      check([{ a: 1, b: 2 }, { a: 1 }]),
      check([
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
      check([{}, {}]),
    ]).toEqual([true, false, false])
  })
})

test('a pattern is met within its length', () => {
  const check = validating.compile({ type: 'string', maxLength: 4, pattern: '^[a-z]*$' })
  expect([check('abcd'), check('abc1'), check('😀😀😀😀')]).toEqual([true, false, false])
})

test.each([
  ['0b0a7d1e-0c2f-4d53-9a51-2b1f4f6f2f10', true],
  ['0B0A7D1E-0C2F-4D53-9A51-2B1F4F6F2F10', true],
  ['urn:uuid:0b0a7d1e-0c2f-4d53-9a51-2b1f4f6f2f10', false],
  ['{0b0a7d1e-0c2f-4d53-9a51-2b1f4f6f2f10}', false],
  ['0b0a7d1e0c2f4d539a512b1f4f6f2f10', false],
  ['0b0a7d1e-0c2f-4d53-9a51-2b1f4f6f2f10\n', false],
])('%j as an id that was made once', (id, taken) =>
  expect(validating.validate({ type: 'string', format: 'uuid' }, id)).toBe(taken),
)

test.each<[string, string | number]>([
  ['1', 1],
  ['-3', -3],
  ['0', 0],
  ['-0', '-0'],
  ...['1.0', '0x10', ' 1', '1 ', '+1', '01', 'Infinity', '1e3', '', '99999999999999999'].map((text): [string, string] => [
    text,
    text,
  ]),
])('%j in a path is read as %j', (text, read) => {
  const given = { A: text }
  readText({ type: 'object', properties: { A: { type: 'integer' } } }, given)
  expect(given).toEqual({ A: read })
})

test('yes and no are read as people write them', () => {
  const given = { A: 'true', B: 'false', C: '1' }
  const yes = { type: 'boolean' }
  readText({ type: 'object', properties: { A: yes, B: yes, C: yes } }, given)
  expect(given).toEqual({ A: true, B: false, C: '1' })
})

/** The largest number of bytes of a value of this schema, written as UTF-8; what has no limit has none. */
function maxBytes(schema: Json): number {
  const parts = (schema.properties ?? {}) as Record<string, Json>
  if (Array.isArray(schema.enum)) return Math.max(...schema.enum.map((each) => JSON.stringify(each).length * 3))
  if ('const' in schema) return JSON.stringify(schema.const).length * 3
  if (Array.isArray(schema.anyOf)) return Math.max(...schema.anyOf.map(maxBytes))
  if (schema.type === 'object' && schema.additionalProperties === false)
    return Object.entries(parts).reduce((sum, [key, each]) => sum + key.length + 4 + maxBytes(each), 2)
  if (schema.type === 'array')
    return 2 + Number(schema.maxItems ?? Number.POSITIVE_INFINITY) * (1 + maxBytes(schema.items as Json))
  if (schema.type === 'integer') return 'minimum' in schema && 'maximum' in schema ? 17 : Number.POSITIVE_INFINITY
  if (schema.type === 'number') return 24
  if (schema.type === 'boolean' || schema.type === 'null') return 5
  if (schema.format === 'uuid') return 38
  if (schema.type !== 'string') return Number.POSITIVE_INFINITY
  // Base64 is one byte a character.
  if (schema.maxLength !== undefined)
    return 2 + Number(schema.maxLength) * (String(schema.pattern).includes('A-Za-z0-9+/') ? 1 : 3)
  const repeats = [...String(schema.pattern).matchAll(/\{(?:\d+,)?(\d+)\}/g)].map(([, most]) => Number(most))
  return repeats.length > 0 && !/[*+](?![^[]*\])/.test(String(schema.pattern))
    ? 2 + repeats.reduce((a, b) => a + b, 0)
    : Number.POSITIVE_INFINITY
}

describe('every field of every call has a limit:', () => {
  test.each(allCalls.map((call) => [call.name, call] as const))('%s', (_, { params, query, body }) => {
    for (const part of [params, query, body]) if (part) expect(maxBytes(part as Json)).toBeLessThan(Number.POSITIVE_INFINITY)
  })
})

describe('the largest well-formed body fits into what is read of it:', () => {
  test.each(allCalls.filter(({ body }) => body).map((call) => [call.name, call] as const))('%s', (_, call) =>
    expect(maxBytes(call.body as Json)).toBeLessThanOrEqual(bodyLimitOf(call)),
  )
})

test('whatever is wrong is named with its place, at most twenty of it', () => {
  const wrong = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, 1]))
  expect(validatorOf('body', undefined)(wrong)).toHaveLength(20)
})
