import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Peppers } from './secrets.ts'
import { base32 } from './totp.ts'

/** 24 letters and digits (120 bits) in six groups: read from paper and typed. */
export const newRecoveryCode = (): string => (base32(randomBytes(15)).match(/.{4}/g) ?? []).join('-')

/** Of 120 random bits nothing can be guessed: they need neither salt nor key. */
export const codeHashOf = (code: string): string => `sha256:${createHash('sha256').update(code).digest('hex')}`

/** Every hash a code may stand under. Those of 60 bits, as they were before, stand under a key from a version of the pepper. */
export function codeHashesOf(code: string, peppers: Peppers): string[] {
  const older = peppers.versions.map((version) => {
    const key = peppers.keyFor(version, 'recovery codes') ?? ''
    return `${version}.${createHmac('sha256', key).update(code).digest('hex')}`
  })
  return [codeHashOf(code), ...older]
}
