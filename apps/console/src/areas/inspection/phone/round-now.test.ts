import type { InspectionItem, RoundPackage } from '@linewarden/contract'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../../app/offline/entry.ts'
import type { RoundBody } from './round-now.ts'
import { answerId, arrivalId, codeIn, lacks, nextStop, resultOfValue, roundNow, thingOf } from './round-now.ts'

const text = { zh: '试验按钮应跳闸', en: 'Test button trips' }
const item: InspectionItem = {
  ...{ ItemID: 'trip', Text: text, Kind: 'yesNo', Min: null, Max: null, Unit: '', Choices: [], Source: text },
  ...{ EveryDays: null, Own: false },
}
const roundId = '11111111-1111-4111-8111-111111111111'
const stop = (StopID: number) => ({
  ...{ StopID, Kind: 'device' as const, DeviceID: 1, ControllerID: `A${StopID}`, Place: null, Name: `站${StopID}` },
  ...{ GatewayName: '柜', Model: 'M', List: 'breaker1p', Arrived: null },
})
const given = { Result: 'ok', Value: null, Choice: null, Note: '', Level: null, Photos: [] as string[] } as const
const sent = (Rev: number, more: object = {}) => ({
  ...{ StopID: 1, ItemID: 'trip', Rev, ...given, Photos: [], PhoneTime: 1, ServerTime: 1, ClockOffsetMs: 0, Person: '李强' },
  ...{ AnswerID: String(Rev), PhoneID: 'p', Counts: true, Flagged: false, MissingPhotos: [], HazardID: null, OrderID: null },
  ...more,
})
const pack = (answers: object[] = []): RoundPackage =>
  ({
    Round: { RoundID: roundId, PhotoOn: 'defect' },
    Stops: [stop(1), stop(2)],
    Checklists: [{ List: 'breaker1p', Name: text, Items: [item] }],
    Answers: answers,
  }) as unknown as RoundPackage
const entry = (id: string, rev: number, body: RoundBody, more: Partial<Entry> = {}): Entry => ({
  ...{ id, rev, seq: 1, thing: thingOf(roundId), kind: 'answer', rank: 0, body, madeAt: 0 },
  ...{ state: 'waiting', tries: 0, notBefore: 0, why: null },
  ...more,
})
const answered = (rev: number, Result: 'ok' | 'defect', more: Partial<Entry> = {}, After: string[] = []) =>
  entry(
    answerId(roundId, 1, 'trip'),
    rev,
    { Does: 'answer', Answer: { StopID: 1, ItemID: 'trip', ...given, Photos: [], Result, After, PhoneTime: 2 } },
    more,
  )

describe('a round on the phone', () => {
  test('knows its own arrivals and answers without the server', () => {
    const arrival = { Does: 'arrive', Arrival: { StopID: 1, How: 'qr', PhoneTime: 5 } } as const
    const [one, two] = roundNow(pack(), [entry(arrivalId(roundId, 1), 1, arrival), answered(1, 'ok')])
    expect(one).toMatchObject({ lacking: 0, arrived: { How: 'qr' } })
    expect(two).toMatchObject({ lacking: 2, arrived: null })
  })

  test('takes the newer answer, its own at the same revision', () => {
    const of = (server: number, phone: number) => roundNow(pack([sent(server)]), [answered(phone, 'defect')])[0]?.items[0]
    // What the server does not have yet stands here, and what another phone said beside it.
    expect(of(3, 2)).toMatchObject({ answer: { Result: 'defect' }, rev: 3, state: 'waiting', others: [{ Rev: 3 }] })
    expect(of(2, 2)).toMatchObject({ answer: { Result: 'defect' }, rev: 2, state: 'waiting' })
    expect(of(2, 3)).toMatchObject({ answer: { Result: 'defect' }, rev: 3, state: 'waiting' })
  })

  test('tells what another phone said, until it is answered by somebody who knew of it', () => {
    const reported = [sent(1, { AnswerID: '7', Result: 'defect', Counts: true }), sent(2, { AnswerID: '8', Counts: false })]
    const now = (...own: Entry[]) => roundNow(pack(reported), own)[0]?.items[0]
    expect(now()).toMatchObject({ rev: 2, known: ['7', '8'], answer: { AnswerID: '7' }, others: [{ AnswerID: '8' }] })
    expect(now(answered(3, 'ok'))?.others).toMatchObject([{ AnswerID: '7' }])
    expect(now(answered(3, 'ok', {}, ['7', '8']))?.others).toEqual([])
  })

  test('goes on with the next stop that lacks something, round again from the end', () => {
    const stops = roundNow(pack(), [])
    expect(nextStop(stops, 1)?.stop.StopID).toBe(2)
    expect(nextStop(stops, 2)?.stop.StopID).toBe(1)
  })
})

describe('an answer lacks', () => {
  const of = (Kind: InspectionItem['Kind']): InspectionItem => ({ ...item, Kind })
  test.each([
    ['itself', 'yesNo', null, 'answer'],
    ['nothing when it is in order', 'yesNo', given, null],
    ['nothing when it does not apply', 'number', { ...given, Result: 'none' }, null],
    ['a reason when it could not be checked', 'yesNo', { ...given, Result: 'impossible' }, 'reason'],
    ['nothing more once there is one', 'yesNo', { ...given, Result: 'impossible', Note: '运行中' }, null],
    ['the photo of a defect', 'yesNo', { ...given, Result: 'defect' }, 'photo'],
    ['the figure', 'number', given, 'value'],
    ['the choice', 'choice', given, 'value'],
    ['its photo', 'photo', given, 'photo'],
  ] as const)('%s', (_, kind, answer, lacking) => {
    expect(lacks(of(kind), answer && { ...answer, Photos: [] }, 'defect')).toBe(lacking)
  })

  test('no photo where the plan asks for none, and one of every item where it asks for all', () => {
    expect(lacks(item, { ...given, Photos: [], Result: 'defect' }, 'never')).toBeNull()
    expect(lacks(item, { ...given, Photos: [] }, 'always')).toBe('photo')
    expect(lacks(item, { ...given, Photos: ['a'] }, 'always')).toBeNull()
  })
})

test.each([
  [15, 'ok'],
  [30, 'ok'],
  [14.9, 'defect'],
  [30.1, 'defect'],
])('a figure of %f in 15 to 30 is %s', (value, result) => expect(resultOfValue({ Min: 15, Max: 30 }, value)).toBe(result))

test('the code of a label is read out of its address and as it is typed, and out of nothing else', () => {
  const code = '0123456789ABCDEFGHJKMNPQRS'
  expect(codeIn(`https://plant.example/hazard/patrol?Code=${code}`)).toBe(code)
  expect(codeIn(` ${code.toLowerCase().replaceAll(/(.{6})/g, '$1 ')}`)).toBe(code)
  expect(codeIn('https://example.com/')).toBeNull()
  expect(codeIn(code.slice(1))).toBeNull()
})
