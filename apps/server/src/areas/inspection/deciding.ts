import { createHash } from 'node:crypto'
import type { InspectionRound } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import type { Schema } from '../../store/core/schema.ts'
import { answeredBy } from '../../store/inspection/answer.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import type { StoredSignature } from '../../store/inspection/schema.ts'
import { approveSheet, sheetOf } from '../../store/inspection/sheet.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'
import { createRoundActs, refuseUnlessAllowed } from './round-acts.ts'
import type { createRoundList } from './rounds.ts'

type Beside = Pick<ReturnType<typeof createRoundList>, 'record'>

/** A finished round is approved by somebody else, or given back. */
export function createDeciding(deps: InspectionDeps, access: InspectionAccess, list: Beside) {
  const { clock } = deps
  const { acted, auditOf } = createRoundActs(deps, access)
  return { approve, giveBack }

  async function approve(
    actor: Actor,
    roundId: string,
    { Version, Signature }: { readonly Version: number; readonly Signature?: StoredSignature },
  ): Promise<InspectionRound> {
    await acted(actor, roundId, async (row, trx) => {
      refuseUnlessAllowed(row, 'approve')
      if (row.version !== Version) throw new Refusal('changed meanwhile')
      if (row.four_eyes && (await hasInspected(trx, row, actor))) throw new Refusal('round four eyes')
      if (row.signature === 'both' && !Signature) throw new Refusal('round signature missing')
      const sheet = await sheetOf(trx, roundId)
      if (!sheet) throw new Refusal('round sheet missing')
      const [at, name] = [clock(), access.nameOf(actor)]
      const signature = Signature ? JSON.stringify(Signature) : null
      const hash = sha256(JSON.stringify([sheet.hash, name, at, signature]))
      await approveSheet(trx, sheet, { name, at, signature, hash })
      return {
        columns: {
          ...{ state: 'approved', approver_id: actor.accountId, approver_name: name, decided_at: new Date(at) },
          approver_signature: signature,
        },
        audit: auditOf(actor, 'inspectionRound.approve', row, { hash }),
      }
    })
    return list.record(actor, roundId)
  }

  async function giveBack(actor: Actor, roundId: string, version: number, reason: string): Promise<InspectionRound> {
    await acted(actor, roundId, async (row) => {
      refuseUnlessAllowed(row, 'return')
      if (row.version !== version) throw new Refusal('changed meanwhile')
      return {
        columns: {
          ...{ state: 'returned', approver_id: actor.accountId, approver_name: access.nameOf(actor) },
          ...{ decided_at: new Date(clock()), reason: reason.trim() },
        },
        audit: auditOf(actor, 'inspectionRound.return', row, { reason: reason.trim() }),
      }
    })
    return list.record(actor, roundId)
  }

  /** Whoever answered any of it has inspected. */
  async function hasInspected(trx: Kysely<Schema>, { round_id, inspector_id }: RoundRow, { accountId }: Actor): Promise<boolean> {
    return inspector_id === accountId || (await answeredBy(trx, round_id)).has(accountId)
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
