import type { Origin } from '@linewarden/rules/workorder'
import type { Kysely } from 'kysely'
import type { Plant } from '../../plant/plant.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { SourceRow } from '../../store/hazard/looks.ts'
import { examLook } from '../../store/hazard/looks.ts'
import { patrolLook } from '../../store/inspection/look.ts'
import type { OrderRow } from '../../store/workorder/order.ts'

/** An order, or a hazard, as far as its place and its proof so far go. */
export type Proved = Pick<OrderRow, 'gateway_id' | 'device_id' | 'line_id' | 'verification'>

/** What tests, health checks and patrols saw last of what reports nothing by itself. */
export function createLooks(plant: Plant) {
  return { lookOf, selfTestLook }

  async function lookOf(db: Kysely<Schema>, row: Proved, { source, source_id }: SourceRow): Promise<Origin> {
    if (source === 'selfTest') return selfTestLook(row)
    if (source === 'exam') return { kind: 'look', by: 'exam', ...(await examLook(db, row.line_id, source_id)) }
    return { kind: 'look', by: 'patrol', ...(await patrolLook(db, source_id)) }
  }

  /** The last test of the line that somebody watched. */
  function selfTestLook({ line_id }: Proved): Origin {
    const last = line_id === null ? null : (plant.lines.get(line_id)?.selfTest ?? null)
    const isPassed = last?.result === 'passed'
    return { kind: 'look', by: 'selfTest', passedAt: isPassed ? last.at : null, failedAt: last && !isPassed ? last.at : null }
  }
}
