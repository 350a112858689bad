import type { LineState } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { LiveStore } from './live-store.ts'

const state = (LineID: number, value: number): LineState => ({
  LineID,
  At: 1,
  ReceivedAt: 1,
  Quality: 'good',
  Values: [value],
  States: {},
  PositionAt: null,
  PositionSince: null,
  Active: [],
  Tags: 0,
  Pending: null,
})

function storeWithFrames() {
  const frames: (() => void)[] = []
  const pauses: (() => void)[] = []
  const store = new LiveStore(
    (run) => frames.push(run),
    (run) => pauses.push(run),
  )
  const draw = () => {
    for (const run of frames.splice(0)) run()
  }
  const afterPause = () => {
    for (const run of pauses.splice(0)) run()
  }
  return { store, draw, frames, afterPause }
}

test('many messages of one frame are told once, with the newest value', () => {
  const { store, draw, frames } = storeWithFrames()
  let notified = 0
  store.subscribeLine(1, () => {
    notified += 1
  })
  store.apply([
    { t: 'line', state: state(1, 10) },
    { t: 'line', state: state(1, 11) },
  ])
  store.apply([{ t: 'line', state: state(1, 12) }])
  expect(frames).toHaveLength(1)
  draw()
  expect(notified).toBe(1)
  expect(store.line(1)?.Values).toEqual([12])
})

test('a line that did not move is not told', () => {
  const { store, draw } = storeWithFrames()
  let notified = 0
  store.subscribeLine(2, () => {
    notified += 1
  })
  store.apply([{ t: 'line', state: state(1, 10) }])
  draw()
  expect(notified).toBe(0)
})

test('whoever has gone is not told', () => {
  const { store, draw } = storeWithFrames()
  let notified = 0
  const leave = store.subscribeLine(1, () => {
    notified += 1
  })
  leave()
  store.apply([{ t: 'line', state: state(1, 10) }])
  draw()
  expect(notified).toBe(0)
})

test('a gateway that went offline is known at once', () => {
  const { store } = storeWithFrames()
  store.apply([{ t: 'gateway', link: { DeviceID: 3, Link: 'offline', Since: 5, Reason: 'death' } }])
  expect(store.link(3)?.Link).toBe('offline')
})

test('a snapshot does not undo what was published live after it was asked for', () => {
  const { store } = storeWithFrames()
  const asked = store.mark()
  store.apply([
    { t: 'line', state: state(1, 11) },
    { t: 'gateway', link: { DeviceID: 3, Link: 'offline', Since: 5, Reason: 'death' } },
  ])
  store.load([state(1, 10), state(2, 20)], asked)
  store.loadLinks([{ DeviceID: 3, Link: 'online', Since: 1, Reason: null }], asked)
  expect(store.line(1)?.Values).toEqual([11])
  expect(store.line(2)?.Values).toEqual([20])
  expect(store.link(3)?.Link).toBe('offline')
})

test('a snapshot that was asked for later replaces what was published live before', () => {
  const { store } = storeWithFrames()
  store.apply([{ t: 'line', state: state(1, 11) }])
  store.load([state(1, 12)], store.mark())
  expect(store.line(1)?.Values).toEqual([12])
})

test('it is known when a line was last received live, and not by a snapshot', () => {
  const { store } = storeWithFrames()
  store.load([state(1, 12)], store.mark())
  expect(store.receivedAt(1)).toBe(0)
  const before = Date.now()
  store.apply([{ t: 'line', state: state(1, 11) }])
  expect(store.receivedAt(1)).toBeGreaterThanOrEqual(before)
  store.clear()
  expect(store.receivedAt(1)).toBe(0)
})

test('nothing of one account is left for the next', () => {
  const { store, draw } = storeWithFrames()
  let notified = 0
  store.subscribe(() => {
    notified += 1
  })
  store.apply([{ t: 'line', state: state(1, 11) }])
  store.clear()
  draw()
  expect(store.line(1)).toBeUndefined()
  expect(notified).toBe(1)
})

test('whoever looks at all lines is told after a pause, once, and of everything', () => {
  const { store, draw, afterPause } = storeWithFrames()
  let notified = 0
  store.subscribe(() => {
    notified += 1
  })
  for (const value of [1, 2, 3]) {
    store.apply([{ t: 'line', state: state(1, value) }])
    draw()
  }
  expect(notified).toBe(1)
  afterPause()
  expect(notified).toBe(2)
  afterPause()
  expect(notified).toBe(2)
})

test('a gateway that went offline does not wait for the pause', () => {
  const { store, draw } = storeWithFrames()
  const notified: string[] = []
  store.subscribe(() => notified.push('all'))
  store.subscribeLinks(() => notified.push('links'))
  store.apply([{ t: 'line', state: state(1, 1) }])
  draw()
  store.apply([{ t: 'gateway', link: { DeviceID: 3, Link: 'offline', Since: 5, Reason: 'death' } }])
  draw()
  expect(notified).toEqual(['all', 'links', 'all'])
})
