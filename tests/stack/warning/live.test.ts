import { hourMs, minuteMs } from '@linewarden/equipment'
import { LiveDetectors } from '@linewarden/server/live-detectors'
import { OccurrenceDetectors } from '@linewarden/server/occurrences'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, startStack } from '../../kit/stack.ts'

// Detectors that look at every sample once it is committed. Samples are committed by the test, on a clock of its own.
type PlantLine = NonNullable<ReturnType<Stack['server']['plant']['lineAt']>>

let now = Date.UTC(2026, 10, 24, 4)
let stack: Stack
let client: pg.Client

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now, expects: /early warning/ })
  client = await stack.server.database.connect()
  await stack.fleet.close()
  await stack.server.ingest.drained()
  calm(stack)
  for (const gateway of stack.server.plant.gateways.values()) gateway.link = 'online'
})
afterAll(async () => {
  await client?.end()
  await stack?.close()
})

function lineOf(lineNo: number): PlantLine {
  const line = stack.server.plant.lineAt('A-T1', lineNo)
  if (!line) throw new Error('the small plan has eight lines')
  return line
}

/** Three currents, and three voltages, as the newest values of a line. */
function sees(line: PlantLine, amperes: readonly number[], volts: readonly number[], afterMs = 5_000): void {
  now += afterMs
  line.states.set('position', 'closed')
  for (const [slot, value] of [...amperes, ...volts].entries()) line.values[slot] = value
  line.liveAt = now
  line.clockGood = true
  stack.server.hub.publish({ lines: [line] })
}
const good = [230, 231, 229]
const usual = [20, 21, 19]

const found = async ({ id }: PlantLine) => {
  await stack.server.warning.book.write()
  const { rows } = await client.query<{ key: string; point: string | null; state: string; level: string; raises: number }>(
    'select key, point, state, level, raises from event join warning_evidence using (event_id) where line_id = $1 order by event_id',
    [id],
  )
  return rows.map(({ key, point, state, level, raises }) => `${key} ${point} ${state} ${level} ${raises}`)
}

test('a phase that is lost is found after three seconds, and returns when it has been there for a minute', async () => {
  const line = lineOf(1)
  sees(line, usual, good)
  for (let i = 0; i < 3; i++) sees(line, [20, 0, 19], [230, 12, 229])
  expect(await found(line)).toEqual(['phaseLoss voltage.b active alarm 1'])
  expect(line.alarms.has('phaseLoss@voltage.b')).toBe(true)
  for (let i = 0; i < 14; i++) sees(line, usual, good)
  expect(await found(line)).toEqual(['phaseLoss voltage.b returned alarm 1'])
  expect(line.alarms.has('phaseLoss@voltage.b')).toBe(false)
})

test('a broken neutral is one finding of the line: its triangle was learnt while it was sound', async () => {
  const line = lineOf(2)
  for (let i = 0; i < 10; i++) sees(line, usual, good, minuteMs)
  // The neutral stands 60 V off the middle, towards the first phase.
  const [a, b] = [230 - 60, Math.hypot(230 * 0.5 + 60, 230 * (Math.sqrt(3) / 2))]
  for (let i = 0; i < 4; i++) sees(line, usual, [a, b, b])
  expect(await found(line)).toEqual(['neutral null active alarm 1'])
})

test('an alarm that a finding folds is published as folded: a list that is open shows it no more', async () => {
  const lines = [7, 8].flatMap((lineNo) => stack.server.plant.lineAt('B-T1', lineNo) ?? [])
  for (const line of lines) for (let i = 0; i < 10; i++) sees(line, usual, good, minuteMs)
  const [over] = lines
  if (!over) throw new Error('there are two lines')
  const label = { zh: '过压', en: 'Overvoltage' }
  stack.server.ingest.note({
    ...{ act: 'raise', kind: 'alarm', priority: 'high', key: 'voltage.over', label, point: null, value: 259, limit: 253 },
    ...{ unit: 'V', gateway: over.device.gateway, line: over, at: now, historical: false },
  })
  await stack.server.ingest.drained()
  const published: string[] = []
  const leave = stack.server.hub.subscribe(({ live = [] }) => {
    for (const { message } of live) {
      const shown = typeof message === 'function' ? message({ sees: () => true, seesGateway: () => true }) : message
      if (shown.t === 'event') published.push(`${shown.event.Key} ${shown.event.Suppressed}`)
    }
  })
  const [a, b] = [230 - 60, Math.hypot(230 * 0.5 + 60, 230 * (Math.sqrt(3) / 2))]
  for (let i = 0; i < 4; i++) for (const line of lines) sees(line, usual, [a, b, b], 2_500)
  await stack.server.warning.book.write()
  leave()
  expect(published).toContain('voltage.over incident')
})

