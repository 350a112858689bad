import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** Without letters that are read for digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 128 random bits as 26 characters that somebody may also have to type on a remote control. */
export function newLinkKey(): string {
  let bits = BigInt(`0x${randomBytes(16).toString('hex')}`)
  let key = ''
  for (let at = 0; at < 26; at++) {
    key = (alphabet[Number(bits & 31n)] ?? '') + key
    bits >>= 5n
  }
  return key
}

/** Six digits for a wall that has no key. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** Of version 8: a signature names an account or a seat, and neither can be the other. */
export function newSeatId(): string {
  const id = randomUUID()
  return `${id.slice(0, 14)}8${id.slice(15)}`
}

export const isSeatId = (id: string): boolean => id[14] === '8'
