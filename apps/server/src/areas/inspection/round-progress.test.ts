import { createHash, randomUUID } from 'node:crypto'
import type { AnswerResult, ChecklistItem } from '@linewarden/rules/inspection'
import { progressOf } from '@linewarden/rules/inspection'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { addAnswers, addArrivals, missingPhotos, stopsNaming } from '../../store/inspection/answer.ts'
import { lockedRound, roundById } from '../../store/inspection/round.ts'
import { countStops } from './round-progress.ts'
import { roundContent } from './round-state.ts'

// Counted by what came, a round has come exactly as far as it has by all that is held.
const at = new Date(Date.UTC(2026, 0, 10))
let house: TestDatabase
let projectId: number

beforeEach(async () => {
  house = await testDatabase()
  const client = await house.database.connect()
  const { rows } = await client
    .query<{ project_id: number }>(
      `insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city returning project_id`,
    )
    .finally(() => client.end())
  projectId = rows[0]?.project_id ?? 0
})
afterEach(() => house?.drop())

const text = { zh: 'x', en: 'x' }
const plain = { text, min: null, max: null, unit: '', choices: [], source: text, everyDays: null }
const items: readonly ChecklistItem[] = [
  { ...plain, id: 'tight', kind: 'yesNo' },
  { ...plain, id: 'rise', kind: 'number', min: 0, max: 15, unit: 'K' },
]
const stopIds = [1, 2, 3]
const photos = ['a', 'b', 'c'].map((letter) => letter.repeat(64))

async function startedRound(): Promise<string> {
  const roundId = randomUUID()
  const stops = stopIds.map((stopId) => ({
    ...{ kind: 'place', gatewayId: null, deviceId: null, controllerId: null, place: `${stopId}`, name: `${stopId}` },
    ...{ stopId, gatewayName: null, model: null, list: 'l' },
  }))
  await house.database.general
    .insertInto('inspection_round')
    .values({
      ...{
        round_id: roundId,
        number: 'R',
        project_id: projectId,
        project_name: 'p',
        name: 'r',
        time_zone: 'UTC',
        kind: 'onSite',
      },
      ...{ state: 'started', assignees: '[]', created_at: at, started_at: at, signature: 'none', photo_on: 'defect' },
      ...{ four_eyes: false, stops: JSON.stringify(stops), lists: JSON.stringify({ l: items }) },
    })
    .execute()
  return roundId
}

interface Answer {
  readonly stopId: number
  readonly itemId: string
  readonly phone: number
  readonly result: AnswerResult
  readonly value: number | null
  readonly photos: readonly string[]
}
type Step =
  | { readonly does: 'arrive'; readonly stopId: number; readonly phone: number }
  | { readonly does: 'answer'; readonly answers: readonly Answer[]; readonly knows: boolean }
  | { readonly does: 'photo'; readonly hash: string }

const phones = [randomUUID(), randomUUID()]
const stopId = fc.constantFrom(...stopIds)
const phone = fc.constantFrom(0, 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('arrive' as const), stopId, phone }),
  fc.record({
    does: fc.constant('answer' as const),
    answers: fc.array(
      fc.record({
        ...{ stopId, itemId: fc.constantFrom('tight', 'rise'), phone },
        result: fc.constantFrom<AnswerResult[]>('ok', 'defect', 'none', 'impossible'),
        ...{ value: fc.constantFrom(null, 3, 99), photos: fc.subarray(photos) },
      }),
      { minLength: 1, maxLength: 3 },
    ),
    knows: fc.boolean(),
  }),
  fc.record({ does: fc.constant('photo' as const), hash: fc.constantFrom(...photos) }),
)

const common = (roundId: string, no: number) => ({
  ...{ round_id: roundId, project_id: projectId, phone_id: phones[no] ?? '', person_id: null, person_name: 'x' },
  ...{ phone_at: at, server_at: at, offset_ms: 0 },
})

/** What comes is stored and counted as it is by the calls of a phone. */
async function taken(roundId: string, rev: number, did: Step): Promise<void> {
  await house.database.general.transaction().execute(async (trx) => {
    const row = await lockedRound(trx, roundId)
    if (!row) throw new Error('the round was started')
    if (did.does === 'arrive') {
      await addArrivals(trx, [{ ...common(roundId, did.phone), stop_id: did.stopId, how: 'qr', reason: '' }])
      await countStops(trx, row, new Set([did.stopId]))
    }
    if (did.does === 'answer') {
      const rows = await trx.selectFrom('inspection_answer').select('answer_id').where('round_id', '=', roundId).execute()
      const after = JSON.stringify(did.knows ? rows.map(({ answer_id }) => answer_id) : [])
      const answers = did.answers.map((answer, nth) => ({
        ...common(roundId, answer.phone),
        ...{ stop_id: answer.stopId, item_id: answer.itemId, rev: rev + nth, result: answer.result, comes_to: answer.result },
        ...{ value: answer.itemId === 'rise' ? answer.value : null, choice: null, note: '', level: null, at_place: 'p1', after },
        ...{
          photos: JSON.stringify(answer.photos),
          content_hash: createHash('sha256').update(JSON.stringify(answer)).digest('hex'),
        },
      }))
      await addAnswers(trx, roundId, answers)
      await countStops(trx, row, new Set(did.answers.map((each) => each.stopId)))
    }
    if (did.does === 'photo') {
      const content = { hash: did.hash, type: 'image/jpeg' as const, size: 1, width: 1, height: 1, wanted_at: at }
      await trx
        .insertInto('photo_content')
        .values(content)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await trx
        .insertInto('photo_use')
        .values({
          ...{
            project_id: projectId,
            kind: 'round',
            owner_id: roundId,
            note: '',
            role: 'other',
            sent_hash: did.hash,
            hash: did.hash,
          },
          ...{ sender_id: null, sender: 'x', sent_at: at, taken_at: null, kept: true },
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await countStops(trx, row, await stopsNaming(trx, roundId, did.hash))
    }
  })
}

test('whatever comes in whatever order, it is counted as all that is held is', async () => {
  const { general } = house.database
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const roundId = await startedRound()
      for (const [nth, did] of steps.entries()) {
        await taken(roundId, 1 + 10 * nth, did)
        const row = await roundById(general, roundId)
        if (!row) throw new Error('the round was started')
        const content = await roundContent(general, row)
        expect(row.progress).toEqual(progressOf(content))
        const named = new Set([...content.current.values()].flatMap((answers) => answers.flatMap((each) => each.photos)))
        expect(new Set(await missingPhotos(general, roundId))).toEqual(
          new Set([...named].filter((hash) => !content.photos.has(hash))),
        )
      }
    }),
    { numRuns: 25 },
  )
})

test('a round that was walked before stops were counted is counted whole by the next that comes', async () => {
  const { general } = house.database
  const roundId = await startedRound()
  const defect = { itemId: 'tight', phone: 0, result: 'defect', value: null, photos: [] } as const
  await taken(roundId, 1, { does: 'answer', answers: [{ ...defect, stopId: 1 }], knows: false })
  await general.deleteFrom('inspection_stop_progress').execute()
  await taken(roundId, 11, { does: 'answer', answers: [{ ...defect, stopId: 2 }], knows: false })
  const row = await roundById(general, roundId)
  expect(row?.progress).toMatchObject({ stops: 3, items: 6, answered: 2, defects: 2 })
})
