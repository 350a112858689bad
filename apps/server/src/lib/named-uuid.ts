import { createHash } from 'node:crypto'

/** The namespace of ids that are made of what they are about. */
const namespace = Buffer.from('5f8c1c0e6d0b4f0f9a3e8d5b2c7a9e10', 'hex')

/** A UUID of version 5 (RFC 9562): the same words give the same id, on every server and after every crash. */
export function namedUuid(...words: readonly (string | number)[]): string {
  const bytes = createHash('sha1').update(namespace).update(JSON.stringify(words)).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
