import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SignedRequest } from './signing.ts'
import { authorizationOf, canonicalForm, makeNonce, readAuthorization, signatureOf, signerOf } from './signing.ts'

/** A signed call without query and body. */
const plain: SignedRequest = {
  nonce: 'aB3dE6',
  timeStamp: 1_764_547_200,
  userId: '7f3f1a52-6f0e-4c1e-9a51-2b1f4f6f2f10',
  token: 'dG9rZW4tZm9yLXRlc3RzLW9ubHk',
  method: 'GET',
  path: '/api/v1/tree',
  body: '',
}
const signed = 'TimeStamp=1764547200&Token=dG9rZW4tZm9yLXRlc3RzLW9ubHk&UserID=7f3f1a52-6f0e-4c1e-9a51-2b1f4f6f2f10'
const noBody = 'BodySha256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface Vector {
  readonly of: string
  readonly difference: Partial<SignedRequest>
  readonly form: string
  readonly signature: string
}

/** The test vectors of the signature. A client in another language is right when it gets these; none of them may ever change. */
const vectors: readonly Vector[] = [
  {
    of: 'a call without query and body',
    difference: {},
    form: `${noBody}&Method=GET&Nonce=aB3dE6&Path=/api/v1/tree&${signed}`,
    signature: '6808a799f7c66a6b1debf20ac3f550dd1b9732aa027fbf5814deb7419e678793',
  },
  {
    of: 'a call before login: user id and token are empty, and so is the key',
    difference: {
      userId: '',
      token: '',
      method: 'PUT',
      path: '/api/v1/users/login',
      body: '{"UserName":"admin","Password":"0192023a7bbd73250516f069df18b500"}',
    },
    form: 'BodySha256=7ce923b7b08aaebc78ec491fc055ee2fb277254a1be595233294f28e8f03dbff&Method=PUT&Nonce=aB3dE6&Password=0192023a7bbd73250516f069df18b500&Path=/api/v1/users/login&TimeStamp=1764547200&Token=&UserID=&UserName=admin',
    signature: 'ea8a63741e848e57cb5d1331c2c679a9850f55959cf2f8d1328f9e31d355ace9',
  },
  {
    of: 'nested values and numbers, as docs/security.md shows it',
    difference: {
      method: 'PUT',
      path: '/api/v1/devices/updateline',
      body: '{"Settings":[{"Key":"leakage.trip","Value":100}],"Share":1.5}',
    },
    form: 'BodySha256=652c7cafd1e97c04c5402ac20934248aef3c6f84d91b74552cd40b8583ee7081&Method=PUT&Nonce=aB3dE6&Path=/api/v1/devices/updateline&Settings=[{"Key":"leakage.trip","Value":100}]&Share=1.5&TimeStamp=1764547200&Token=dG9rZW4tZm9yLXRlc3RzLW9ubHk&UserID=7f3f1a52-6f0e-4c1e-9a51-2b1f4f6f2f10',
    signature: '9fc4595bed1c4be9f9acdf4286cd59ad4e59bc3b9071dbf63c05216e2c2a700f',
  },
  {
    of: 'query parameters: in the path as sent, and each decoded as a pair of its own',
    difference: { path: '/api/v1/lines/D-1/2/readings?To=1764547200000&From=1764543600000&note=a%20b+c' },
    form: `${noBody}&From=1764543600000&Method=GET&Nonce=aB3dE6&Path=/api/v1/lines/D-1/2/readings?To=1764547200000&From=1764543600000&note=a%20b+c&TimeStamp=1764547200&To=1764547200000&Token=dG9rZW4tZm9yLXRlc3RzLW9ubHk&UserID=7f3f1a52-6f0e-4c1e-9a51-2b1f4f6f2f10&note=abc`,
    signature: '356024a1ac6966da4b4ab624e234be5ad5ee94c83a6e6c3e2977c00782d8db9f',
  },
  {
    of: 'white space in values, which is removed, and in the body, whose hash keeps it',
    difference: {
      method: 'PUT',
      path: '/api/v1/lines/D-1/2/trip',
      body: '{ "Reason": "contact\\thot,  see\\n photo",\n  "CommandID": "c-1" }',
    },
    form: `BodySha256=483e132bc7a168eacf9f1e02be2046d2a13a551c3b590b9d39041e0875a1b7be&CommandID=c-1&Method=PUT&Nonce=aB3dE6&Path=/api/v1/lines/D-1/2/trip&Reason=contacthot,seephoto&${signed}`,
    signature: '11a3cee28bbcb480390cd436f3bb0779ca3470efc561af48f86990125dba1102',
  },
  {
    of: 'a body that is not ASCII: hashed and signed as UTF-8',
    difference: {
      method: 'PUT',
      path: '/api/v1/lines/%E6%80%BB%E9%97%B8/1/close',
      body: '{"Reason":"检修完毕，送电 ⚡","CommandID":"c-2"}',
    },
    form: `BodySha256=7c619475cfa7bd189ffd2eaf7e25ffd3ae2311c63a296a32a2fd4943f46e2e17&CommandID=c-2&Method=PUT&Nonce=aB3dE6&Path=/api/v1/lines/%E6%80%BB%E9%97%B8/1/close&Reason=检修完毕，送电⚡&${signed}`,
    signature: '777ae54843bc6dcfd062defc38c90105b1892b45df4c37dec73752e9b974babd',
  },
  {
    of: 'values that are no text: as JSON',
    difference: {
      method: 'POST',
      path: '/api/v1/messages/list',
      body: '{"Open":true,"Size":20,"LineID":null,"Range":{"From":1,"To":[2,3.5,"x y"]},"Ratio":1e-7}',
    },
    form: `BodySha256=c5d6d8af4bff445ee68e9a4457189e1b2725753830ad93f34a859c3a181ee8da&LineID=null&Method=POST&Nonce=aB3dE6&Open=true&Path=/api/v1/messages/list&Range={"From":1,"To":[2,3.5,"xy"]}&Ratio=1e-7&Size=20&${signed}`,
    signature: 'd9ce421a4365c3a4f03608960db098f85ee18ca70b5e5a70c6d68e1562261414',
  },
  {
    of: 'a body that is no JSON: covered by its hash alone',
    difference: { method: 'POST', path: '/api/v1/messages/list', body: '[1,2' },
    form: `BodySha256=901cf92ee391a6b0b984a3a0da2062ab999a43cd4c3e53e6bc171423dead3abd&Method=POST&Nonce=aB3dE6&Path=/api/v1/messages/list&${signed}`,
    signature: '7c4076a29007724bf56043bab8f39c86c2f7a1662c12af8de5b45a4e0db68dd1',
  },
]

