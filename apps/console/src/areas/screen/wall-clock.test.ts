import { beforeEach, expect, test, vi } from 'vitest'
import { wallClock, wallTime } from './wall-clock.ts'

beforeEach(() => vi.stubGlobal('localStorage', { getItem: () => 'EN' }))

test('the clock is that of the project, whatever the machine’s is', () => {
  const at = Date.UTC(2026, 10, 20, 2, 46, 18)
  expect(wallClock(at, 'Asia/Shanghai')).toEqual({ time: '10:46:18', day: '2026-11-20 Fri · UTC+8' })
  expect(wallClock(at, 'America/New_York').time).toBe('21:46:18')
  expect(wallClock(at, 'America/New_York').day).toContain('2026-11-19 Thu')
})

test('an hour that comes twice in autumn is shown as it is', () => {
  const first = Date.UTC(2026, 9, 25, 0, 30)
  expect([first, first + 3_600_000].map((at) => wallClock(at, 'Europe/Berlin').day.slice(-5))).toEqual(['UTC+2', 'UTC+1'])
})

test('what was today has its second, what was before its day', () => {
  const now = Date.UTC(2026, 10, 20, 2, 46)
  expect(wallTime(now - 60_000, 'Asia/Shanghai', now)).toBe('10:45:00')
  expect(wallTime(now - 86_400_000, 'Asia/Shanghai', now)).toBe('11-19 10:46')
})
