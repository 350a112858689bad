import type { Logger } from 'pino'
import { Counter } from 'prom-client'

/** Where the outside comes in. An exception that nobody foresaw ends at one of these, and the process lives. */
export type Border = 'http' | 'upgrade' | 'live' | 'mqtt' | 'job' | 'timer' | 'process'

/** Exceptions that nobody foresaw. Each is a bug of ours: alert when it moves. */
export const faultsCounted = new Counter({
  name: 'linewarden_faults_total',
  help: 'Exceptions that nobody foresaw, by the border that caught them',
  labelNames: ['border'] as const,
  registers: [],
})

const repeatAfterMs = 60_000
const maxRemembered = 500
const remembered = new Map<string, { at: number; unsaid: number }>()

/**
 * Counts a bug and logs it: the first of a kind at once with its stack, and then at most one a minute with how many there were, so that
 * whoever has found a way to bring it about cannot fill the log with it.
 */
export function caught(log: Logger, border: Border, error: unknown, about: object = {}): void {
  faultsCounted.inc({ border })
  const kind = `${border} ${kindOf(error)}`
  const now = performance.now()
  const before = remembered.get(kind)
  if (before && now - before.at < repeatAfterMs) {
    before.unsaid += 1
    return
  }
  if (remembered.size >= maxRemembered) remembered.clear()
  remembered.set(kind, { at: now, unsaid: 0 })
  log.error({ err: error, border, ...about, ...(before && { alsoSince: before.unsaid }) }, 'an exception that nobody foresaw')
}

/** The same work, whose exceptions and rejections end here. */
export const guarded =
  <A extends readonly unknown[]>(log: Logger, border: Border, work: (...given: A) => unknown) =>
  (...given: A): void => {
    try {
      const begun = work(...given)
      if (begun instanceof Promise) begun.catch((error) => caught(log, border, error))
    } catch (error) {
      caught(log, border, error)
    }
  }

/** Its name and where it was thrown: what it says may be different each time. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return `${error.name} ${error.stack?.split('\n').find((line) => line.startsWith('    at ')) ?? ''}`
}

const ofConnections = new Set([
  ...['ECONNRESET', 'ECONNABORTED', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'],
])

/** Whether an uncaught exception is only that of a connection that has gone: nothing of ours was being changed when it came. */
export const isOfConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ofConnections.has(String(error.code))
