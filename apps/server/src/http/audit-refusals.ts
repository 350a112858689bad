import type { Call, Refusal } from '@linewarden/contract'
import { refusedAction, tellableOf } from '@linewarden/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { by } from '../audit/audited.ts'
import type { Given } from '../audit/claims.ts'
import { claimedBy, ownerClaimed } from '../audit/claims.ts'
import type { SubjectSources } from '../audit/names.ts'
import { appendRefusal } from '../store/audit/append.ts'
import type { Database } from '../store/core/database.ts'

/** Long enough for any one order; of a batch its beginning says enough. */
const maxCharacters = 2_000

interface Deps {
  readonly database: Database
  readonly subjects: SubjectSources
  readonly clock: () => number
}

/** Writes into the audit log what somebody tried and was refused: what was asked for, and why it was not done. */
export function auditRefusals({ database, subjects, clock }: Deps) {
  return async (call: Call, actor: Actor, request: FastifyRequest, refusal: Refusal): Promise<void> => {
    const given = { ...givenIn(request.body), ...(call.params && givenIn(request.params)) }
    const operates = call.area === 'control' || call.area === 'equipment'
    // Only whoever sees everything can name what is not of their own tenant: of anybody else nothing is looked for.
    const owner = actor.platform ? await ownerClaimed(subjects, call, given) : undefined
    const { subject, target } = claimedBy(call, given)
    await appendRefusal(operates ? database.control : database.general, {
      ...by(actor, clock(), refusedAction(call), owner === undefined ? actor.tenant : owner),
      subject: { ...subject, claimed: true },
      target,
      after: {
        asked: askedOf(call, request).slice(0, maxCharacters),
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

function askedOf(call: Call, { body, params }: FastifyRequest): string {
  try {
    return JSON.stringify(tellableOf(call, { body, params }))
  } catch {
    // Nested deeper than can be written.
    return ''
  }
}
