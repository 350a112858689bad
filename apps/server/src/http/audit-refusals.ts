import type { Call, Refusal } from '@linewarden/contract'
import { refusedAction } from '@linewarden/contract'
import type { FastifyRequest } from 'fastify'
import { storableText } from '../ingest/storable-text.ts'
import { appendAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Actor } from './context.ts'

/** Long enough for any one order; of a batch its beginning says enough. */
const mostCharacters = 2_000

/** Writes into the audit log what somebody tried and was refused: what was asked for, and why it was not done. */
export function auditRefusals(database: Database, clock: () => number) {
  return async (call: Call, actor: Actor, request: FastifyRequest, refusal: Refusal): Promise<void> => {
    const asked = { ...(request.body as object | undefined), ...(call.params && (request.params as object)) }
    // A control grant is good for once, but it is nobody else's business; and no log keeps pictures.
    const text = JSON.stringify({ ...asked, Grant: undefined, Photo: undefined })
    await appendAudit(database.general, {
      at: clock(),
      actor: actor.userName,
      address: actor.address,
      action: refusedAction(call),
      target: targetIn(asked),
      after: {
        asked: text.slice(0, mostCharacters).toWellFormed(),
        why: refusal.key,
        problems: refusal.problems.map(({ Path }) => Path),
      },
      outcome: 'refused',
    })
  }
}

function targetIn(asked: object): string {
  const given = asked as Readonly<Record<string, unknown>>
  const device = given.ControllerID ?? given.ID ?? given.DeviceID ?? given.ChangeID ?? given.BatchID ?? ''
  const line = given.LineNo === undefined ? '' : `/${String(given.LineNo)}`
  return storableText(`${String(device)}${line}`.slice(0, 128).toWellFormed())
}
