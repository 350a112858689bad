import type { Call, Refusal } from '@linewarden/contract'
import { refusedAction } from '@linewarden/contract'
import type { FastifyRequest } from 'fastify'
import { by } from '../areas/audited.ts'
import { appendRefusal } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Actor } from './context.ts'

type Given = Readonly<Record<string, unknown>>

/** Long enough for any one order; of a batch its beginning says enough. */
const mostCharacters = 2_000
const longestTarget = 128

/** Writes into the audit log what somebody tried and was refused: what was asked for, and why it was not done. */
export function auditRefusals(database: Database, clock: () => number) {
  return async (call: Call, actor: Actor, request: FastifyRequest, refusal: Refusal): Promise<void> => {
    const asked = { ...givenIn(request.body), ...(call.params && givenIn(request.params)) }
    const operates = call.area === 'control' || call.area === 'equipment'
    await appendRefusal(operates ? database.control : database.general, {
      ...by(actor, clock(), refusedAction(call)),
      target: targetIn(asked).slice(0, longestTarget),
      after: {
        asked: textOf(asked).slice(0, mostCharacters),
        why: refusal.key,
        problems: refusal.problems.map(({ Path }) => Path),
      },
      outcome: 'refused',
    })
  }
}

/** Nothing of it was checked: it may be anything that JSON can say. */
const givenIn = (part: unknown): Given =>
  typeof part === 'object' && part !== null && !Array.isArray(part) ? (part as Given) : {}

function textOf(asked: Given): string {
  try {
    // A control grant is good for once, but it is nobody else's business; and no log keeps pictures.
    return JSON.stringify({ ...asked, Grant: undefined, Photo: undefined })
  } catch {
    // Nested deeper than can be written.
    return ''
  }
}

function targetIn(asked: Given): string {
  const several = asked.Lines ?? asked.Targets
  if (Array.isArray(asked.DeviceIDs)) return asked.DeviceIDs.slice(0, longestTarget).map(nameOf).join(' ')
  return Array.isArray(several) ? several.slice(0, longestTarget).map(givenIn).map(placeIn).join(' ') : placeIn(asked)
}

function placeIn(given: Given): string {
  const { ControllerID, ID, DeviceID, ChangeID, BatchID, RunID, HouseID, LineNo } = given
  const line = nameOf(LineNo)
  return `${nameOf(ControllerID ?? ID ?? DeviceID ?? ChangeID ?? BatchID ?? RunID ?? HouseID)}${line === '' ? '' : `/${line}`}`
}

const nameOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
