import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { every, Loop } from './every.ts'
import { faultsCounted } from './faults.ts'

interface Line {
  readonly msg: string
  readonly alsoSince?: number
}

let lines: Line[] = []
const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const bugs = async () => (await faultsCounted.get()).values.find(({ labels }) => labels.border === 'timer')?.value ?? 0

beforeEach(() => {
  lines = []
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => vi.useRealTimers())

test('a tick that takes longer than the interval is not overtaken by the next', async () => {
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const loop = every(
    100,
    async () => {
      begun += 1
      await gate.promise
    },
    { log },
  )
  vi.advanceTimersByTime(99)
  expect(begun).toBe(0)
  vi.advanceTimersByTime(1_000)
  expect(begun).toBe(1)
  gate.resolve()
  await turn()
  vi.advanceTimersByTime(100)
  expect(begun).toBe(2)
  await loop.close()
})

test('whatever comes when, by the clock or by hand, a loop never overlaps itself', async () => {
  const step = fc.constantFrom('clock', 'hand', 'end', 'fail')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      let running = 0
      let most = 0
      let gate = Promise.withResolvers<void>()
      const work = async () => {
        running += 1
        most = Math.max(most, running)
        gate = Promise.withResolvers<void>()
        await gate.promise.finally(() => {
          running -= 1
        })
      }
      const loop = every(100, work, { log, failed: 'failed' })
      for (const each of steps) {
        if (each === 'clock') vi.advanceTimersByTime(100)
        else if (each === 'hand') void loop.tick()
        else if (running > 0) {
          if (each === 'end') gate.resolve()
          else gate.reject(new Error('away'))
        }
        await turn()
      }
      const closed = loop.close()
      gate.resolve()
      await closed
      expect(running).toBe(0)
      expect(most).toBeLessThanOrEqual(1)
    }),
  )
})

test('a tick by hand joins the one under way', async () => {
  let begun = 0
  const loop = new Loop(
    100,
    async () => {
      begun += 1
      await turn()
    },
    { log },
  )
  await Promise.all([loop.tick(), loop.tick()])
  expect(begun).toBe(1)
  await loop.tick()
  expect(begun).toBe(2)
})

test('closing waits for the tick under way, and none begins by itself after', async () => {
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  let begun = 0
  const work = async () => {
    begun += 1
    await gate.promise
    done.push('tick')
  }
  const loop = every(100, work, { log, spaced: true })
  vi.advanceTimersByTime(100)
  const closed = loop.close().then(() => done.push('closed'))
  gate.resolve()
  await closed
  expect(done).toEqual(['tick', 'closed'])
  vi.advanceTimersByTime(1_000)
  loop.start()
  vi.advanceTimersByTime(1_000)
  expect(begun).toBe(1)
})

test('a foreseen failure is logged once a minute with how many there were, counted as no bug, and ends no loop', async () => {
  const before = await bugs()
  const loop = every(1_000, () => Promise.reject(new Error('away')), { log, failed: 'not stored; tried again' })
  for (let second = 0; second < 61; second += 1) {
    vi.advanceTimersByTime(1_000)
    await turn()
  }
  expect(lines.map(({ msg, alsoSince }) => [msg, alsoSince])).toEqual([
    ['not stored; tried again', undefined],
    ['not stored; tried again', 59],
  ])
  expect(await bugs()).toBe(before)
  await loop.close()
})

test('a failure that nobody foresaw is counted each time, thrown at once or later', async () => {
  const before = await bugs()
  const works = [
    () => {
      throw new TypeError('a bug')
    },
    () => Promise.reject(new RangeError('a later bug')),
  ]
  for (const work of works) {
    const loop = new Loop(100, work, { log })
    await loop.tick()
    await loop.tick()
  }
  expect(await bugs()).toBe(before + 4)
  expect(lines.every(({ msg }) => msg === 'an exception that nobody foresaw')).toBe(true)
})

test('a spaced loop waits a whole interval after a tick, whoever called it', async () => {
  let ticks = 0
  const loop = every(
    100,
    () => {
      ticks += 1
    },
    { log, spaced: true },
  )
  vi.advanceTimersByTime(90)
  await loop.tick()
  vi.advanceTimersByTime(90)
  expect(ticks).toBe(1)
  vi.advanceTimersByTime(10)
  expect(ticks).toBe(2)
  await loop.close()
})
