import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Requests older or newer than this are refused. */
export const replayWindowMs = 300_000
export const nonceLength = 6

/** The Authorization header before base64 (specification section 7). TimeStamp is in seconds. */
export interface Authorization {
  readonly Nonce: string
  readonly TimeStamp: number
  readonly UserID: string
  readonly Signature: string
}

/** Everything a signature covers. */
export interface SignedRequest {
  readonly nonce: string
  /** Seconds. */
  readonly timeStamp: number
  /** Empty before login. */
  readonly userId: string
  /** The session token; empty before login. */
  readonly token: string
  readonly method: string
  /** Path and query exactly as sent: `/api/v1/tree?HouseID=3`. */
  readonly path: string
  /** The raw body; empty when there is none. */
  readonly body: string
}

/**
 * The canonical form that is signed. Pairs `key=value` of the nonce, timestamp, user id, token, method, path, the SHA-256 of the raw
 * body, every query parameter and every top-level field of a JSON body; all white space removed from each pair; sorted by code unit;
 * joined by `&`. A value that is not a string, number or boolean stands as its JSON text.
 */
export function canonicalForm(request: SignedRequest): string {
  const pairs = [
    ['Nonce', request.nonce],
    ['TimeStamp', String(request.timeStamp)],
    ['UserID', request.userId],
    ['Token', request.token],
    ['Method', request.method.toUpperCase()],
    ['Path', request.path],
    ['BodySha256', bytesToHex(sha256(utf8ToBytes(request.body)))],
    ...payloadPairs(request),
  ]
  return pairs
    .map(([key, value]) => `${key}=${value}`.replace(/\s+/g, ''))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    .join('&')
}

/** HMAC-SHA-256 of the canonical form, keyed by the token, in lower-case hex. */
export const signatureOf = (request: SignedRequest): string =>
  bytesToHex(hmac(sha256, utf8ToBytes(request.token), utf8ToBytes(canonicalForm(request))))

/** The Authorization header's value. */
export function authorizationOf(request: SignedRequest): string {
  const authorization: Authorization = {
    Nonce: request.nonce,
    TimeStamp: request.timeStamp,
    UserID: request.userId,
    Signature: signatureOf(request),
  }
  return btoa(JSON.stringify(authorization))
}

/** Reads the header; null when it is not base64 of a JSON object with exactly these four fields in their form. */
export function readAuthorization(header: string): Authorization | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(atob(header))
  } catch {
    return null
  }
  if (typeof parsed !== 'object' || parsed === null || Object.keys(parsed).length !== 4) return null
  const { Nonce, TimeStamp, UserID, Signature } = parsed as Record<string, unknown>
  if (typeof Nonce !== 'string' || !/^[A-Za-z0-9]{6}$/.test(Nonce)) return null
  if (typeof TimeStamp !== 'number' || !Number.isSafeInteger(TimeStamp) || TimeStamp < 0) return null
  if (typeof UserID !== 'string' || UserID.length > 64) return null
  if (typeof Signature !== 'string' || !/^[0-9a-f]{64}$/.test(Signature)) return null
  return { Nonce, TimeStamp, UserID, Signature }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Six random alphanumerics. */
export function makeNonce(): string {
  const out: string[] = []
  while (out.length < nonceLength) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1))
    // 248 = 4 x 62: bytes above would favour the first letters.
    if (byte !== undefined && byte < 248) out.push(alphabet[byte % 62] ?? '')
  }
  return out.join('')
}

function payloadPairs(request: SignedRequest): [string, string][] {
  const mark = request.path.indexOf('?')
  const query = mark < 0 ? [] : [...new URLSearchParams(request.path.slice(mark + 1))]
  return [...query, ...bodyPairs(request.body)]
}

function bodyPairs(body: string): [string, string][] {
  if (body === '') return []
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null) return []
    return Object.entries(parsed).map(([key, value]) => [key, isScalar(value) ? String(value) : JSON.stringify(value)])
  } catch {
    // No JSON, or nested deeper than the stack. The raw body is covered by its hash; its shape is refused later, with a clearer message.
    return []
  }
}

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
