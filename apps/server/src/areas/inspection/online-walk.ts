import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { RoundBreak } from '@linewarden/rules/inspection'
import { checkOnline, gradeOf } from '@linewarden/rules/inspection'
import type { PlantLine } from '../../plant/plant.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import { hazardsAt, onlineSources, withdrawnImages } from '../../store/inspection/line-source.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import type { StoredRoundResult } from '../../store/inspection/schema.ts'
import type { NewRoundLine } from '../../store/inspection/walk.ts'
import { addLines, endWalk, forgetLines } from '../../store/inspection/walk.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import type { InspectionDeps } from './deps.ts'
import { onlineFacts } from './online-facts.ts'
import { linesOf } from './online-lines.ts'
import { onlineSheetText, RoundTally } from './online-result.ts'

/** Lines whose data are in memory at once. */
const linesAtOnce = 500

interface Walking {
  readonly isClosed: () => boolean
  /** What the trail says of one that broke off under way. */
  readonly auditOf: (row: RoundRow, why: RoundBreak) => AuditEntry
}

/** Walks the lines of a round to its end, or until it is taken over or abandoned, or this server closes. It reads, and operates nothing. */
export function createWalk({ database, plant, ingest, clock, log }: InspectionDeps, { isClosed, auditOf }: Walking) {
  return walked

  async function walked(claim: Claim, row: RoundRow): Promise<void> {
    let result: StoredRoundResult | RoundBreak = 'failed'
    const tally = new RoundTally()
    try {
      if (claim.fence > 1 && !(await forgetLines(database, claim))) return
      const found = linesOf(plant, row)
      if (!(await walkAll(claim, found, tally))) return
      result = found.length === 0 ? 'empty' : tally.result()
    } catch (error) {
      log.error({ err: error, round: row.round_id }, 'an online inspection round broke off')
    }
    const sheetOf = (of: RoundRow) => onlineSheetText(of, tally)
    await endWalk(database, claim, row.plan_id, { result, at: clock(), sheetOf, auditOf }, sha256)
  }

  async function walkAll(claim: Claim, all: readonly PlantLine[], tally: RoundTally): Promise<boolean> {
    const withdrawn = await withdrawnImages(database.general)
    for (let from = 0; from < all.length; from += linesAtOnce) {
      const batch = all.slice(from, from + linesAtOnce)
      const sourceOf = await onlineSources(
        database.general,
        batch.map(({ id }) => id),
      )
      const hazardsOf = await hazardsAt(database.general, [...new Set(batch.map(({ device }) => device.gateway.id))])
      const now = clock()
      const found = batch.map((line): NewRoundLine => {
        const at = { id: line.id, deviceId: line.device.id, gatewayId: line.device.gateway.id }
        const facts = onlineFacts(line, ingest, { source: sourceOf(line.id), hazards: hazardsOf(at), withdrawn })
        return lineFound(line, checkOnline(facts, now))
      })
      tally.add(found)
      if (isClosed() || !(await addLines(database, claim, found))) return false
      // Whatever else this server has to do is not kept waiting.
      await setImmediate()
    }
    return true
  }
}

const lineFound = (line: PlantLine, findings: ReturnType<typeof checkOnline>): NewRoundLine => ({
  ...{
    line_id: line.id,
    line_name: line.name || line.device.name,
    gateway_name: line.device.gateway.name,
    grade: gradeOf(findings),
  },
  found: {
    ...{ controllerId: line.device.controllerId, lineNo: line.lineNo, gatewayId: line.device.gateway.id },
    findings,
  },
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
