import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { photoHashOf, sendPhoto } from '@linewarden/client'
import type { WorkOrder } from '@linewarden/contract'
import { getOrderPhoto, getWorkOrder, insertWorkOrder, sendOrderPhoto, verifyJournal } from '@linewarden/contract'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { ownDatabase } from '@linewarden/server/test-database'
import { jpegPhoto } from '@linewarden/server/test-photos'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { sessionOf, signedIn, startStack } from '../../kit/stack.ts'

// As docs/operations.md says, "Back up and restore": what was in the installation is in the one that is made of its backup.
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewarden-restored-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const photo = jpegPhoto({ bytes: 200_000 })
const Hash = photoHashOf(photo)

interface Kept {
  readonly admin: { readonly userName: string; readonly password: string }
  readonly order: WorkOrder
  readonly entries: number
}

/** An installation with an order and its photo, that runs while `copied` is called and is stopped then. */
async function lived(dataDir: string, env: Readonly<Record<string, string>>, copied: () => void): Promise<Kept> {
  const stack = await startStack({ plan: smallPlan, dataDir, env })
  try {
    const kept = await made(stack)
    copied()
    return kept
  } finally {
    await stack.close()
  }
}

async function made({ client, server, admin, url }: Stack): Promise<Kept> {
  const { userId: PersonInCharge } = await sessionOf(url, admin)
  const HouseID = [...server.plant.projects.keys()][0] ?? 0
  const { Order: order } = await client.call(insertWorkOrder, {
    body: {
      ...{ HouseID, ActID: crypto.randomUUID(), Type: 'repair', Title: '', Description: '端子发热', PersonInCharge },
      ...{ Priority: 'medium', ValidDays: 7, ReminderDays: 1, WorkingDaysOnly: false },
    },
  })
  const params = { OrderID: order.OrderID, Hash }
  await sendPhoto(photo, (piece) => client.call(sendOrderPhoto, { params, body: { Role: 'before', ...piece } }))
  return { admin, order, entries: (await client.call(verifyJournal, {})).Entries }
}

/** The installation that was made of the backup starts, and shows what was there. */
async function isThere({ admin, order, entries }: Kept, env: Readonly<Record<string, string>>): Promise<void> {
  const config = readConfig({ LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_LOG: 'error', ...env })
  const server = await compose(config, { log: pino({ level: 'error' }, process.stderr), clock: Date.now, env: {} })
  try {
    const client = await signedIn(server.url, admin)
    const params = { OrderID: order.OrderID }
    expect((await client.call(getWorkOrder, { params })).Photos).toMatchObject([{ Hash, Role: 'before' }])
    const { bytes } = await client.call(getOrderPhoto, { params: { ...params, Hash } })
    expect(Buffer.from(bytes).equals(photo)).toBe(true)
    const journal = await client.call(verifyJournal, {})
    expect(journal.FirstBroken).toBeNull()
    expect(journal.Entries).toBeGreaterThanOrEqual(entries)
  } finally {
    await server.close()
  }
}

test('a stopped installation is its data folder: copied elsewhere it starts with everything', async () => {
  const [from, to] = [join(folder, 'data'), join(folder, 'elsewhere')]
  const kept = await lived(from, {}, () => {})
  expect(spawnSync('cp', ['-a', from, to]).status).toBe(0)
  await rm(from, { recursive: true })
  await isThere(kept, { LINEWARDEN_DATA: to })
})

const programs = '/usr/lib/postgresql/15/bin'

/** Only programs as new as the server can dump it: those are there where the house is on PostgreSQL 15, in the long run. */
async function hasPrograms(settings: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(settings)
  await client.connect()
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  await client.end()
  return existsSync(join(programs, 'pg_dump')) && Number(rows[0]?.server_version_num) < 160_000
}

test('a dump of the running database, the secrets and the photos make the installation anew', async ({ skip }) => {
  const [own, anew] = [await ownDatabase(), await ownDatabase('template0')]
  try {
    if (!(await hasPrograms(own.settings))) skip('there is no pg_dump as new as this PostgreSQL')
    const [from, to, dump] = [join(folder, 'data'), join(folder, 'elsewhere'), join(folder, 'linewarden.dump')]
    const run = (program: string, ...options: string[]) => {
      const { host = '', user = '' } = own.settings
      const { status, stderr } = spawnSync(join(programs, program), ['-h', host, '-U', user, ...options], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    }
    const kept = await lived(from, { DATABASE_URL: own.url }, () => {
      run('pg_dump', '-Fc', '-f', dump, own.settings.database ?? '')
      for (const part of ['secrets', 'photos']) cpSync(join(from, part), join(to, part), { recursive: true })
    })
    run('pg_restore', '--no-comments', '-d', anew.settings.database ?? '', dump)
    await isThere(kept, { LINEWARDEN_DATA: to, DATABASE_URL: anew.url })
  } finally {
    await own.drop()
    await anew.drop()
  }
})
