import { randomUUID } from 'node:crypto'
import type { AuditAction } from '@linewarden/contract'
import { maxRoundLines, Refusal } from '@linewarden/contract'
import type { RoundBreak } from '@linewarden/rules/inspection'
import type { Kysely } from 'kysely'
import type { Schema } from '../../store/core/schema.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import { roundById } from '../../store/inspection/round.ts'
import type { RoundChange } from '../../store/inspection/round-write.ts'
import { actOnRound } from '../../store/inspection/round-write.ts'
import type { FrozenStop } from '../../store/inspection/schema.ts'
import { dropLines, walkKind } from '../../store/inspection/walk.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import { claimInstant, endWork, endWorkOf } from '../../store/jobs/due-work.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'
import { linesOf } from './online-lines.ts'
import { createWalk } from './online-walk.ts'
import { breakWords } from './round-words.ts'

export type OnlineRounds = ReturnType<typeof createOnlineRounds>

interface ToWalk {
  readonly round_id: string
  readonly project_id: number
  readonly stops: readonly FrozenStop[]
}

const system = { userName: 'system', address: '' }

/** Walks the lines of a round on the server, each round on one of those that share the database. It reads, and operates nothing. */
export function createOnlineRounds(deps: InspectionDeps, access: InspectionAccess) {
  const { database, plant, runner, clock } = deps
  let isClosed = false
  const walked = createWalk(deps, { isClosed: () => isClosed, auditOf: breakAudit })
  const underWay = new Set<Promise<void>>()
  runner.register({
    kind: walkKind,
    async takeOver(claim) {
      void carry(claim)
    },
  })
  return { claimed, carry, beginDue, stop, close }

  /** Claims the walk of a round that begins in this transaction: `carry` walks it once that is committed. */
  async function claimed(trx: Kysely<Schema>, row: ToWalk) {
    const why = cannotWalk(row)
    if (why === 'empty') throw new Refusal('round empty')
    if (why === 'tooLarge') throw new Refusal('round too large', { most: maxRoundLines })
    const { length } = linesOf(plant, row)
    const work = { workId: randomUUID(), kind: walkKind, key: row.round_id, dueAt: clock() }
    const claim = await claimInstant(trx, work, runner.holder)
    if (!claim) throw new Error(`round ${row.round_id} was claimed before it began`)
    return { claim, columns: { lines: length, done: 0 } }
  }

  function cannotWalk(row: ToWalk): Exclude<RoundBreak, 'failed'> | null {
    const { length } = linesOf(plant, row)
    return length === 0 ? 'empty' : length > maxRoundLines ? 'tooLarge' : null
  }

  /** A planned one whose window has opened; one that cannot be walked is over, and its plan goes on. Another of the project that is walked goes first, and the next look comes back to it. */
  async function beginDue(roundId: string): Promise<void> {
    let begun: Claim | null = null
    let found: RoundRow | null = null
    const acted = await actOnRound(database, roundId, async (row, trx) => {
      found = row
      if (row.state !== 'planned' || row.lapses_at === null || row.lapses_at.getTime() <= clock()) return null
      const why = cannotWalk(row)
      if (why !== null) return brokenOff(row, why)
      const { claim, columns } = await claimed(trx, row)
      begun = claim
      return {
        columns: { ...columns, state: 'started', started_at: new Date(clock()) },
        audit: auditOf(row, 'inspectionRound.start'),
      }
    })
    if (acted === 'done' && found !== null) access.published(found)
    // Other rounds that are due do not wait for it.
    if (acted === 'done' && begun !== null) void carry(begun)
  }

  function brokenOff(row: RoundRow, why: RoundBreak): RoundChange {
    return {
      columns: { state: 'abandoned', decided_at: new Date(clock()), broke_off: why },
      audit: breakAudit(row, why),
      movesDue: true,
    }
  }

  function breakAudit(row: RoundRow, why: RoundBreak) {
    return { ...auditOf(row, 'inspectionRound.abandon'), before: { state: row.state }, after: { reason: breakWords[why] } }
  }

  function auditOf({ round_id, project_id, number }: RoundRow, action: AuditAction) {
    const subject = { kind: 'inspectionRound', id: round_id } as const
    return { ...access.auditOf(system, action, project_id), subject, target: number }
  }

  /** Ends the walk of a round that is abandoned, wherever it is walked; nothing of it is kept. */
  async function stop(trx: Kysely<Schema>, { round_id }: RoundRow): Promise<void> {
    await dropLines(trx, round_id)
    await endWorkOf(trx, { kind: walkKind, key: round_id }, 'abandoned', clock())
  }

  /** Only its own: what other areas carry out they end themselves, and later. */
  async function close(): Promise<void> {
    isClosed = true
    await Promise.all(underWay)
  }

  function carry(claim: Claim): Promise<void> {
    const walk = runner.carry(claim, () => carryOut(claim)).finally(() => underWay.delete(walk))
    underWay.add(walk)
    return walk
  }

  /** To its end, or until it was abandoned, taken over, or this server closes: then whoever has it next walks it anew. */
  async function carryOut(claim: Claim): Promise<void> {
    try {
      const row = await roundById(database.general, claim.key)
      if (row?.state === 'started') {
        await walked(claim, row)
        access.published(row)
      } else await endWork(database.general, claim, row?.state ?? 'gone', clock())
    } finally {
      // Of one that was broken off by the close of this server the lease is given back with all others.
      if (!isClosed) runner.letGo(claim.workId)
    }
  }
}
