import type { Call, Envelope, Failure, FileReply, Refusal, Reply, Request } from '@linewarden/contract'
import { attendedHeader, authorizationOf, makeNonce, pathOf } from '@linewarden/contract'

export interface Session {
  readonly userId: string
  readonly token: string
}

export interface ClientOptions {
  /** `http://host:port`, without a path. */
  readonly baseUrl: string
  readonly session: () => Session | null
  /** Whether somebody is at this console: whatever it asks while nobody is keeps the session no longer alive. Left out: it does not say. */
  readonly attended?: () => boolean
  /** The server says that the session is over. */
  readonly onSessionEnd?: () => void
  /** What time the server had when it answered, to the second. */
  readonly onServerTime?: (at: number) => void
  readonly now?: () => number
  readonly fetch?: typeof fetch
  readonly nonce?: () => string
  /** Default: the specification's ten minutes. */
  readonly timeoutMs?: number
}

export type CallProblem =
  | { readonly kind: 'refusal'; readonly status: number; readonly failure: Failure }
  | { readonly kind: 'http'; readonly status: number }
  | { readonly kind: 'network' }
  | { readonly kind: 'timeout' }

/** A call that did not succeed, and why. */
export class CallError extends Error {
  readonly problem: CallProblem
  /** The contract says of the call that nobody is told when it fails. */
  readonly silent: boolean

  constructor(problem: CallProblem, target?: Pick<Call, 'silent'>, cause?: unknown) {
    super(
      problem.kind === 'refusal' ? problem.failure.Message : problem.kind === 'http' ? `HTTP ${problem.status}` : problem.kind,
      { cause },
    )
    this.name = 'CallError'
    this.problem = problem
    this.silent = target?.silent === true
  }

  /** The server knows no session by this signature. Any other 401 says nothing of the session: a proxy's, a wrong clock, a nonce that came twice. */
  get endsSession(): boolean {
    return this.problem.kind === 'refusal' && endings.has(this.message)
  }

  /** The server understood, and said no. A status of 500 or above says that it failed, envelope or not. */
  get refused(): boolean {
    return this.problem.kind === 'refusal' && this.problem.status < 500
  }
}

const endings: ReadonlySet<string> = new Set<Refusal['key']>([
  'session expired',
  'signature wrong',
  'authorization missing',
  'authorization malformed',
])

export interface Client {
  /** Makes a contract call. Throws CallError. */
  call<C extends Call>(
    target: C,
    ...request: keyof Request<C> extends never ? [Request<C>?, CallSettings?] : [Request<C>, CallSettings?]
  ): Promise<Reply<C>>
  readonly baseUrl: string
}

export interface CallSettings {
  readonly signal?: AbortSignal
  /** For what is asked again anyway: it need not wait as long as a person's own call. */
  readonly timeoutMs?: number
  /** For what is sent while the page is left: it outlives the page. */
  readonly keepalive?: boolean
}

const defaultTimeoutMs = 600_000

/** A typed, signing caller. It follows the server's clock: when the two differ too much it corrects itself and tries once more. */
export function createClient(options: ClientOptions): Client {
  const now = options.now ?? Date.now
  const send = options.fetch ?? fetch
  let skewMs = 0

  return {
    baseUrl: options.baseUrl,
    call: (target, ...[request, settings]) => callOnce(target, (request ?? {}) as Parts, settings ?? {}, true) as never,
  }

  async function callOnce(target: Call, parts: Parts, settings: CallSettings, mayRetry: boolean): Promise<unknown> {
    const session = target.permission === 'public' ? null : options.session()
    const path = pathOf(target, parts.params) + queryOf(parts.query)
    const body = parts.body === undefined ? '' : JSON.stringify(parts.body)
    const authorization = authorizationOf({
      nonce: (options.nonce ?? makeNonce)(),
      timeStamp: Math.floor((now() + skewMs) / 1000),
      userId: session?.userId ?? '',
      token: session?.token ?? '',
      method: target.method,
      path,
      body,
    })
    const reply = await exchange(target, path, authorization, body, settings)
    const { envelope } = reply
    if (reply.file) return reply.file
    if (envelope?.Code === 1) return replyOf(target, envelope)
    if (envelope?.Message === 'clock skewed' && mayRetry) {
      if (!Number.isNaN(reply.date)) {
        skewMs = reply.date - now()
        return callOnce(target, parts, settings, false)
      }
    }
    const error = new CallError(
      envelope ? { kind: 'refusal', status: reply.status, failure: envelope } : { kind: 'http', status: reply.status },
      target,
    )
    // A late answer to a former session says nothing about the present one.
    if (error.endsSession && session && options.session()?.token === session.token) options.onSessionEnd?.()
    throw error
  }

  async function exchange(
    target: Call,
    path: string,
    authorization: string,
    body: string,
    { signal, keepalive = false, timeoutMs = options.timeoutMs ?? defaultTimeoutMs }: CallSettings,
  ): Promise<Answer> {
    const timeout = AbortSignal.timeout(timeoutMs)
    const headers: Record<string, string> = { Authorization: authorization }
    if (body !== '') headers['Content-Type'] = 'application/json'
    if (options.attended) headers[attendedHeader] = options.attended() ? 'yes' : 'no'
    try {
      const response = await send(options.baseUrl + path, {
        method: target.method,
        headers,
        ...(body !== '' && { body }),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        // A file is kept, and asked for again each time; everything else is as of now.
        cache: target.file ? 'no-cache' : 'no-store',
        keepalive,
      })
      const date = Date.parse(response.headers.get('Date') ?? '')
      if (!Number.isNaN(date)) options.onServerTime?.(date)
      // The body belongs to the exchange: it can be cut off, late or taken back like the head.
      const file = await fileIn(target, response)
      return { status: response.status, date, file, envelope: file ? null : envelopeOf(await response.text()) }
    } catch (error) {
      if (signal?.aborted) throw error
      throw new CallError({ kind: timeout.aborted ? 'timeout' : 'network' }, target, error)
    }
  }
}

interface Answer {
  readonly status: number
  /** Unix ms; NaN: not said. */
  readonly date: number
  /** Of a call that answers one. */
  readonly file: FileReply | null
  /** Null when the body is none. */
  readonly envelope: Envelope<unknown> | null
}

/** Null: something else came, such as what refuses it. */
async function fileIn({ file }: Call, response: Response): Promise<FileReply | null> {
  const type = response.headers.get('Content-Type') ?? ''
  if (!response.ok || !file?.includes(type)) return null
  const tag = (response.headers.get('ETag') ?? '').replaceAll('"', '')
  return { type, bytes: new Uint8Array(await response.arrayBuffer()), tag }
}

interface Parts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

function envelopeOf(body: string): Envelope<unknown> | null {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null && 'Code' in parsed ? (parsed as Envelope<unknown>) : null
  } catch {
    return null
  }
}

function replyOf(target: Call, envelope: Envelope<unknown> & { Code: 1 }): unknown {
  if (target.datas)
    return { items: envelope.Datas ?? [], total: envelope.Total ?? 0, ...(target.about && { about: envelope.About }) }
  return target.data ? envelope.Data : null
}

function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)]))}`
}
