import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** The wire form of a password: MD5, lower-case hex. The server stores it under argon2id. */
export const md5Hex = (password: string): string => bytesToHex(md5(utf8ToBytes(password)))
