import { stopProgressOf, sumProgress } from '@linewarden/rules/inspection'
import type { Kysely } from 'kysely'
import type { Schema } from '../../store/core/schema.ts'
import { missingPhotos } from '../../store/inspection/answer.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import { saveProgress } from '../../store/inspection/round-write.ts'
import { saveStopProgress, stopProgress } from '../../store/inspection/stop-progress.ts'
import type { RoundContent } from './round-state.ts'
import { roundContent } from './round-state.ts'

interface Counted {
  /** The round at these stops, and at any that were counted with them. */
  readonly content: RoundContent
  /** Of the whole round. */
  readonly missingPhotos: readonly string[]
}

/** Counts anew how far a round has come, by these of its stops and by any that was never counted. Its row is locked by whoever asks. */
export async function countStops(trx: Kysely<Schema>, row: RoundRow, stopIds: ReadonlySet<number>): Promise<Counted> {
  const before = await stopProgress(trx, row.round_id)
  const toCount = row.stops.map(({ stopId }) => stopId).filter((id) => stopIds.has(id) || !before.has(id))
  const content = await roundContent(trx, row, toCount)
  const counted = new Map(content.stops.map((stop) => [stop.stopId, stopProgressOf(content, stop)]))
  await saveStopProgress(trx, row.round_id, counted)
  const missing = await missingPhotos(trx, row.round_id)
  const all = row.stops.flatMap(({ stopId }) => counted.get(stopId) ?? before.get(stopId) ?? [])
  await saveProgress(trx, row.round_id, sumProgress(all, missing.length))
  return { content, missingPhotos: missing }
}
