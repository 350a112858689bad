import type { Reply, Request, undoNormalChange, Warning } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { ruleDetector } from '@linewarden/rules/warning'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { undoBaseline } from '../../store/warning/baseline.ts'
import { openFindingsOf } from '../../store/warning/feature.ts'
import type { FindingRow } from '../../store/warning/finding.ts'
import type { FindingStep } from '../../store/warning/finding-write.ts'
import { numberOf } from '../alarm/seen-events.ts'
import type { WarningDeps } from './deps.ts'
import { findingDraft, placeOfLine, showFindings } from './finding-draft.ts'
import type { Findings } from './findings.ts'
import type { RulesInForce } from './rules-in-force.ts'

/** Somebody takes back that what a detector found is how the line is now. */
export function createUndo(deps: WarningDeps, rules: RulesInForce, { findingOf, findingRecords }: Findings) {
  const { database, plant, clock } = deps
  return {
    /** The line is compared with what it was before; what was still there when it was explained is raised again, with its proof of then. */
    async undo(
      actor: Actor,
      eventId: string,
      { Reason }: Request<typeof undoNormalChange>['body'],
    ): Promise<Reply<typeof undoNormalChange>> {
      const row = await findingOf(actor, eventId)
      if (actor.shared) throw new Refusal('access denied')
      const [at, reason] = [clock(), Reason.trim()]
      const audit = {
        ...by(actor, at, 'event.unexplain', plant.projects.get(row.project_id)?.ownerId ?? null),
        subject: { kind: 'event', id: numberOf(row.event_id) },
        after: { reason },
      } as const
      const undone = { eventId: row.event_id, reason, actor: actor.userName, at }
      const done = await undoBaseline(database, undone, audit, (was) =>
        // One that had returned by itself was not there any more, and what was explained once more since is explained.
        row.returned_at?.getTime() === was.at && !was.isCovered ? raisedAgain(row, at) : null,
      )
      if (done === null) throw new Refusal('warning not explained')
      showFindings(deps, done)
      const again = done.isRaised ? await openOf(actor, row) : null
      const [record] = await findingRecords(actor, [row])
      if (!record) throw new Error('a finding without a record')
      return { Warning: record, Again: again }
    },
  }

  /** With its proof of then. Null: its line is gone, or nothing of the kind is looked for there any more. */
  function raisedAgain(row: FindingRow, at: number): FindingStep | null {
    const [declaration, line] = [ruleDetector(row.key), row.line_id === null ? undefined : plant.lines.get(row.line_id)]
    if (!declaration || !line) return null
    const place = { project: line.device.gateway.project, family: line.device.family.key, lineId: line.id }
    const rule = rules.of(declaration, place)
    if (!rule.enabled) return null
    const finding = { key: row.key, level: row.level, point: row.point, evidence: row.evidence }
    const draft = findingDraft(declaration, placeOfLine(line), finding, rule, at)
    return { act: 'raise', draft, finding, rule, coverage: row.coverage, day: row.day, isLate: false }
  }

  async function openOf(actor: Actor, row: FindingRow): Promise<Warning | null> {
    const lineId = row.line_id
    if (lineId === null) return null
    const open = await withRowSecurity(database, actor.scope, (db) => openFindingsOf(db, lineId), [lineId])
    const found = open.find(({ key, point }) => key === row.key && point === row.point)
    return found ? ((await findingRecords(actor, [await findingOf(actor, found.event_id)]))[0] ?? null) : null
  }
}
