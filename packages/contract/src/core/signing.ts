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

/** More pairs than this are not made of a query and a body: path and hash cover them already, and sorting them would cost a second. */
const maxPairs = 200

/**
 * The canonical form that is signed. Pairs `key=value` of the nonce, timestamp, user id, token, method, path, the SHA-256 of the raw
 * body, every query parameter and every top-level field of a JSON object; all white space removed from each pair; sorted by code unit;
 * joined by `&`. A value that is not a string, number or boolean stands as its JSON text. Of more than 200 parameters and fields none is a
 * pair.
 */
export const canonicalForm = (request: SignedRequest): string => formOf(pairsOf(request, hashOf(request)), request.token)

/**
 * The other form that may be signed, which every language makes alike: seven lines with nothing in them but what is sent, as it is sent. It
 * covers the same request. The form above has no line end in it, so that no text is both.
 */
const plainForm = ({ method, path, timeStamp, nonce, userId }: Omit<SignedRequest, 'token'>, bodyHash: string): string =>
  ['LINEWARDEN-2', method.toUpperCase(), path, String(timeStamp), nonce, userId, bodyHash].join('\n')

const hashOf = ({ body }: Pick<SignedRequest, 'body'>): string => bytesToHex(sha256(utf8ToBytes(body)))

/** Every pair but the token's, without white space. */
function pairsOf(request: Omit<SignedRequest, 'token'>, bodyHash: string): string[] {
  const pairs = [
    ['Nonce', request.nonce],
    ['TimeStamp', String(request.timeStamp)],
    ['UserID', request.userId],
    ['Method', request.method.toUpperCase()],
    ['Path', request.path],
    ['BodySha256', bodyHash],
    ...payloadPairs(request),
  ]
  return pairs.map(([key, value]) => pairOf(key ?? '', value ?? ''))
}

const pairOf = (key: string, value: string): string => `${key}=${value}`.replace(/\s+/g, '')

const formOf = (pairs: readonly string[], token: string): string =>
  [...pairs, pairOf('Token', token)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).join('&')

/** What signs a request with any token: of a large one everything but the token is worked out once. */
export function signerOf(request: Omit<SignedRequest, 'token'>): (token: string) => string {
  const pairs = pairsOf(request, hashOf(request))
  return (token) => signed(formOf(pairs, token), token)
}

/** Whether a signature is that of the request with a token, in either form; `isGiven` compares in constant time. */
export function signatureCheck(
  request: Omit<SignedRequest, 'token'>,
  isGiven: (signature: string) => boolean,
): (token: string) => boolean {
  const bodyHash = hashOf(request)
  const [pairs, plain] = [pairsOf(request, bodyHash), plainForm(request, bodyHash)]
  return (token) => isGiven(signed(formOf(pairs, token), token)) || isGiven(signed(plain, token))
}

const signed = (form: string, token: string): string => bytesToHex(hmac(sha256, utf8ToBytes(token), utf8ToBytes(form)))

/** HMAC-SHA-256 of the canonical form, keyed by the token, in lower-case hex. */
export const signatureOf = (request: SignedRequest): string => signerOf(request)(request.token)

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

function payloadPairs({ path, body }: Pick<SignedRequest, 'path' | 'body'>): [string, string][] {
  const mark = path.indexOf('?')
  const query = mark < 0 ? [] : [...new URLSearchParams(path.slice(mark + 1))]
  const pairs = [...query, ...bodyPairs(body)]
  return pairs.length > maxPairs ? [] : pairs
}

function bodyPairs(body: string): [string, string][] {
  if (body === '') return []
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return []
    const entries = Object.entries(parsed)
    // They will be no pairs: only their number counts.
    if (entries.length > maxPairs) return entries.map(([key]) => [key, ''])
    return entries.map(([key, value]) => [key, isScalar(value) ? String(value) : JSON.stringify(value)])
  } catch {
    // No JSON, or nested deeper than the stack. The raw body is covered by its hash; its shape is refused later, with a clearer message.
    return []
  }
}

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
