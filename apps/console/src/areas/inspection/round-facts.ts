import type { InspectionItem, InspectionRound, RoundDetails, RoundStop, StoredInspectionAnswer } from '@linewarden/contract'

type Known = Pick<RoundDetails, 'Stops' | 'Checklists' | 'Answers'>

/** An answer with what was asked, and where. */
export interface Found {
  readonly stop: RoundStop
  readonly item: InspectionItem
  readonly answer: StoredInspectionAnswer
}

const rank: Readonly<Record<StoredInspectionAnswer['Result'], number>> = { defect: 0, impossible: 1, ok: 2, none: 2 }

/** What somebody has to look at, in this order: defects, what could not be checked, and what two phones answered differently. */
export const toLookAt = (known: Known): readonly Found[] =>
  found(known)
    .filter(({ answer: { Result, Flagged, Counts } }) => Flagged || (Counts && (Result === 'defect' || Result === 'impossible')))
    .toSorted((one, other) => rank[one.answer.Result] - rank[other.answer.Result])

export function found({ Stops, Checklists, Answers }: Known): readonly Found[] {
  const stops = new Map(Stops.map((stop) => [stop.StopID, stop]))
  const lists = new Map(Checklists.map(({ List, Items }) => [List, new Map(Items.map((item) => [item.ItemID, item]))]))
  return Answers.flatMap((answer) => {
    const stop = stops.get(answer.StopID)
    const item = stop && lists.get(stop.List)?.get(answer.ItemID)
    return stop && item ? [{ stop, item, answer }] : []
  })
}

/** A stop with how many of its items are in order or do not apply, of how many. */
export interface StopCount {
  readonly stop: RoundStop
  readonly fine: number
  readonly items: number
  /** Something of it stands among what is to be looked at. */
  readonly isOdd: boolean
}

export function stopCounts({ Stops, Checklists, Answers }: Known): readonly StopCount[] {
  const items = new Map(Checklists.map(({ List, Items }) => [List, Items.length]))
  const counting = Answers.filter(({ Counts }) => Counts)
  const byStop = Map.groupBy(counting, ({ StopID }) => StopID)
  return Stops.map((stop) => {
    const own = byStop.get(stop.StopID) ?? []
    return {
      stop,
      fine: own.filter(({ Result }) => Result === 'ok' || Result === 'none').length,
      items: items.get(stop.List) ?? 0,
      isOdd: own.some(({ Result, Flagged }) => Flagged || Result === 'defect' || Result === 'impossible'),
    }
  })
}

/** Answers that are neither a defect nor impossible. */
export const fineOf = ({ Answered, Defects, Impossible }: Pick<InspectionRound, 'Answered' | 'Defects' | 'Impossible'>): number =>
  Math.max(0, Answered - Defects - Impossible)
