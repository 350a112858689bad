import type { Evidence, WarningLevel } from '@linewarden/rules/warning'
import { evidence, levelPriority, ruleDetector } from '@linewarden/rules/warning'
import type { RaisedEvent } from './raised-events.ts'
import { raiseEvents } from './raised-events.ts'
import type { Stack } from './stack.ts'

/** A finding as it stands in the database; what is left out is that of a warning twice its limit. */
export interface RaisedFinding extends Omit<RaisedEvent, 'kind' | 'priority' | 'label'> {
  readonly key: string
  readonly level?: WarningLevel
  readonly point?: string
  readonly evidence?: Partial<Evidence>
}

/** Stores findings as if detectors had raised them, in this order. Answers their numbers. */
export async function raiseFindings(stack: Stack, given: readonly RaisedFinding[]): Promise<string[]> {
  const ids = await raiseEvents(
    stack,
    given.map(({ level = 'warning', evidence: _, point: __, ...each }) => {
      const { label, priority } = ruleDetector(each.key) ?? { label: { zh: each.key, en: each.key }, priority: 'medium' as const }
      return { ...each, kind: 'warning', label, priority: levelPriority(level, priority) }
    }),
  )
  const db = await stack.server.database.connect()
  for (const [index, { level = 'warning', point = null, evidence: proof }] of given.entries()) {
    await db.query('update event set point = $2 where event_id = $1', [ids[index], point])
    await db.query('insert into warning_evidence (event_id, level, evidence, rule_version, at) values ($1, $2, $3, 0, now())', [
      ids[index],
      level,
      { ...evidence({ value: 2, limit: 1, unit: 'K', used: 30 }), ...proof },
    ])
  }
  await db.end()
  return ids
}
