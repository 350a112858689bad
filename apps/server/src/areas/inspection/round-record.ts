import type { InspectionRound, RoundStop, StoredInspectionAnswer } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dateText } from '@linewarden/rules/automation'
import type { ChecklistItem, CurrentAnswers } from '@linewarden/rules/inspection'
import { countingAnswer, isFlagged, personRoundActs, roundAfter } from '@linewarden/rules/inspection'
import type { Actor } from '../../access/actor.ts'
import type { ArrivalRow, KeptAnswer } from '../../store/inspection/answer.ts'
import type { ShownRound } from '../../store/inspection/round.ts'
import type { FrozenStop, StoredRoundResult } from '../../store/inspection/schema.ts'
import type { InspectionAccess } from './access.ts'
import { checkText } from './online-words.ts'
import { breakWords } from './round-words.ts'

/** A round as the API shows it to somebody. */
export function roundRecord(row: ShownRound, actor: Actor, access: Pick<InspectionAccess, 'mayInspect'>): InspectionRound {
  const { progress } = row
  const day = (each: number | null) => (each === null ? null : dateText(each))
  const person = (id: string | null, name: string) => (name === '' ? null : { AccountID: id, Name: name })
  return {
    ...{ RoundID: row.round_id, Number: row.number, Name: row.name, PlanID: row.plan_id, HouseID: row.project_id },
    ...{ HouseName: row.project_name, TimeZone: row.time_zone, Kind: row.kind, State: row.state },
    ...{ DueDay: day(row.due_day), FromDay: day(row.from_day), ToDay: day(row.to_day) },
    Assignees: row.assignees.map(({ id, name }) => ({ AccountID: id, Name: name })),
    ...{ Inspector: person(row.inspector_id, row.inspector_name), StartedAt: row.started_at?.getTime() ?? null },
    ...{ FinishedAt: row.finished_at?.getTime() ?? null, Approver: person(row.approver_id, row.approver_name) },
    ...{
      DecidedAt: row.decided_at?.getTime() ?? null,
      Reason: row.reason,
      BrokeOff: breakRecord(row),
      PhotoOn: row.photo_on,
      Signature: row.signature,
    },
    ...{ Stops: progress?.stops ?? 0, StopsDone: progress?.stopsDone ?? 0, Items: progress?.items ?? 0 },
    ...{ Answered: progress?.answered ?? 0, Defects: progress?.defects ?? 0, Impossible: progress?.impossible ?? 0 },
    ...{ PhotosMissing: progress?.photosMissing ?? 0, Flagged: progress?.flagged ?? 0, Lines: row.lines, Done: row.done },
    ...{ Result: row.result && resultRecord(row.result), SheetHash: row.sheet_hash, Version: row.version },
    Acts: actsOf(row, actor, access),
  }
}

const breakRecord = ({ broke_off }: ShownRound): InspectionRound['BrokeOff'] =>
  broke_off === null ? null : { Key: broke_off, Text: breakWords[broke_off] }

function actsOf(row: ShownRound, actor: Actor, access: Pick<InspectionAccess, 'mayInspect'>): InspectionRound['Acts'] {
  return personRoundActs.flatMap((act) => {
    // A round that the server walks ends by itself, and is nobody's to approve.
    if (row.kind === 'online' && act !== 'start' && act !== 'abandon') return []
    if (roundAfter(row.state, act) === null) return []
    const refusal = refusalFor(act)
    return [{ Act: act, Refusal: refusal ? { Key: refusal.key, Text: refusal.envelope().Text } : null }]
  })

  function refusalFor(act: (typeof personRoundActs)[number]): Refusal | null {
    if (act === 'return') return null
    if (act !== 'approve') return access.mayInspect(actor, row.assignees) ? null : new Refusal('round not yours')
    return row.four_eyes && row.inspector_id === actor.accountId ? new Refusal('round four eyes') : null
  }
}

const resultRecord = ({
  lines,
  ok,
  defects,
  unknown,
  checks,
  hash,
}: StoredRoundResult): NonNullable<InspectionRound['Result']> => ({
  ...{ Lines: lines, Ok: ok, Defects: defects, Unknown: unknown, Hash: hash },
  Checks: checks.map((each) => ({
    ...{ Check: each.check, Text: checkText(each.check), Ok: each.ok, Defects: each.defects, Unknown: each.unknown },
  })),
})

export const stopRecord = (stop: FrozenStop, arrived: ArrivalRow | undefined): RoundStop => ({
  ...{ StopID: stop.stopId, Kind: stop.kind, DeviceID: stop.gatewayId, ControllerID: stop.controllerId, Place: stop.place },
  ...{ Name: stop.name, GatewayName: stop.gatewayName, Model: stop.model, List: stop.list },
  Arrived: arrived
    ? {
        ...{ Person: arrived.person_name, PhoneID: arrived.phone_id, How: arrived.how, Reason: arrived.reason },
        ...{ PhoneTime: arrived.phone_at.getTime(), ServerTime: arrived.server_at.getTime() },
        ClockOffsetMs: Number(arrived.offset_ms),
      }
    : null,
})

/** The answers that are held of an item; the one that counts first. */
export function answerRecords(
  current: CurrentAnswers<KeptAnswer>,
  item: ChecklistItem,
  photos: ReadonlySet<string>,
  orders: ReadonlyMap<number, number>,
): StoredInspectionAnswer[] {
  const counts = countingAnswer(current, item)
  const Flagged = isFlagged(current)
  return current.map((answer) => {
    const { row } = answer
    return {
      AnswerID: row.answer_id,
      ...{ StopID: row.stop_id, ItemID: row.item_id, Rev: row.rev, Result: row.result, Value: row.value, Choice: row.choice },
      ...{ Note: row.note, Level: row.level, Photos: [...row.photos], PhoneTime: row.phone_at.getTime() },
      ...{ ServerTime: row.server_at.getTime(), ClockOffsetMs: Number(row.offset_ms), Person: row.person_name },
      ...{ PhoneID: row.phone_id, Counts: answer === counts, Flagged },
      MissingPhotos: row.photos.filter((hash) => !photos.has(hash)),
      ...{ HazardID: row.hazard_id, OrderID: row.hazard_id === null ? null : (orders.get(row.hazard_id) ?? null) },
    }
  })
}
