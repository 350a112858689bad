import { expect, test } from 'vitest'
import { linkTurns, pageOfCall } from './link-turns.ts'

const pages = ['/bigScreen', '/bigScreen/home/1', '/bigScreen/home/2', '/bigScreen/detail/A%201']
const event = (HouseID: number, ControllerID: string | null = null) => ({ HouseID, ControllerID })
const abnormal = (events: readonly ReturnType<typeof event>[]) =>
  linkTurns(pages, events).flatMap(({ key, isAbnormal }) => (isAbnormal ? [key] : []))

test('a page is abnormal where it shows an open event: the overview any, a diagram its project’s, a device its own', () => {
  expect(abnormal([])).toEqual([])
  expect(abnormal([event(2)])).toEqual(['/bigScreen', '/bigScreen/home/2'])
  expect(abnormal([event(1, 'A 1')])).toEqual(['/bigScreen', '/bigScreen/home/1', '/bigScreen/detail/A%201'])
})

test('an event that calls is shown on its diagram, and on the overview where the link has no page of it', () => {
  expect([event(2), event(9)].map((each) => pageOfCall(pages, each))).toEqual(['/bigScreen/home/2', '/bigScreen'])
  expect(pageOfCall(['/bigScreen/home/1'], event(3))).toBe('/bigScreen')
})