test('ten minutes above the limit are an overcurrent, nine are the start of a motor', async () => {
  const line = lineOf(3)
  for (let i = 0; i <= 9; i++) sees(line, [80, 20, 20], good, minuteMs)
  sees(line, usual, good)
  expect(await found(line)).toEqual([])
  for (let i = 0; i <= 10; i++) sees(line, [80, 20, 20], good, minuteMs)
  expect(await found(line)).toEqual(['overcurrent current.a active warning 1'])
})

test('nothing is found on a line under inspection', async () => {
  const line = lineOf(4)
  line.inspectionUntil = now + hourMs
  for (let i = 0; i < 4; i++) sees(line, [20, 0, 19], [230, 12, 229])
  expect(await found(line)).toEqual([])
})

test('a finding that the database refuses keeps back no other', async () => {
  const [refused, other] = [lineOf(8), lineOf(4)]
  other.inspectionUntil = null
  await client.query(`create function refuse() returns trigger language plpgsql as
    $$ begin if new.line_id = ${refused.id} then raise check_violation; end if; return new; end $$`)
  await client.query('create trigger refuse before insert on event for each row execute function refuse()')
  const lost = [230, 229, 12]
  for (let i = 0; i < 3; i++) for (const line of [refused, other]) sees(line, [20, 21, 0], lost)
  const seen = [await found(refused), await found(other)]
  await client.query('drop trigger refuse on event; drop function refuse')
  expect(seen).toEqual([[], ['phaseLoss voltage.c active alarm 1']])
})

test('what was counted before a restart is gone on with, and what is open stays open', async () => {
  const [counting, open] = [lineOf(5), lineOf(6)]
  for (let i = 0; i <= 6; i++) sees(counting, [80, 20, 20], good, minuteMs)
  for (let i = 0; i < 3; i++) sees(open, [20, 0, 19], [230, 12, 229])
  await stack.server.warning.book.write()
  await stack.server.warning.live.write()
  await stack.server.warning.live.close()
  const { database, plant, hub, warning } = stack.server
  const deps = { database, plant, hub, clock: () => now, log: pino({ level: 'silent' }), rules: warning.rules }
  // The same lines as a start reads them: with their alarms and no memory.
  const again = await LiveDetectors.start(deps, warning.book)
  for (let i = 0; i < 4; i++) sees(counting, [80, 20, 20], good, minuteMs)
  sees(open, [20, 0, 19], [230, 12, 229])
  expect(await found(counting)).toEqual(['overcurrent current.a active warning 1'])
  expect(await found(open)).toEqual(['phaseLoss voltage.b active alarm 1'])
  await again.close()
})

test('a gateway that has been away for six hours is found offline, and five minutes after it came back it is no more', async () => {
  const { plant, warning } = stack.server
  const gateway = plant.gatewayByNumber.get('GW-B')
  if (!gateway) throw new Error('the small plan has two gateways')
  const links = async (link: 'online' | 'offline') => {
    gateway.link = link
    gateway.linkSince = now
    await client.query('update gateway set link = $2 where gateway_id = $1', [gateway.id, link])
  }
  const stateOf = async () => {
    // Nobody but the test says how it stands: it has just been heard, or the watch of links would call it silent.
    if (gateway.link === 'online') gateway.lastMessageAt = now
    await warning.occurrences.look()
    await warning.book.write()
    const { rows } = await client.query<{ state: string }>(
      "select state from event where key = 'offline' and gateway_id = $1 and line_id is null and device_id is null",
      [gateway.id],
    )
    return rows.map(({ state }) => state)
  }
  await links('offline')
  now += 5.9 * hourMs
  expect(await stateOf()).toEqual([])
  now += 0.2 * hourMs
  expect(await stateOf()).toEqual(['active'])
  await links('online')
  expect(await stateOf()).toEqual(['active'])
  now += 5 * minuteMs
  expect(await stateOf()).toEqual(['returned'])
})