describe.each(vectors)('$of', ({ difference, form, signature }) => {
  const request = { ...plain, ...difference }

  test('has this canonical form', () => expect(canonicalForm(request)).toBe(form))

  test('has this signature', () => expect(signatureOf(request)).toBe(signature))

  test('is HMAC-SHA-256 by another implementation too', () => {
    const hash = createHash('sha256').update(request.body, 'utf8').digest('hex')
    expect(form).toContain(`BodySha256=${hash}`)
    expect(createHmac('sha256', request.token).update(form, 'utf8').digest('hex')).toBe(signature)
  })
})

const pathAndBody = `${noBody}&Method=GET&Nonce=aB3dE6&Path=/api/v1/tree&${signed}`
const fields200 = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, index]))
const pairsIn = (difference: Partial<SignedRequest>) => canonicalForm({ ...plain, ...difference }).split('&').length

test('a list, and more than 200 parameters and fields, are covered by path and hash alone', () => {
  const own = pathAndBody.split('&').length
  expect(pairsIn({ body: JSON.stringify(fields200) })).toBe(own + 200)
  expect(pairsIn({ body: JSON.stringify({ ...fields200, more: 1 }) })).toBe(own)
  expect(pairsIn({ body: JSON.stringify(fields200), path: '/p?a=1' })).toBe(own)
  expect(pairsIn({ body: JSON.stringify(Array(10).fill('x')) })).toBe(own)
})

