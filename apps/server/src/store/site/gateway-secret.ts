import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new gateway secret: 256 random bits. It is shown once; only its hash is kept. */
export const makeSecret = (): string => randomBytes(32).toString('base64url')

/** The secret is random and long, so one SHA-256 is enough: there is nothing to guess. */
export const hashSecret = (secret: string): string => `sha256:${createHash('sha256').update(secret).digest('hex')}`

/** Compares in constant time; an unknown gateway (null) costs the same. */
export function secretMatches(secret: Uint8Array, stored: string | null): boolean {
  const given = createHash('sha256').update(secret).digest()
  const wanted = Buffer.from(stored?.slice('sha256:'.length) ?? '0'.repeat(64), 'hex')
  return timingSafeEqual(given, wanted) && stored !== null
}
