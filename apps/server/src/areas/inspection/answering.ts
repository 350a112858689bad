import { createHash } from 'node:crypto'
import type { ArrivalSent, answerRound, InspectionAnswer, Reply, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Answered, ChecklistItem } from '@linewarden/rules/inspection'
import { answerKey, contentOf, fits, outcomeOf, resultOf } from '@linewarden/rules/inspection'
import type { Kysely } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import { appendAudit } from '../../store/audit/append.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { NewAnswer } from '../../store/inspection/answer.ts'
import {
  addAnswers,
  addArrivals,
  currentAnswers,
  firstArrivals,
  hasTakenPart,
  keptAnswers,
  keptKey,
  missingPhotos,
  placeKeyOf,
  sourceOf,
} from '../../store/inspection/answer.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import { lockedRound } from '../../store/inspection/round.ts'
import type { FrozenStop } from '../../store/inspection/schema.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'
import { countStops } from './round-progress.ts'
import { itemsOf } from './round-state.ts'
import { stateRefusal } from './round-words.ts'

type Body = Request<typeof answerRound>['body']
type Answering = Omit<Reply<typeof answerRound>, 'Round'>
type AnswerReply = Answering['Answers'][number]

/** A phone whose clock is further off than this tells nothing by it: times are then those of the server. */
const maxOffsetMs = 400 * 86_400_000

/** Takes what phones send of a round: each arrival and answer for itself, and the same again is nothing new. */
export function createAnswering(deps: InspectionDeps, access: InspectionAccess) {
  const { database, clock } = deps
  return {
    async answer(actor: Actor, roundId: string, body: Body): Promise<Answering> {
      const found = await access.seenRound(actor, roundId)
      const { answering, isKept } = await database.general.transaction().execute(async (trx) => {
        const row = await lockedRound(trx, roundId)
        if (!row) throw new Refusal('round not exists')
        if (row.kind !== 'onSite')
          throw new Refusal('round state', { status: row.state, state: { zh: '在线巡检', en: 'walked by the server' } })
        if (!access.mayInspect(actor, row.assignees)) throw new Refusal('round not yours')
        const sent = new Sending(row, actor, access.nameOf(actor), body, clock())
        const isKept = row.state === 'started'
        return { answering: await (isKept ? kept(trx, actor, row, sent) : replayed(trx, row, sent)), isKept }
      })
      if (isKept) access.published(found)
      return answering
    },
  }

  async function kept(trx: Kysely<Schema>, actor: Actor, row: RoundRow, sent: Sending): Promise<Answering> {
    const isNew = !(await hasTakenPart(trx, row.round_id, sent.body.PhoneID))
    await addArrivals(trx, sent.arrivals())
    await addAnswers(trx, row.round_id, sent.answers())
    const { content, missingPhotos: missing } = await countStops(trx, row, new Set(sent.stopIds))
    if (isNew && (sent.body.Arrivals.length > 0 || sent.body.Answers.length > 0))
      await appendAudit(trx, {
        ...access.auditOf(actor, 'inspectionRound.answer', row.project_id),
        ...{ subject: { kind: 'inspectionRound', id: row.round_id }, target: row.number, after: { phone: sent.body.PhoneID } },
      })
    return replyOf(sent, content.current, content.arrivals, missing)
  }

  /** What came before it was finished is told as held once more; anything new comes too late, and stays with its phone. */
  async function replayed(trx: Kysely<Schema>, row: RoundRow, sent: Sending): Promise<Answering> {
    const before = await keptAnswers(trx, row.round_id)
    const isKept = sent.answers().every((each) => before.has(keptKey(each, sent.source)))
    const arrivals = await firstArrivals(trx, row.round_id, sent.stopIds)
    if (!isKept || sent.body.Arrivals.some(({ StopID }) => !arrivals.has(StopID))) throw stateRefusal(row.state)
    const current = await currentAnswers(trx, row.round_id, sent.stopIds)
    return replyOf(sent, current, arrivals, await missingPhotos(trx, row.round_id))
  }
}

