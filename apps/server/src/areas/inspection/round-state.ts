import type { ChecklistItem, CurrentAnswers, RoundSoFar } from '@linewarden/rules/inspection'
import type { Kysely } from 'kysely'
import type { Schema } from '../../store/core/schema.ts'
import type { ArrivalRow, KeptAnswer } from '../../store/inspection/answer.ts'
import { currentAnswers, firstArrivals } from '../../store/inspection/answer.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import { storedPhotos } from '../../store/photos/use.ts'

/** A round as it stands: what it asks, who was where, and what is held. */
export interface RoundContent extends RoundSoFar<KeptAnswer> {
  readonly arrivals: ReadonlyMap<number, ArrivalRow>
}

export const itemsOf = ({ lists }: Pick<RoundRow, 'lists'>, list: string): readonly ChecklistItem[] => lists[list] ?? []

export async function roundContent(db: Kysely<Schema>, row: RoundRow): Promise<RoundContent> {
  const arrivals = await firstArrivals(db, row.round_id)
  const current = await currentAnswers(db, row.round_id)
  const photos = await storedPhotos(db, { kind: 'round', id: row.round_id }, namedPhotos(current))
  return {
    ...{ arrivals, current, photos, photoOn: row.photo_on },
    stops: row.stops.map(({ stopId, list }) => ({ stopId, items: itemsOf(row, list), isArrived: arrivals.has(stopId) })),
  }
}

export const namedPhotos = (current: ReadonlyMap<string, CurrentAnswers<KeptAnswer>>): string[] => [
  ...new Set([...current.values()].flatMap((answers) => answers.flatMap(({ photos }) => photos))),
]
