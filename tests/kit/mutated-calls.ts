import type { Session } from '@linewarden/client'
import type { Call } from '@linewarden/contract'
import { allCalls, authorizationOf, makeNonce } from '@linewarden/contract'
import { exampleOf } from './example.ts'
import type { Random } from './random.ts'
import { randomOf } from './random.ts'

type Json = Readonly<Record<string, unknown>>

/** One request that nobody should send. */
export interface MutatedCall {
  readonly call: Call
  /** What is wrong with it. */
  readonly how: string
  readonly method: string
  readonly path: string
  readonly body: string
  readonly type: string
  readonly signed: 'well' | 'ended' | 'nobody' | 'wrongly' | 'late' | 'not'
}

/** They end sessions or take rights away: afterwards nothing else would be tried. */
const ending = ['logout', 'endSession', 'editUser', 'deleteUser', 'removeSecondFactor', 'confirmSecondFactor']

const oddTexts = [
  ...['', ' ', '0', '-1', '1.0', '0x10', '1e3', 'Infinity', 'NaN', 'null', 'undefined', 'true', '2147483648', '9007199254740993'],
  ...['99999999999999999999', "' or 1=1 --", '../../etc/passwd', '%00', '\u0000', '\ud800', '字', '😀', '<img src=x>', '=1+1'],
  ...['urn:uuid:00000000-0000-4000-8000-000000000001', 'a@....@', 'x'.repeat(300), '__proto__', 'constructor', '{}', '[]'],
] as const
const oddValues = [
  ...oddTexts,
  ...[null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, -1e308, [], {}, [[]], [null], { toString: 1 }, Array(300).fill(0)],
  'x'.repeat(5_000),
] as const
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const
const types = ['application/json', 'text/plain', 'application/json; charset=utf-7', 'application/xml', 'x', ''] as const
const bodies = [
  '{',
  '[',
  '[]',
  'null',
  '"x"',
  '1e999',
  '{"a":1e999}',
  '{"__proto__":{"a":1}}',
  `${'['.repeat(9_000)}`,
  '\u0000',
] as const
const signatures = ['ended', 'nobody', 'wrongly', 'late', 'not'] as const

/**
 * Requests without end, made from the contract's schemas: well-formed ones with one thing wrong in their signature, path, query, body, type
 * or method. `given` are ids that the caller has, `foreign` those of somebody else. The same seed makes the same ones.
 */
export function* mutatedCalls({ seed, given, foreign }: { seed: number; given: Json; foreign: Json }): Generator<MutatedCall> {
  const random = randomOf(seed)
  const calls = allCalls.filter(({ name }) => !ending.includes(name))
  for (let turn = 0; ; turn++) {
    const call = calls[turn % calls.length]
    if (call) yield mutated(call, random, random.below(3) === 0 ? foreign : given)
  }
}

function mutated(call: Call, random: Random, given: Json): MutatedCall {
  const { path, body } = exampleOf(call, given)
  const well = { call, method: call.method, path, body, type: 'application/json', signed: 'well' } as const
  switch (random.of(['signature', 'path', 'query', 'field', 'field', 'field', 'body', 'type', 'method', 'nothing'])) {
    case 'signature':
      return { ...well, how: 'signature', signed: random.of(signatures) }
    case 'path': {
      const parts = path.split('?')[0]?.split('/') ?? []
      parts[parts.length - 1 - random.below(2)] = encoded(random.of(oddTexts))
      return { ...well, how: 'path', path: parts.join('/') }
    }
    case 'query':
      return { ...well, how: 'query', path: withQuery(call, path, random) }
    case 'field':
      return { ...well, how: 'field', body: withField(body, random) }
    case 'body':
      return { ...well, how: 'body', body: random.of(bodies) }
    case 'type':
      return { ...well, how: 'type', type: random.of(types) }
    case 'method':
      return { ...well, how: 'method', method: random.of(methods) }
    default:
      return { ...well, how: 'nothing' }
  }
}

/** Half a character cannot stand in an address. */
const encoded = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80')

