import { photoHashOf, sendPhoto } from '@linewarden/client'
import { answerRound, finishRound, getRound, roundPhoto, sendRoundPhoto, startRound } from '@linewarden/contract'
import { fine } from '../round-house.ts'
import type { KilledHouse, Person } from './killed-house.ts'
import { asked } from './killed-house.ts'

export type Sent = ReturnType<typeof fine>
type Caller = Parameters<Parameters<typeof asked>[1]>[0]

/** Where somebody walks rounds. */
export interface RoundHouse extends KilledHouse {
  readonly projectId: number
  readonly electrician: Person
}

const places = ['配电间', '竖井']

/** The phone of an electrician on a round of two places: whatever it sends, it sends until somebody answers. */
export class PhoneOnRound {
  readonly roundId: string = crypto.randomUUID()
  readonly #phoneId = crypto.randomUUID()
  readonly #params = { RoundID: this.roundId }
  readonly #house: RoundHouse

  constructor(house: RoundHouse) {
    this.#house = house
  }

  readonly #asked = <Reply>(what: (client: Caller) => Promise<Reply>): Promise<Reply> =>
    asked(this.#house, what, this.#house.electrician)

  readonly start = () => {
    const asks = { Kind: 'onSite' as const, LeftOut: [], OwnItems: [], Signature: 'none' as const, PhotoOn: 'never' as const }
    const Without = { Name: '巡检', Stops: places.map((Place) => ({ Place })), ...asks }
    const body = { HouseID: this.#house.projectId, RoundID: this.roundId, Without }
    return this.#asked((client) => client.call(startRound, { body }))
  }

  readonly details = () => this.#asked((client) => client.call(getRound, { params: this.#params }))

  readonly finish = () => this.#asked((client) => client.call(finishRound, { params: this.#params, body: {} }))

  /** Every item in order, but for the first. */
  async answersWith(first: Partial<Sent>): Promise<readonly Sent[]> {
    const { Stops, Checklists } = await this.details()
    const items = Stops.flatMap(({ StopID, List }) =>
      (Checklists.find((list) => list.List === List)?.Items ?? []).map((item) => ({ StopID, item })),
    )
    return items.map(({ StopID, item }, index) =>
      fine(StopID, item.ItemID, {
        ...{ Value: item.Kind === 'number' ? (item.Min ?? 0) : null, Choice: item.Choices.find(({ Ok }) => Ok)?.Choice ?? null },
        ...{ PhoneTime: this.#house.server.now(), After: [] },
        ...(item.Kind === 'photo' && { Result: 'none' as const }),
        ...(index === 0 && first),
      }),
    )
  }

  /** The same items once more, by somebody who knows what was answered. */
  async again(answers: readonly Sent[], Note: string): Promise<readonly Sent[]> {
    const { Answers } = await this.details()
    return answers.map((answer) => ({
      ...{ ...answer, Rev: answer.Rev + 1, Note },
      After: Answers.flatMap(({ StopID, ItemID, AnswerID }) =>
        StopID === answer.StopID && ItemID === answer.ItemID ? [AnswerID] : [],
      ),
    }))
  }

  send(answers: readonly Sent[]) {
    const { now } = this.#house.server
    const Arrivals = places.map((_, index) => ({ StopID: index + 1, How: 'qr' as const, PhoneTime: now() }))
    const body = () => ({ PhoneID: this.#phoneId, Now: now(), Arrivals, Answers: [...answers] })
    return this.#asked((client) => client.call(answerRound, { params: this.#params, body: body() }))
  }

  sendPhoto(photo: Uint8Array) {
    const params = { ...this.#params, Hash: photoHashOf(photo) }
    const TakenAt = this.#house.server.now()
    return this.#asked((client) =>
      sendPhoto(photo, (piece) => client.call(sendRoundPhoto, { params, body: { ...piece, TakenAt } })),
    )
  }

  async photo(photo: Uint8Array): Promise<Uint8Array> {
    const params = { ...this.#params, Hash: photoHashOf(photo) }
    return (await this.#asked((client) => client.call(roundPhoto, { params }))).bytes
  }
}