test('what signs a request signs it with any token as if it were asked for that one alone', () => {
  const { token: _, ...request } = { ...plain, body: '{"a":1}' }
  const sign = signerOf(request)
  for (const token of ['', 'a', plain.token]) expect(sign(token)).toBe(signatureOf({ ...request, token }))
})

test('the method may be written small', () => {
  expect(signatureOf({ ...plain, method: 'get' })).toBe(signatureOf(plain))
})

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const word = (length: { minLength?: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...alphanumeric), ...length })
const text = fc.string({ unit: 'grapheme' })
const part = word({ minLength: 1, maxLength: 12 })
const anyPath = fc
  .tuple(fc.array(part, { maxLength: 3 }), fc.array(fc.tuple(part, text), { maxLength: 3 }))
  .map(([parts, query]) => {
    const search = query.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')
    return `/api/v1/${parts.join('/')}${search === '' ? '' : `?${search}`}`
  })
const anyBody = fc.oneof(
  fc.constant(''),
  text,
  fc.json(),
  fc.dictionary(part, text).map((body) => JSON.stringify(body)),
)
const anyRequest: fc.Arbitrary<SignedRequest> = fc.record({
  nonce: word({ minLength: 6, maxLength: 6 }),
  timeStamp: fc.nat(4_000_000_000),
  userId: fc.oneof(fc.constant(''), fc.uuid()),
  token: fc.oneof(fc.constant(''), fc.base64String({ maxLength: 44 })),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  path: anyPath,
  body: anyBody,
})
const fields = ['nonce', 'timeStamp', 'userId', 'token', 'method', 'path', 'body'] as const

test('whoever changes any one part of a request needs another signature', () => {
  fc.assert(
    fc.property(anyRequest, anyRequest, fc.constantFrom(...fields), (request, other, field) => {
      fc.pre(request[field] !== other[field])
      expect(signatureOf({ ...request, [field]: other[field] })).not.toBe(signatureOf(request))
    }),
    { numRuns: 2_000 },
  )
})

test('also who changes only the white space of a body', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      expect(signatureOf({ ...request, body: `${request.body} ` })).not.toBe(signatureOf(request))
    }),
  )
})

test('the canonical form is made of any body without fail, without white space and with all its own pairs', () => {
  fc.assert(
    fc.property(anyRequest, fc.string({ unit: 'binary' }), (request, noise) => {
      expect(canonicalForm({ ...request, body: noise })).not.toMatch(/\s/)
      const form = canonicalForm(request)
      expect(form).not.toMatch(/\s/)
      const own = ['BodySha256=', '&Method=', '&Nonce=', '&Path=', '&TimeStamp=', '&Token=', '&UserID=']
      expect(own.filter((key) => !`&${form}`.includes(key))).toEqual([])
    }),
    { numRuns: 1_000 },
  )
})

test('the order of the body fields changes its hash, and no other pair', () => {
  const pairsOf = (names: readonly string[]) => {
    const body = JSON.stringify(Object.fromEntries(names.map((name) => [`f${name}`, 1])))
    return canonicalForm({ ...plain, body }).replace(/BodySha256=[0-9a-f]{64}/, '')
  }
  fc.assert(
    fc.property(fc.uniqueArray(part, { minLength: 2, maxLength: 5 }), (names) => {
      expect(pairsOf(names.toReversed())).toBe(pairsOf(names))
    }),
  )
})