function withQuery(call: Call, path: string, random: Random): string {
  const { properties = {} } = (call.query ?? {}) as { properties?: Json }
  const name = random.of(['x', ...Object.keys(properties)])
  const added = `${name}=${encoded(random.of(oddTexts))}`
  return `${path}${path.includes('?') ? '&' : '?'}${random.below(4) === 0 ? `${added}&${added}` : added}`
}

/** One field, at whatever depth, that is something else, missing, or too many. */
function withField(body: string, random: Random): string {
  const whole = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>
  const places: [Record<string, unknown>, string][] = []
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, each] of Object.entries(value)) {
      places.push([value as Record<string, unknown>, key])
      look(each)
    }
  }
  look(whole)
  const [holder, key] = random.of([[whole, 'More'], ...places])
  if (random.below(5) === 0) delete holder[key]
  else holder[key] = random.of(oddValues)
  return JSON.stringify(whole)
}

export interface SweepOptions {
  readonly url: string
  /** Who asks. */
  readonly session: Session
  /** One that has been signed out. */
  readonly ended: Session
  readonly count: number
  readonly seed: number
  readonly given: Json
  readonly foreign: Json
  /** Words that only stand in names of somebody else's things. */
  readonly foreignNames: readonly string[]
  /** Calls that are not made. */
  readonly without?: readonly string[]
  readonly atOnce?: number
  readonly now?: () => number
}

export interface SweepOutcome {
  readonly statuses: ReadonlyMap<number, number>
  /** Requests that were answered 5xx, or not at all, or with a foreign name. */
  readonly wrong: readonly string[]
  readonly foreignNames: number
  readonly unanswered: number
  readonly slowestMs: number
  /** Requests that were answered after more than a second. */
  readonly slow: readonly string[]
}

/** Makes so many mutated calls and says what came of them. */
export async function sweepMutated(options: SweepOptions): Promise<SweepOutcome> {
  const { count, seed, given, foreign, foreignNames, without = [], atOnce = 6 } = options
  const statuses = new Map<number, number>()
  const wrong: string[] = []
  let slowestMs = 0
  const slow: string[] = []
  let foreignNamesLeaked = 0
  let left = count
  const source = mutatedCalls({ seed, given, foreign })
  const worker = async () => {
    while (left-- > 0) {
      const made = source.next().value as MutatedCall
      if (without.includes(made.call.name)) continue
      const before = performance.now()
      const { status, text } = await send(options, made).catch((error) => ({ status: 0, text: String(error) }))
      const tookMs = performance.now() - before
      slowestMs = Math.max(slowestMs, tookMs)
      const described = `${status} ${made.how} ${made.method} ${made.path} ${made.body.slice(0, 200)}`
      if (tookMs > 1_000) slow.push(`${Math.round(tookMs)} ms ${described}`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      // What somebody said they may read back.
      const leaked = foreignNames.filter((name) => text.includes(name) && !(made.path + made.body).includes(name))
      foreignNamesLeaked += leaked.length
      if (status === 0 || status >= 500 || leaked.length > 0) wrong.push(`${described} -> ${leaked} ${text.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const unanswered = statuses.get(0) ?? 0
  return { statuses, wrong, foreignNames: foreignNamesLeaked, unanswered, slowestMs, slow }
}

async function send({ url, session, ended, now = Date.now }: SweepOptions, made: MutatedCall) {
  const { method, path, type, signed } = made
  const body = method === 'GET' || method === 'HEAD' ? '' : made.body
  const isPublic = made.call.permission === 'public'
  const who = isPublic ? { userId: '', token: '' } : signed === 'ended' ? ended : session
  const authorization = authorizationOf({
    nonce: makeNonce(),
    timeStamp: Math.floor(now() / 1_000) - (signed === 'late' ? 3_600 : 0),
    userId: signed === 'nobody' ? '00000000-0000-4000-8000-000000000000' : who.userId,
    token: signed === 'wrongly' ? 'x' : who.token,
    ...{ method, path, body },
  })
  const headers = { ...(signed !== 'not' && { Authorization: authorization }), ...(body !== '' && { 'Content-Type': type }) }
  const reply = await fetch(url + path, { method, headers, redirect: 'manual', ...(body !== '' && { body }) })
  return { status: reply.status, text: await reply.text() }
}
