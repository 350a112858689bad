import { Refusal } from '@linewarden/contract'
import type { ChecklistItem } from '@linewarden/rules/inspection'
import { answerKey, countingAnswer, resultOf } from '@linewarden/rules/inspection'
import type { Kysely } from 'kysely'
import type { Schema } from '../../store/core/schema.ts'
import { lockHazardsOf, openHazard } from '../../store/hazard/hazard.ts'
import type { KeptAnswer } from '../../store/inspection/answer.ts'
import { linkHazard } from '../../store/inspection/answer.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import type { FrozenStop } from '../../store/inspection/schema.ts'
import { linkPhotos } from '../../store/photos/use.ts'
import type { RoundContent } from './round-state.ts'
import { itemsOf } from './round-state.ts'

interface Defect {
  readonly stop: FrozenStop
  readonly item: ChecklistItem
  readonly answer: KeptAnswer
}

/** The answers of a round that say that something is wrong. */
function defectsOf(row: RoundRow, { current }: RoundContent): readonly Defect[] {
  return row.stops.flatMap((stop) =>
    itemsOf(row, stop.list).flatMap((item) => {
      const answer = countingAnswer(current.get(answerKey(stop.stopId, item.id)) ?? [], item)
      return answer && resultOf(item, answer) === 'defect' ? [{ stop, item, answer }] : []
    }),
  )
}

/** Each defect is a hazard of its place from now on; the same place and item again counts up. */
export async function hazardsOf(trx: Kysely<Schema>, row: RoundRow, content: RoundContent, at: number): Promise<void> {
  // In one order, so that two rounds of the same places, or whoever acts on orders of them, never wait for each other in a circle.
  const defects = defectsOf(row, content).toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  await lockHazardsOf(
    trx,
    row.project_id,
    defects.map(({ item }) => keyOf(item)),
  )
  for (const defect of defects) await hazardOf(trx, row, defect, at)
}

const keyOf = ({ id }: ChecklistItem): string => `patrol.${id}`

const placeOf = ({ stop, item }: Defect): string => `${stop.gatewayId} ${stop.deviceId} ${stop.place} ${item.id}`

/** The one defect that somebody wants an order of. */
export async function defectAt(
  trx: Kysely<Schema>,
  row: RoundRow,
  content: RoundContent,
  { StopID, ItemID, at }: { readonly StopID: number; readonly ItemID: string; readonly at: number },
): Promise<Defect & { readonly hazardId: number }> {
  const defect = defectsOf(row, content).find(({ stop, item }) => stop.stopId === StopID && item.id === ItemID)
  if (!defect) throw new Refusal('round no defect')
  return { ...defect, hazardId: await hazardOf(trx, row, defect, at) }
}

/** What an answer has shown once it shows no second time: it may be mended since. */
async function hazardOf(trx: Kysely<Schema>, row: RoundRow, { stop, item, answer }: Defect, at: number): Promise<number> {
  const known = answer.row.hazard_id
  const hazardId = known ?? (await shownBy(trx, row, { stop, item, answer }, at))
  await linkPhotos(trx, { kind: 'round', id: row.round_id }, { kind: 'hazard', id: String(hazardId) }, answer.photos)
  return hazardId
}

async function shownBy(trx: Kysely<Schema>, row: RoundRow, { stop, item, answer }: Defect, at: number): Promise<number> {
  const hazardId = await openHazard(trx, {
    ...{ projectId: row.project_id, gatewayId: stop.gatewayId, deviceId: stop.deviceId, lineId: null, place: stop.place ?? '' },
    ...{ key: keyOf(item), label: item.text, level: answer.level ?? 'medium', source: 'patrol', at },
    sourceId: `${row.round_id}/${stop.stopId}/${item.id}`,
  })
  await linkHazard(trx, answer.row.answer_id, hazardId)
  return hazardId
}
