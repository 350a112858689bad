import { Refusal } from '@linewarden/contract'
import type { FastifyError, FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { caught, isOfConnection } from '../lib/faults.ts'
import { isDatabaseAway } from '../store/core/database-away.ts'

/** Every error leaves as an envelope in both languages; what nobody foresaw is logged and says nothing of itself. */
export function refuseInWords(app: FastifyInstance, log: Logger): void {
  let loggedAt = Number.NEGATIVE_INFINITY
  const logAway = (error: Error) => {
    if (performance.now() - loggedAt < 60_000) return
    loggedAt = performance.now()
    log.warn({ err: error }, 'calls are refused: the database does not answer')
  }
  app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
    const refusal = refusalOf(error)
    // Whoever has gone before the answer was written is no fault of ours, and not the database that has gone.
    const hasGone = request.raw.socket.destroyed && isOfConnection(error)
    if (!refusal && !hasGone && isDatabaseAway(error)) {
      logAway(error)
      return reply.code(503).header('Retry-After', '5').send(new Refusal('database away').envelope())
    }
    if (!refusal && !hasGone)
      caught(log, 'http', error, { method: request.method, url: request.url.split('?')[0], id: request.id })
    if (refusal) return reply.code(refusal.status).send(refusal.envelope())
    return reply.code(500).send(new Refusal('failed').envelope())
  })
}

function refusalOf(error: FastifyError | Refusal): Refusal | null {
  if (error instanceof Refusal) return error
  if (error.statusCode === 413) return new Refusal('body too large')
  if (error.statusCode === 415) return new Refusal('content type wrong')
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) return new Refusal('body malformed')
  return null
}
