import { dateText } from '@linewarden/rules/automation'
import { answerKey, countingAnswer } from '@linewarden/rules/inspection'
import type { RoundRow } from '../../store/inspection/round.ts'
import { answerRecords, stopRecord } from './round-record.ts'
import type { RoundContent } from './round-state.ts'
import { itemsOf } from './round-state.ts'
import { itemRecord, listName } from './stops.ts'

/** The sheet of a round as it is signed: everything that is printed, so that nothing has to be looked up for it ever again. */
export function sheetText(row: RoundRow, content: RoundContent): string {
  const orders = new Map<number, number>()
  return JSON.stringify({
    Round: {
      ...{ RoundID: row.round_id, Number: row.number, Name: row.name, HouseID: row.project_id, HouseName: row.project_name },
      ...{ TimeZone: row.time_zone, DueDay: row.due_day === null ? null : dateText(row.due_day), PhotoOn: row.photo_on },
      ...{ Inspector: row.inspector_name, StartedAt: row.started_at?.getTime() ?? null },
      FinishedAt: row.finished_at?.getTime() ?? null,
    },
    Stops: row.stops.map((stop) => stopRecord(stop, content.arrivals.get(stop.stopId))),
    Checklists: Object.entries(row.lists).map(([list, items]) => ({
      List: list,
      Name: listName(list),
      Items: items.map(itemRecord),
    })),
    Answers: row.stops.flatMap(({ stopId, list }) =>
      itemsOf(row, list).flatMap((item) => {
        const current = content.current.get(answerKey(stopId, item.id)) ?? []
        // The one that counts first, and what another phone said beside it.
        const counts = countingAnswer(current, item)
        const ordered = current.toSorted((a, b) => Number(b === counts) - Number(a === counts))
        return answerRecords(ordered, item, content.photos, orders).map(({ OrderID, ...answer }) => answer)
      }),
    ),
    InspectorSignature: row.inspector_signature,
  })
}