function replyOf(
  sent: Sending,
  current: Awaited<ReturnType<typeof currentAnswers>>,
  arrivals: Awaited<ReturnType<typeof firstArrivals>>,
  missing: readonly string[],
): Answering {
  const { body } = sent
  return {
    Arrivals: body.Arrivals.map((arrival) => {
      const first = arrivals.get(arrival.StopID)
      const isOwn = first?.phone_id === body.PhoneID
      return {
        StopID: arrival.StopID,
        Outcome: !sent.isArrival(arrival) ? 'wrong' : isOwn ? 'held' : 'taken',
        Person: first?.person_name ?? '',
      }
    }),
    Answers: body.Answers.map((answer): AnswerReply => {
      const { StopID, ItemID, Rev } = answer
      if (!sent.itemOf(answer)) return { StopID, ItemID, Rev, Outcome: 'wrong' }
      const all = current.get(answerKey(StopID, ItemID)) ?? []
      const content = contentOf(answeredOf(answer))
      const isCurrent = all.some((each) => each.rev === Rev && each.source === sent.source && contentOf(each) === content)
      return { StopID, ItemID, Rev, Outcome: outcomeOf(all, isCurrent) }
    }),
    Missing: [...missing],
  }
}

const answeredOf = ({ Result, Value, Choice, Note, Level, Photos }: InspectionAnswer): Answered => ({
  ...{ result: Result, value: Value, choice: Choice, note: Note, level: Level, photos: Photos },
})

/** What a phone sends at once, as it is stored. */
class Sending {
  readonly body: Body
  readonly source: string
  readonly #row: RoundRow
  readonly #actor: Actor
  readonly #name: string
  readonly #now: number
  readonly #offsetMs: number
  readonly #stops: ReadonlyMap<number, FrozenStop>
  readonly #lists: ReadonlyMap<number, ReadonlyMap<string, ChecklistItem>>

  constructor(row: RoundRow, actor: Actor, name: string, body: Body, now: number) {
    this.body = body
    this.source = sourceOf({ phone_id: body.PhoneID, person_id: actor.accountId })
    this.#row = row
    this.#actor = actor
    this.#name = name
    this.#now = now
    this.#offsetMs = Math.max(-maxOffsetMs, Math.min(maxOffsetMs, now - body.Now))
    this.#stops = new Map(row.stops.map((stop) => [stop.stopId, stop]))
    this.#lists = new Map(
      row.stops.map(({ stopId, list }) => [stopId, new Map(itemsOf(row, list).map((item) => [item.id, item]))]),
    )
  }

  /** Of which stops it tells anything. */
  get stopIds(): readonly number[] {
    return [...new Set([...this.body.Arrivals, ...this.body.Answers].map(({ StopID }) => StopID))]
  }

  /** The item that an answer is of and fits; null: there is none, or it is answered otherwise. */
  itemOf(answer: InspectionAnswer): ChecklistItem | null {
    const item = this.#lists.get(answer.StopID)?.get(answer.ItemID)
    return item && fits(item, answeredOf(answer)) ? item : null
  }

  /** From the list needs a reason. */
  isArrival({ StopID, How, Reason = '' }: ArrivalSent): boolean {
    return this.#lists.has(StopID) && (How === 'qr' || Reason.trim() !== '')
  }

  arrivals() {
    return this.body.Arrivals.filter((arrival) => this.isArrival(arrival)).map(({ StopID, How, Reason = '', PhoneTime }) => ({
      ...this.#common(PhoneTime),
      ...{ stop_id: StopID, how: How, reason: Reason.trim() },
    }))
  }

  answers(): NewAnswer[] {
    return this.body.Answers.flatMap((answer) => {
      const [item, stop] = [this.itemOf(answer), this.#stops.get(answer.StopID)]
      return item && stop ? [this.#answer(answer, item, stop)] : []
    })
  }

  #answer(answer: InspectionAnswer, item: ChecklistItem, stop: FrozenStop): NewAnswer {
    return {
      ...this.#common(answer.PhoneTime),
      ...{ stop_id: answer.StopID, item_id: answer.ItemID, rev: answer.Rev, result: answer.Result, value: answer.Value },
      ...{ choice: answer.Choice, note: answer.Note.trim(), level: answer.Level, photos: JSON.stringify(answer.Photos) },
      after: JSON.stringify(answer.After ?? []),
      content_hash: createHash('sha256')
        .update(contentOf(answeredOf(answer)))
        .digest('hex'),
      ...{ at_place: placeKeyOf(stop), comes_to: resultOf(item, answeredOf(answer)) },
    }
  }

  #common(phoneTime: number) {
    return {
      ...{ round_id: this.#row.round_id, project_id: this.#row.project_id, phone_id: this.body.PhoneID },
      ...{ person_id: this.#actor.accountId, person_name: this.#name, server_at: new Date(this.#now) },
      ...{ phone_at: new Date(phoneTime), offset_ms: this.#offsetMs },
    }
  }
}
