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

/** `stopIds`: at these of its stops; left out: the whole of it. */
export async function roundContent(db: Kysely<Schema>, row: RoundRow, stopIds?: readonly number[]): Promise<RoundContent> {
  const arrivals = await firstArrivals(db, row.round_id, stopIds)
  const current = await currentAnswers(db, row.round_id, stopIds)
  const photos = await storedPhotos(db, { kind: 'round', id: row.round_id }, namedPhotos(current))
  const stops = stopIds ? row.stops.filter(({ stopId }) => stopIds.includes(stopId)) : row.stops
  return {
    ...{ arrivals, current, photos, photoOn: row.photo_on },
    stops: stops.map(({ stopId, list }) => ({ stopId, items: itemsOf(row, list), isArrived: arrivals.has(stopId) })),
  }
}

const namedPhotos = (current: ReadonlyMap<string, CurrentAnswers<KeptAnswer>>): string[] => [
  ...new Set([...current.values()].flatMap((answers) => answers.flatMap(({ photos }) => photos))),
]
