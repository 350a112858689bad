import type { RoundPackage } from '@linewarden/contract'
import { beforeAll, expect, test } from 'vitest'
import type { Entry } from '../../../app/offline/entry.ts'
import { stubBrowser } from '../../../dev/test-browser.ts'
import { answerId, thingOf } from './round-now.ts'

beforeAll(stubBrowser)

const roundId = '11111111-1111-4111-8111-111111111111'
const entry = (itemId: string, rev: number, state: Entry['state'], thing = thingOf(roundId)): Entry => ({
  ...{ id: answerId(roundId, 1, itemId), rev, seq: 1, thing, kind: 'answer', rank: 0, body: null, madeAt: 0 },
  ...{ state, tries: 0, notBefore: 0, why: null },
})

test('what the server has named leaves the phone once the server tells it itself, and not before', async () => {
  const { stillNeeded } = await import('./packages.ts')
  const pack = {
    Round: { RoundID: roundId },
    Stops: [],
    Answers: [{ StopID: 1, ItemID: 'told', Rev: 2 }],
  } as unknown as RoundPackage
  const entries = [
    entry('told', 2, 'held'),
    entry('untold', 1, 'held'),
    entry('waiting', 1, 'waiting'),
    entry('newer', 3, 'held'),
    entry('told', 1, 'refused'),
    { ...entry('told', 1, 'held', 'round:other'), id: 'other' },
  ]
  expect(stillNeeded(entries, pack)).toEqual(entries.slice(1))
})
