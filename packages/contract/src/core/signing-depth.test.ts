import { expect, test } from 'vitest'
import { canonicalForm } from './signing.ts'

test('a deeply nested body is signed or refused, and never fails', () => {
  const request = { nonce: 'aB3dE6', timeStamp: 1, userId: '', token: '', method: 'PUT', path: '/p' }
  expect(() => canonicalForm({ ...request, body: `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}` })).not.toThrow()
})
