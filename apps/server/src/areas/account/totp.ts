import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** RFC 6238 as every authenticator app has it: SHA-1, six digits, a new code every 30 s. */
const stepMs = 30_000
const digits = 6
/** The code of one step before counts too: people type slowly. That of the next does not: nobody can have read it yet. */
const lateSteps = 1
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A key of 160 bits, as RFC 4226 recommends. */
export const newTotpKey = (): Buffer => randomBytes(20)

/** The code of one time step. */
export function codeAt(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', key).update(counter).digest()
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 0xf) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export const stepOf = (now: number): number => Math.floor(now / stepMs)

/** The time step whose code this is, later than the last one taken; null: none. */
export function stepTaken(key: Buffer, code: string, lastStep: number, now: number): number | null {
  let found: number | null = null
  for (let step = stepOf(now) - lateSteps; step <= stepOf(now); step++) {
    const right = timingSafeEqual(Buffer.from(codeAt(key, step)), Buffer.from(code.padEnd(digits).slice(0, digits)))
    if (right && code.length === digits && step > lastStep) found ??= step
  }
  return found
}

/** RFC 4648 without padding: what apps and people can read. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** What an authenticator app reads from the QR code. */
export function totpUri(key: Buffer, issuer: string, userName: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(userName)}`
  return `otpauth://totp/${label}?secret=${base32(key)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`
}
