import { randomBytes } from 'node:crypto'

/** Base32 after Crockford: without I, L, O and U, which look like something else or make words. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 26

/** 128 random bits, as they stand on a label. */
export function newCode(): string {
  let bits = BigInt(`0x${randomBytes(16).toString('hex')}`)
  let text = ''
  for (let at = 0; at < length; at++) {
    text = alphabet[Number(bits & 31n)] + text
    bits >>= 5n
  }
  return text
}

/** A code as somebody types it from a label, or null: it is none. */
export function codeTyped(text: string): string | null {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return code.length === length && [...code].every((each) => alphabet.includes(each)) ? code : null
}
