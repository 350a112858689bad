import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlantLine } from '../../plant/plant.ts'
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
  const states = watch.stateAlarms.map(({ alarm, evaluationState }) => ({ key: alarm.key, point: null, evaluationState }))
  const limits = watch.limits.flatMap(({ alarm: { key }, point }, index) => {
    const evaluationState = watch.evaluationStates[index]
    return evaluationState ? [{ key, point, evaluationState }] : []
  })
  for (const [key, point] of [
    ['trip.short', null],
    ['current.alarm', 'current.b'],
  ] as const) {
    for (const { evaluationState } of [...states, ...limits]) evaluationState.since = 1
    takeBack(watch, refused(key, point))
    const anew = [...states, ...limits].filter(({ evaluationState }) => evaluationState.since === 0)
    expect(anew.map((each) => [each.key, each.point])).toEqual([[key, point]])
  }
})

test('a setting that the database refused is as committed again; what it took, and what is of another line, is not', () => {
  const line = plant.line()
  const committed = line.reported.get('leakage.trip')
  const left = (of: PlantLine, isRefused: boolean): number | undefined => {
    const watch = newWatch(line)
    watch.reported.set('leakage.trip', 77)
    const batch = new Batch(1)
    const setting = { line: of, key: 'leakage.trip', value: 77, at: plant.now }
    batch.settings.push(setting)
    if (isRefused) batch.refused.add(setting)
    takeBack(watch, batch)
    return watch.reported.get('leakage.trip')
  }
  expect(committed).not.toBe(77)
  expect([left(line, true), left(line, false), left({ ...line }, true)]).toEqual([committed, 77, 77])
})
