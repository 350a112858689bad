import { Refusal } from '@linewarden/contract'
import type { PersonRoundAct } from '@linewarden/rules/inspection'
import { roundAfter } from '@linewarden/rules/inspection'
import type { Kysely } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import type { RoundChange } from '../../store/inspection/round-write.ts'
import { actOnRound } from '../../store/inspection/round-write.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'
import { stateRefusal } from './round-words.ts'

/** What people do to a round, with its row locked, and what the audit trail says of it. */
export function createRoundActs({ database }: InspectionDeps, access: InspectionAccess) {
  return { acted, auditOf }

  async function acted(
    actor: Actor,
    roundId: string,
    decide: (row: RoundRow, trx: Kysely<Schema>) => Promise<RoundChange | null>,
  ): Promise<'done' | 'nothing'> {
    const found = await access.seenRound(actor, roundId)
    const done = await actOnRound(database, roundId, decide)
    if (done === 'gone' || done === 'walking') throw new Refusal('round not exists')
    if (done === 'done') access.published(found)
    return done
  }

  function auditOf(
    actor: Actor,
    action: `inspectionRound.${'finish' | 'approve' | 'return' | 'abandon'}`,
    row: RoundRow,
    after: Readonly<Record<string, string>>,
  ) {
    return {
      ...access.auditOf(actor, action, row.project_id),
      ...{
        subject: { kind: 'inspectionRound', id: row.round_id } as const,
        target: row.number,
        before: { state: row.state },
        after,
      },
    }
  }
}

/** What the server walks ends by itself. */
export function refuseUnlessAllowed(row: RoundRow, act: PersonRoundAct): void {
  if (row.kind === 'online' || roundAfter(row.state, act) === null) throw stateRefusal(row.state)
}
