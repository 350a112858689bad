import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@linewarden/client'
import { dayMs, hourMs } from '@linewarden/equipment'
import type { Server } from '@linewarden/server/compose'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import pg from 'pg'
import { pino } from 'pino'
import { peopleChosePasswords } from '../chosen-passwords.ts'
import { signedIn } from '../stack.ts'
import type { KillPoint } from './killed-server.ts'
import { KilledServer } from './killed-server.ts'

/** Nothing that is asked again takes longer, but what is refused. */
const maxAskedMs = 120_000

export interface Person {
  readonly userName: string
  readonly password: string
}

/** A server that is killed, who runs it, and its database. */
export interface KilledHouse {
  readonly server: KilledServer
  readonly password: Person
  readonly settings: pg.ClientConfig
}

export interface OwnDatabase {
  readonly url: string
  readonly settings: pg.ClientConfig
}

/** A server in a process of its own with a project, and what else is to be there before it starts. Its clock says noon in Shanghai. */
export async function startKilledHouse(
  { url, settings }: OwnDatabase,
  dataDir: string,
  furnish: (server: Server, projectId: number) => Promise<void>,
): Promise<KilledHouse & { readonly projectId: number }> {
  const env = {
    ...{ LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_LOG: 'fatal' },
    ...{ LINEWARDEN_DATA: dataDir, DATABASE_URL: url },
  }
  const seeding = await compose(readConfig(env), { log: pino({ level: 'silent' }), clock: Date.now, env: {} })
  await peopleChosePasswords(seeding)
  const password = seeding.accounts.firstPassword
  if (!password) throw new Error('the first start has a password')
  const cityId = await seeding.site.findOrCreateGroup('测试')
  const projectId = await seeding.site.findOrCreateProject({ cityId, name: '项目', timeZone: 'Asia/Shanghai', standard: 'GB' })
  await furnish(seeding, projectId)
  await seeding.close()
  // Noon: no day ends meanwhile.
  const noon = Math.ceil((Date.now() - 4 * hourMs) / dayMs) * dayMs + 4 * hourMs
  const server = new KilledServer(env, noon - Date.now())
  await server.start()
  return { server, password, settings, projectId }
}

/** Does something while something is killed at a point; `isDone`: what was done stands. */
export type Killed = (point: KillPoint, work: () => Promise<unknown>, isDone: () => Promise<boolean>) => Promise<void>

/** Points at the first so many statements of a connection on which one has matched. */
export const pointsOf =
  (random: () => number) =>
  (matches: string, most: number): KillPoint => ({ matches, nth: 1 + Math.floor(random() * most), after: random() < 0.5 })

/** Over a connection of its own, until the database answers: it may be what was killed. */
export async function rowsOf<Row>(
  { settings }: Pick<KilledHouse, 'settings'>,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  for (;;) {
    const client = new pg.Client({ ...settings, connectionTimeoutMillis: 10_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(sql, [...values])).rows
    } catch (error) {
      // What PostgreSQL answers is no outage.
      if (error instanceof pg.DatabaseError && !error.code?.startsWith('57')) throw error
      await wait(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** Asks again until somebody answers: whoever presses has a page that does. */
export async function asked<Reply>(
  { server, password }: KilledHouse,
  what: (client: Client) => Promise<Reply>,
  who: Person = password,
): Promise<Reply> {
  for (const from = performance.now(); ; )
    try {
      return await what(await signedIn(server.at.url, who, server.now))
    } catch (error) {
      if (performance.now() > from + maxAskedMs) throw error
      await wait(50)
    }
}