describe('the Authorization header', () => {
  test('is base64 of a JSON object of four fields', () => {
    expect(JSON.parse(atob(authorizationOf(plain)))).toEqual({
      Nonce: 'aB3dE6',
      TimeStamp: 1_764_547_200,
      UserID: '7f3f1a52-6f0e-4c1e-9a51-2b1f4f6f2f10',
      Signature: '6808a799f7c66a6b1debf20ac3f550dd1b9732aa027fbf5814deb7419e678793',
    })
  })

  test('is read as it was written', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { nonce, timeStamp, userId } = request
        expect(readAuthorization(authorizationOf(request))).toEqual({
          Nonce: nonce,
          TimeStamp: timeStamp,
          UserID: userId,
          Signature: signatureOf(request),
        })
      }),
    )
  })

  const good = { Nonce: 'aB3dE6', TimeStamp: 1, UserID: 'u', Signature: 'a'.repeat(64) }
  const header = (value: unknown) => btoa(JSON.stringify(value))

  test('in good form is read', () => expect(readAuthorization(header(good))).toEqual(good))

  test.each([
    ['a nonce that is too short', { ...good, Nonce: 'aB3dE' }],
    ['a nonce that is too long', { ...good, Nonce: 'aB3dE67' }],
    ['a nonce with a sign in it', { ...good, Nonce: 'aB3d-6' }],
    ['a nonce with a line end', { ...good, Nonce: 'aB3dE6\n' }],
    ['a nonce that is a number', { ...good, Nonce: 123_456 }],
    ['a time that is text', { ...good, TimeStamp: '1' }],
    ['a time before 1970', { ...good, TimeStamp: -1 }],
    ['a time that is no whole number', { ...good, TimeStamp: 1.5 }],
    ['a time beyond exact numbers', { ...good, TimeStamp: 2 ** 53 }],
    ['a user id that is a number', { ...good, UserID: 7 }],
    ['a user id that is too long', { ...good, UserID: 'u'.repeat(65) }],
    ['a signature in capitals', { ...good, Signature: 'A'.repeat(64) }],
    ['a signature that is too short', { ...good, Signature: 'a'.repeat(63) }],
    ['a field too many', { ...good, Extra: 1 }],
    ['a field too few', { Nonce: 'aB3dE6', TimeStamp: 1, UserID: 'u' }],
    ['another field instead', { Nonce: 'aB3dE6', TimeStamp: 1, UserID: 'u', Sig: 'a'.repeat(64) }],
    ['a list', ['aB3dE6', 1, 'u', 'a'.repeat(64)]],
    ['nothing', null],
    ['text', 'abcd'],
  ])('with %s is refused', (_, value) => {
    expect(readAuthorization(header(value))).toBeNull()
  })

  test.each(['', 'Bearer x', '{}', '====', '\u0000', '检修', JSON.stringify(good)])('%j is refused', (value) => {
    expect(readAuthorization(value)).toBeNull()
  })

  test('of any bytes is refused or in good form, and never fails', () => {
    const anyField = fc.oneof(fc.string(), fc.integer(), fc.constantFrom('aB3dE6', 'a'.repeat(64)), fc.constant(null))
    const anyHeader = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc
        .json()
        .filter((json) => /^[\u0020-\u007e]*$/.test(json))
        .map((json) => btoa(json)),
      fc
        .record({ Nonce: anyField, TimeStamp: anyField, UserID: anyField, Signature: anyField }, { requiredKeys: [] })
        .map((value) => Buffer.from(JSON.stringify(value)).toString('base64')),
    )
    fc.assert(
      fc.property(anyHeader, (value) => {
        const read = readAuthorization(value)
        if (read === null) return
        expect(read.Nonce).toMatch(/^[A-Za-z0-9]{6}$/)
        expect(Number.isSafeInteger(read.TimeStamp)).toBe(true)
        expect(read.Signature).toMatch(/^[0-9a-f]{64}$/)
      }),
      { numRuns: 3_000 },
    )
  })
})

test('a nonce is six alphanumerics, and hardly ever the same', () => {
  const nonces = Array.from({ length: 1_000 }, makeNonce)
  for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9]{6}$/)
  expect(new Set(nonces).size).toBeGreaterThan(995)
  expect(new Set(nonces.join('')).size).toBe(62)
})
