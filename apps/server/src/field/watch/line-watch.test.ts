import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventDraft } from '../../store/ingest/batch.ts'
import { Batch } from '../../store/ingest/batch.ts'
import { TestIngest } from '../test-ingest.ts'
import { newWatch, takeBack } from './line-watch.ts'

let plant: TestIngest

beforeAll(async () => {
  plant = await TestIngest.start()
  await (await plant.edge()).birth()
})
afterAll(() => plant?.close())

/** A batch with one event of which the database took nothing. */
function refused(key: string, point: string | null): Batch {
  const batch = new Batch(1)
  const event: EventDraft = {
    ...{
      act: 'raise',
      kind: 'alarm',
      priority: 'high',
      key,
      label: { zh: '', en: '' },
      point,
      value: null,
      limit: null,
      unit: '',
    },
    ...{ gateway: plant.line().device.gateway, line: plant.line(), at: plant.now, historical: false },
  }
  batch.events.push(event)
  batch.refused.add(event)
  return batch
}

test('an alarm whose event the database refused may be raised anew, and every other stands as it stood', () => {
  const watch = newWatch(plant.line())
  const states = watch.stateAlarms.map(({ alarm, standing }) => ({ key: alarm.key, point: null, standing }))
  const limits = watch.limits.flatMap(({ alarm: { key }, point }, index) => {
    const standing = watch.standings[index]
    return standing ? [{ key, point, standing }] : []
  })
  for (const [key, point] of [
    ['trip.short', null],
    ['current.alarm', 'current.b'],
  ] as const) {
    for (const { standing } of [...states, ...limits]) standing.since = 1
    takeBack(watch, refused(key, point))
    const anew = [...states, ...limits].filter(({ standing }) => standing.since === 0)
    expect(anew.map((each) => [each.key, each.point])).toEqual([[key, point]])
  }
})
