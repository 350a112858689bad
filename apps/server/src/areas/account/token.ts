import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, as a session's token and whatever else opens one. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What is random enough needs no salt. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')
