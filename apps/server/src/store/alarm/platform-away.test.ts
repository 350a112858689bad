import { expect, test } from 'vitest'
import { projectsWithIncidents } from './incident-end.ts'
import { notePlatformAway } from './platform-away.ts'
import {
  after,
  announced,
  come,
  goes,
  line,
  lookAtAll,
  made,
  now,
  offline,
  onLine,
  placeOf,
  rows,
  secondMs,
  shown,
  stale,
  start,
  stateOf,
  useFoldingPlant,
} from './test-folding.ts'

useFoldingPlant()

test('what does not come back with the platform is one incident of it, until all is noticed and two minutes more', async () => {
  await rows("update gateway set link = 'online'")
  await notePlatformAway(made.database, { since: start - 600 * secondMs, backAt: start })
  await come(onLine(line(4), 'temperature.alarm'))
  // Nothing is silent yet: nobody is shown anything.
  expect(await shown()).toEqual({ 'G4-1/1 temperature.alarm': [] })
  after(31)
  const { stored } = await come(offline(1), offline(2), offline(3), stale(1))
  expect(stored.map(({ isNew, row }) => [row.key, isNew, row.folded])).toEqual([
    ...[1, 2, 3].map(() => ['gateway.offline', false, true]),
    ['device.stale', false, true],
  ])
  const gone = ['G1 gateway.offline', 'G2 gateway.offline', 'G3 gateway.offline']
  expect(await shown()).toEqual({ 'G4-1/1 temperature.alarm': [], 'project platform.away': gone })
  expect(await announced()).toEqual(['G4-1/1 temperature.alarm', 'project platform.away'])
  after(50)
  await goes(offline(2))
  after(100)
  await lookAtAll()
  expect(await stateOf('platform.away')).toEqual(['returned'])
  after(209)
  expect(await lookAtAll()).toEqual([])
  after(210)
  const alone = await lookAtAll()
  expect(alone.map(({ row, why }) => [placeOf(row), row.key, why]).toSorted()).toEqual([
    ['G1', 'gateway.offline', 'alone'],
    ['G3', 'gateway.offline', 'alone'],
  ])
  // What comes later is nobody's but its own.
  await come(offline(5))
  expect(Object.keys(await shown())).toContain('G5 gateway.offline')
})

const calls = async () =>
  (await rows("select why from announcement join event using (event_id) where key = 'platform.away'")).map(({ why }) => why)

test('away again while its root waits for somebody, the platform calls again if it last did ten minutes ago', async () => {
  await rows("update gateway set link = 'online'")
  await notePlatformAway(made.database, { since: start, backAt: start })
  after(31)
  await come(offline(1))
  after(100)
  await lookAtAll()
  expect([await stateOf('platform.away'), await calls()]).toEqual([['returned'], ['raise']])
  // Gone again within a minute: the same people look at the same row.
  after(110)
  await notePlatformAway(made.database, { since: start + 105 * secondMs, backAt: now })
  expect([await stateOf('platform.away'), await calls()]).toEqual([['active'], ['raise']])
  after(210)
  await lookAtAll()
  expect(await stateOf('platform.away')).toEqual(['returned'])
  after(110 + 600)
  await notePlatformAway(made.database, { since: now - 5 * secondMs, backAt: now })
  expect([await stateOf('platform.away'), await calls()]).toEqual([['active'], ['raise', 'raise']])
})

test('away again when all had come back, the platform calls with the first that is silent', async () => {
  await rows("update gateway set link = 'online'")
  await notePlatformAway(made.database, { since: start, backAt: start })
  after(31)
  await come(offline(1))
  after(100)
  await lookAtAll()
  await goes(offline(1))
  after(700)
  await notePlatformAway(made.database, { since: now - 5 * secondMs, backAt: now })
  expect([await stateOf('platform.away'), await calls()]).toEqual([['returned'], ['raise']])
  after(700 + 35)
  await come(offline(2))
  expect([await stateOf('platform.away'), await calls()]).toEqual([['active'], ['raise', 'raise']])
  expect(await shown()).toMatchObject({ 'project platform.away': expect.arrayContaining(['G2 gateway.offline']) })
})

test('a platform that is away once more goes on with its incident, and one without silence leaves nothing', async () => {
  await rows("update gateway set link = 'online'")
  await notePlatformAway(made.database, { since: null, backAt: start })
  after(31)
  await come(offline(1))
  after(100)
  await lookAtAll()
  expect(await stateOf('platform.away')).toEqual(['returned'])
  after(110)
  await notePlatformAway(made.database, { since: start + 105 * secondMs, backAt: now })
  expect(await stateOf('platform.away')).toEqual(['active'])
  after(145)
  await come(offline(2))
  expect(await shown()).toEqual({ 'project platform.away': ['G1 gateway.offline', 'G2 gateway.offline'] })
  expect(await rows("select from incident where kind = 'platform'")).toHaveLength(1)
  await rows("delete from event; delete from incident; update gateway set link = 'online'")
  await notePlatformAway(made.database, { since: null, backAt: now })
  expect(await projectsWithIncidents(made.database, now, true)).toEqual([])
  after(145 + 661)
  await lookAtAll()
  await rows("update gateway set link = 'never'")
  await notePlatformAway(made.database, { since: null, backAt: now })
  expect(await rows("select from incident where kind = 'platform' and closed_at is null")).toEqual([])
})

test('many projects are noted in portions: one that somebody holds up leaves the others alone, and is noted when it is asked for again', async () => {
  await rows(`
    insert into project (city_id, name, time_zone) select min(city_id), 'Q' || n, 'UTC' from city, generate_series(1, 600) n group by n order by n`)
  await rows(`
    insert into gateway (project_id, number, name, secret_hash, reporting_period_ms, link)
      select project_id, name, '', '', 10000, 'online' from project where name like 'Q%'`)
  const away = { since: null, backAt: now }
  const other = await made.database.connect()
  await other.query(
    `begin; select takes from project, pg_advisory_xact_lock(hashtext('incident'), project_id % 500) takes where name = 'Q300'`,
  )
  const { projectIds, failed } = await notePlatformAway(made.database, away)
  await other.query('rollback')
  await other.end()
  expect(failed).toMatchObject({ code: '55P03' })
  const [q300] = await rows<{ project_id: number }>("select project_id from project where name = 'Q300'")
  expect(projectIds).toContain(q300?.project_id)
  const unnoted = async () =>
    (
      await rows<{ project_id: number }>(`
        select project_id from gateway where link = 'online' and not exists (select from incident where incident.project_id = gateway.project_id)
        group by project_id order by project_id`)
    ).map(({ project_id }) => project_id)
  expect(await unnoted()).toEqual(projectIds)
  expect(projectIds.length).toBeLessThan(300)
  expect(await notePlatformAway(made.database, away, projectIds)).toEqual({ projectIds: [], failed: null })
  expect(await unnoted()).toEqual([])
  await rows("delete from incident; delete from gateway where number like 'Q%'; delete from project where name like 'Q%'")
})
