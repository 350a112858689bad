import { createHash } from 'node:crypto'
import type { InspectionRound } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { missingOf, progressOf, roundAfter } from '@linewarden/rules/inspection'
import type { Actor } from '../../access/actor.ts'
import type { StoredSignature } from '../../store/inspection/schema.ts'
import { addSheet } from '../../store/inspection/sheet.ts'
import type { InspectionAccess } from './access.ts'
import { hazardsOf } from './defects.ts'
import type { InspectionDeps } from './deps.ts'
import type { OnlineRounds } from './online.ts'
import { createRoundActs, refuseUnlessAllowed } from './round-acts.ts'
import { roundContent } from './round-state.ts'
import { stateRefusal } from './round-words.ts'
import type { createRoundList } from './rounds.ts'
import { sheetText } from './sheet.ts'

interface Beside {
  readonly list: Pick<ReturnType<typeof createRoundList>, 'record'>
  readonly online: Pick<OnlineRounds, 'stop'>
}

/** How a round ends on site: finished or abandoned; and what becomes of its defects. */
export function createFinishing(deps: InspectionDeps, access: InspectionAccess, { list, online }: Beside) {
  const { clock } = deps
  const { acted, auditOf } = createRoundActs(deps, access)
  return { finish, abandon }

  async function finish(actor: Actor, roundId: string, signature: StoredSignature | undefined): Promise<InspectionRound> {
    await acted(actor, roundId, async (row, trx) => {
      // Sent again because the answer was lost: it is finished.
      if ((row.state === 'finished' || row.state === 'approved') && row.inspector_id === actor.accountId) return null
      refuseUnlessAllowed(row, 'finish')
      if (!access.mayInspect(actor, row.assignees)) throw new Refusal('round not yours')
      const content = await roundContent(trx, row)
      const missing = missingOf(content).length
      if (missing > 0) throw new Refusal('round incomplete', { missing })
      if (row.signature !== 'none' && !signature) throw new Refusal('round signature missing')
      const at = new Date(clock())
      await hazardsOf(trx, row, content, at.getTime())
      const columns = {
        ...{ state: 'finished' as const, finished_at: at, inspector_id: actor.accountId, inspector_name: access.nameOf(actor) },
        ...{ inspector_signature: signature ? JSON.stringify(signature) : null, approver_signature: null },
        ...{ approver_id: null, approver_name: '', decided_at: null, reason: '' },
        progress: JSON.stringify(progressOf(content)),
      }
      const signed = { ...row, finished_at: at, inspector_name: columns.inspector_name, inspector_signature: signature ?? null }
      const sheet = sheetText(signed, content)
      const hash = sha256(sheet)
      await addSheet(trx, { roundId, projectId: row.project_id, number: row.number, sheet, hash, at: at.getTime() })
      return { columns, audit: auditOf(actor, 'inspectionRound.finish', row, { hash }), movesDue: true }
    })
    return list.record(actor, roundId)
  }

  async function abandon(actor: Actor, roundId: string, version: number, reason: string): Promise<InspectionRound> {
    const done = await acted(actor, roundId, async (row, trx) => {
      if (roundAfter(row.state, 'abandon') === null) throw stateRefusal(row.state)
      if (row.version !== version) throw new Refusal('changed meanwhile')
      if (!access.mayInspect(actor, row.assignees)) throw new Refusal('round not yours')
      if (row.kind === 'onSite') await hazardsOf(trx, row, await roundContent(trx, row), clock())
      else await online.stop(trx, row)
      return {
        columns: { state: 'abandoned', decided_at: new Date(clock()), reason: reason.trim() },
        audit: auditOf(actor, 'inspectionRound.abandon', row, { reason: reason.trim() }),
        movesDue: true,
      }
    })
    if (done === 'nothing') throw new Refusal('changed meanwhile')
    return list.record(actor, roundId)
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