test('an absence that somebody has explained is found again only when the gateway was lost again', async () => {
  const { plant, warning } = stack.server
  const gateway = plant.gatewayByNumber.get('GW-A')
  if (!gateway) throw new Error('the small plan has two gateways')
  const links = async (link: 'online' | 'offline') => {
    gateway.link = link
    gateway.linkSince = now
    gateway.lastMessageAt = now
    await client.query('update gateway set link = $2 where gateway_id = $1', [gateway.id, link])
    if (link === 'online') return
    await client.query(
      `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, raised_at, stored_at)
       values ('alarm', 'high', 'gateway.offline', '', '', 'normal', $1, $2, $3, $3)`,
      [gateway.project.id, gateway.id, new Date(now)],
    )
  }
  const statesBy = async (detectors: { look(): Promise<void> }) => {
    await detectors.look()
    await warning.book.write()
    const { rows } = await client.query<{ state: string }>(
      "select state from event where key = 'offline' and gateway_id = $1 and device_id is null order by event_id",
      [gateway.id],
    )
    return rows.map(({ state }) => state)
  }
  const states = () => statesBy(warning.occurrences)
  await links('offline')
  // By now it is known to be away.
  await states()
  now += 6.1 * hourMs
  expect(await states()).toEqual(['active'])
  // As `explainWarning` ends a finding; nobody can sign in by the clock of this test.
  await client.query(
    `with over as (update event set state = 'normal', returned_at = $2 where key = 'offline' and gateway_id = $1 returning event_id)
     insert into event_transition (event_id, at, act, from_state, to_state, actor) select event_id, $2, 'return', 'acknowledged', 'normal', 'a' from over`,
    [gateway.id, new Date(now)],
  )
  now += minuteMs
  expect(await states()).toEqual(['normal'])
  // Nor by another server, which remembers nothing of it.
  const deps = { database: stack.server.database, plant, hub: stack.server.hub, clock: () => now, log: pino({ level: 'silent' }) }
  const second = new OccurrenceDetectors({ ...deps, rules: warning.rules }, warning.book)
  now += 24 * 30 * hourMs
  expect(await statesBy(second)).toEqual(['normal'])
  await second.close()
  expect(await states()).toEqual(['normal'])
  now += hourMs
  await links('online')
  expect(await states()).toEqual(['normal'])
  now += hourMs
  await links('offline')
  await states()
  now += 6.1 * hourMs
  expect(await states()).toEqual(['normal', 'active'])
  await links('online')
})

test('a breaker that trips three times in a day is found, and no more a week later', async () => {
  const line = lineOf(7)
  const trip = (at: number) =>
    client.query(
      `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at)
       values ('alarm', 'critical', 'trip.overload', '', '', 'normal', $1, $2, $3, $4, $4)`,
      [line.device.gateway.project.id, line.device.gateway.id, line.id, new Date(at)],
    )
  await trip(now - 5 * hourMs)
  await trip(now - 3 * hourMs)
  await stack.server.warning.occurrences.look()
  expect(await found(line)).toEqual([])
  await trip(now - hourMs)
  await stack.server.warning.occurrences.look()
  expect(await found(line)).toEqual(['trips.often null active warning 1'])
  await stack.server.warning.occurrences.look()
  expect(await found(line)).toEqual(['trips.often null active warning 1'])
  now += 24 * 8 * hourMs
  await stack.server.warning.occurrences.look()
  expect(await found(line)).toEqual(['trips.often null returned warning 1'])
})

test('trips that somebody has explained are found again only with new ones', async () => {
  const line = stack.server.plant.lineAt('B-T1', 1)
  if (!line) throw new Error('the small plan has two gateways')
  const trip = (at: number) =>
    client.query(
      `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at)
       values ('alarm', 'critical', 'trip.overload', '', '', 'normal', $1, $2, $3, $4, $4)`,
      [line.device.gateway.project.id, line.device.gateway.id, line.id, new Date(at)],
    )
  for (const hours of [3, 2, 1]) await trip(now - hours * hourMs)
  await stack.server.warning.occurrences.look()
  expect(await found(line)).toEqual(['trips.often null active warning 1'])
  // As `explainWarning` ends a finding; nobody can sign in by the clock of this test.
  await client.query(
    `with over as (update event set state = 'normal', returned_at = $2 where key = 'trips.often' and line_id = $1 returning event_id)
     insert into event_transition (event_id, at, act, from_state, to_state, actor) select event_id, $2, 'return', 'acknowledged', 'normal', 'a' from over`,
    [line.id, new Date(now)],
  )
  now += minuteMs
  await stack.server.warning.occurrences.look()
  expect(await found(line)).toEqual(['trips.often null normal warning 1'])
  for (const minutes of [3, 2, 1]) await trip(now + (10 - minutes) * minuteMs)
  now += 10 * minuteMs
  await stack.server.warning.occurrences.look()
  expect(await found(line)).toEqual(['trips.often null normal warning 1', 'trips.often null active warning 1'])
})
