import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SignedRequest } from './signing.ts'
import { canonicalForm, signatureCheck, signatureOf } from './signing.ts'

/** Made by Python: `docs/examples/signature_vectors.py`. */
const vectors = JSON.parse(
  readFileSync(new URL('../../../../docs/examples/signature_vectors.json', import.meta.url), 'utf8'),
) as readonly (SignedRequest & { readonly of: string; readonly signature: string })[]

const isRight = (signature: string, { token, ...request }: SignedRequest) =>
  signatureCheck(request, (made) => made === signature)(token)

const other = { nonce: 'zzzzzz', timeStamp: 1, userId: 'u', token: 't', method: 'DELETE', path: '/p', body: '{"a":1}' }

describe.each(vectors)('$of, as another language signs it', ({ of: _, signature, ...request }) => {
  test('is a signature of it', () => expect(isRight(signature, request)).toBe(true))

  test.each(Object.keys(other) as (keyof SignedRequest)[])('and of no request with another %s', (field) => {
    expect(isRight(signature, { ...request, [field]: other[field] })).toBe(false)
  })
})

test('each vector has a signature of its own', () => {
  expect(vectors.length).toBeGreaterThan(10)
  expect(new Set(vectors.map(({ signature }) => signature)).size).toBe(vectors.length)
})

const anyRequest: fc.Arbitrary<SignedRequest> = fc.record({
  nonce: fc.stringMatching(/^[A-Za-z0-9]{6}$/),
  timeStamp: fc.nat(4_000_000_000),
  userId: fc.oneof(fc.constant(''), fc.uuid()),
  token: fc.base64String({ maxLength: 44 }),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  path: fc.webPath().map((path) => `/api/v1${path}`),
  body: fc.oneof(fc.constant(''), fc.json(), fc.string({ unit: 'binary' })),
})

test('whatever is sent, both forms are signatures of it, and they are two', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const made = new Set<string>()
      const { token, ...rest } = request
      signatureCheck(rest, (signature) => made.add(signature) && false)(token)
      expect(made.size).toBe(2)
      expect(made).toContain(signatureOf(request))
      // What has no line end is never the form that has six.
      expect(canonicalForm(request)).not.toContain('\n')
    }),
  )
})
