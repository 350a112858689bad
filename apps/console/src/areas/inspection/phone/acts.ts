import type { InspectionAnswer, OrderPhoto } from '@linewarden/contract'
import type { Arrival } from '@linewarden/rules/inspection'
import type { KeptPhoto } from '../../../app/offline/kept.ts'
import { keep } from '../../../app/offline/outbox.ts'
import type { Act } from '../../../app/offline/outbox-acts.ts'
import type { Strokes } from '../strokes.ts'
import type { ItemNow, RoundBody } from './round-now.ts'
import { answerId, arrivalId, finishId, thingOf } from './round-now.ts'

const roundAct = (roundId: string, id: string, body: RoundBody): Act => ({
  ...{ id, thing: thingOf(roundId), kind: 'answer', rank: 0, body },
})

/** Somebody stands there, by the code or by the list. */
export const arrive = (roundId: string, stopId: number, how: Arrival, reason: string): Promise<void> =>
  keep([
    roundAct(roundId, arrivalId(roundId, stopId), {
      Does: 'arrive',
      Arrival: { StopID: stopId, How: how, ...(reason !== '' && { Reason: reason }), PhoneTime: Date.now() },
    }),
  ])

export type Given = Pick<InspectionAnswer, 'Result' | 'Value' | 'Choice' | 'Note' | 'Level' | 'Photos'>

/** So many answers of one item are named as known: more phones do not answer it unknown to each other. */
const maxKnown = 20

export const nothingGiven: Given = { Result: 'ok', Value: null, Choice: null, Note: '', Level: null, Photos: [] }

/**
 * Answers an item, or changes of its answer what is given; a photo that comes with it lies on the phone together with the answer, or neither
 * does.
 */
export function answer(
  roundId: string,
  stopId: number,
  { item, rev, known, answer: shown }: Pick<ItemNow, 'item' | 'rev' | 'known' | 'answer'>,
  given: Partial<Given>,
  photo: (KeptPhoto & { readonly about: string }) | null = null,
): Promise<void> {
  const of = (before: (Given & Pick<InspectionAnswer, 'After'>) | null): RoundBody => {
    const { Result, Value, Choice, Note, Level, Photos } = { ...nothingGiven, ...before, ...given }
    const photos = photo && !Photos.includes(photo.hash) ? [...Photos, photo.hash] : Photos
    const written = { Result, Value, Choice, Note, Level, Photos: photos, PhoneTime: Date.now() }
    // What a former answer knew that was never sent, this one knows too.
    const After = [...new Set([...known, ...(before?.After ?? [])])].slice(0, maxKnown)
    return { Does: 'answer', Answer: { StopID: stopId, ItemID: item.ItemID, After, ...written } }
  }
  const act: Act = {
    ...roundAct(roundId, answerId(roundId, stopId, item.ItemID), of(shown)),
    over: (former) => of(isAnswer(former) ? former.Answer : shown),
    afterRev: rev,
  }
  return keep([act, ...(photo ? [photoAct(thingOf(roundId), photo)] : [])], photo ? [photo] : [])
}

const isAnswer = (body: unknown): body is RoundBody & { Does: 'answer' } =>
  typeof body === 'object' && body !== null && 'Does' in body && body.Does === 'answer'

/** What is shown of a photo while it waits, and how it is sent. */
export interface PhotoBody {
  readonly Hash: string
  readonly Size: number
  readonly TakenAt: number
  /** Of what it is, in the words of the person's language. */
  readonly About: string
  /** Of an order. */
  readonly Role?: OrderPhoto['Role']
}

const photoAct = (thing: string, { hash, bytes, about }: KeptPhoto & { readonly about: string }): Act => ({
  ...{ id: `${thing}:photo:${hash}`, thing, kind: 'photo', rank: 1 },
  body: { Hash: hash, Size: bytes.byteLength, TakenAt: Date.now(), About: about } satisfies PhotoBody,
})

/** Everything is answered: it counts as finished once the server holds all of it. */
export const finish = (roundId: string, strokes: Strokes | null): Promise<void> =>
  keep([
    {
      ...{ id: finishId(roundId), thing: thingOf(roundId), kind: 'finish', rank: 2 },
      body: strokes === null ? {} : { Signature: { Strokes: strokes } },
    },
  ])
