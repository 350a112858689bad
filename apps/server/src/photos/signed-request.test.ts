import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { noBodyHash, signedHeaders } from './signed-request.ts'

// The examples of Amazon's own documentation, "Authenticating Requests: Using the Authorization Header".
const key = { region: 'us-east-1', keyId: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
const at = Date.parse('2013-05-24T00:00:00Z')
const bucket = 'https://examplebucket.s3.amazonaws.com'
const signatureOf = ({ authorization }: { authorization: string }) => /Signature=([0-9a-f]{64})$/.exec(authorization)?.[1]

test('reading is signed as the documentation has it', () => {
  const asked = { method: 'GET', url: new URL(`${bucket}/test.txt`), headers: { range: 'bytes=0-9' }, bodyHash: noBodyHash, at }
  const headers = signedHeaders(key, asked)
  expect(headers).toMatchObject({ 'x-amz-date': '20130524T000000Z', 'x-amz-content-sha256': noBodyHash })
  expect(headers.authorization).toContain('SignedHeaders=host;range;x-amz-content-sha256;x-amz-date')
  expect(signatureOf(headers)).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
})

test('storing is signed as the documentation has it', () => {
  const headers = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }
  const bodyHash = createHash('sha256').update('Welcome to Amazon S3.').digest('hex')
  const signed = signedHeaders(key, { method: 'PUT', url: new URL(`${bucket}/test%24file.text`), headers, bodyHash, at })
  expect(signatureOf(signed)).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd')
})
