import { alarmArea, allCalls, historyArea, ingestArea } from '@linewarden/contract'
import { expect, test } from 'vitest'
import type { Core } from './areas/server-area.ts'
import { serverArea } from './areas/server-area.ts'
import { buildAreas, jobsOf } from './built-areas.ts'
import type { Serve } from './http/context.ts'
import { ReportSources } from './http/report-source.ts'
import { serverAreas } from './server-areas.ts'

/** These areas ask nothing of what stands before them. */
const nothing = { reports: new ReportSources() } as Core
const { history, exportHistory } = historyArea.calls
const never = () => Promise.reject(new Error('nobody calls'))

test('an area is built after those that it needs, and closed before them, in whatever order they are listed', async () => {
  const steps: string[] = []
  const closers: (() => Promise<void>)[] = []
  const first = serverArea(ingestArea, {
    create: () => steps.push('first built'),
    routes: () => {},
    close: async () => void steps.push('first closed'),
  })
  const second = serverArea(historyArea, {
    needs: { first },
    create: (_, needs) => steps.push(`second built on ${needs.first}`),
    routes: () => {},
    close: async () => void steps.push('second closed'),
  })
  const built = await buildAreas([second, first], nothing, (close) => closers.push(close))
  for (const close of closers.toReversed()) await close()
  expect(steps).toEqual(['first built', 'second built on 1', 'second closed', 'first closed'])
  expect(built.of(second)).toBe(2)
})

test.each([
  ['leaves a call of its manifest unanswered', ['history'], 'history does not answer exportHistory'],
  ['answers a call twice', ['history', 'history'], 'history answers history, which is not its own, or a second time'],
  ['answers a call of another area', ['history', 'exportHistory', 'quarantine'], 'history answers quarantine'],
] as const)('a server whose area %s does not start', async (_, answered, why) => {
  const calls = { history, exportHistory, quarantine: ingestArea.calls.quarantine }
  const routes = (serve: Serve) => {
    for (const name of answered) serve<(typeof calls)[typeof name]>(calls[name], never)
  }
  const built = await buildAreas([serverArea(historyArea, { create: () => null, routes })], nothing, () => {})
  expect(() => built.mount(() => {})).toThrow(why)
})

test('an area that names subjects of the audit trail says what they are called', () => {
  // @ts-expect-error nothing is said of an event
  serverArea(alarmArea, { create: () => null, routes: () => {} })
  // @ts-expect-error only an event is one of the alarms' subjects, and a line is said for it
  serverArea(alarmArea, { create: () => null, routes: () => {}, subjects: () => ({ line: { named: () => new Map() } }) })
  expect(serverAreas.alarm.manifest.names?.subjects).toHaveProperty('event')
})

test('the server has every area of the contract, and no two jobs of one name', () => {
  const areas = Object.values(serverAreas)
  expect(areas.flatMap(({ manifest }) => Object.keys(manifest.calls)).toSorted()).toEqual(
    allCalls.map(({ name }) => name).toSorted(),
  )
  const tasks = jobsOf(areas).map(({ task }) => task)
  expect(tasks.toSorted()).toEqual([
    'energy',
    'events.count',
    'partitions',
    'purge.announcements',
    'purge.automation',
    'purge.evidence',
    'purge.pushInbox',
    'purge.quarantine',
    'purge.sessions',
    'purge.warningDetails',
    'retention',
    'rollup',
    'statements.check',
  ])
})
