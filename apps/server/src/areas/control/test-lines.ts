import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import type { Database } from '../../store/core/database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { Gate } from './gate.ts'
import { InterlockCheck } from './interlock-check.ts'

interface TestLines {
  readonly database: Database
  readonly plant: Plant
  /** Somebody who may do everything. */
  readonly actor: Actor
  /** Line 1..4 of the breaker of the first project, or of the second; each reported a residual operating current of 300 mA. */
  line(lineNo: number, project?: 1 | 2): PlantLine
  /** The one gate. What it lets through is kept in `left` and does not leave; whoever is asked for a grant or a confirmation gives it. */
  gate(parts: { left: StoredCommand[]; clock: () => number; reach?: 'yes' | 'not_connected' }): Gate
  /** A transaction of somebody else's, in the midst of it, until it is released. */
  lock(query: string): Promise<(how?: 'rollback' | 'commit') => Promise<void>>
  /** Resolves when so many wait for a lock. */
  waiting(count: number): Promise<void>
  drop(): Promise<void>
}

/** Two projects with a breaker of four lines each, in a database of their own. */
export async function testLines(): Promise<TestLines> {
  const { database, drop } = await testDatabase()
  const client = await database.connect()
  await client.query(`
    insert into project (city_id, name, time_zone) select (select city_id from city limit 1), 'p' || n, 'UTC' from generate_series(1, 2) n;
    insert into gateway (project_id, number, name, secret_hash) select project_id, 'g' || name, 'g', '' from project;
    insert into device (gateway_id, controller_id, name, family, model) select gateway_id, 'd' || number, 'd', 'breaker3p', '' from gateway;
    insert into line (device_id, line_no, name) select device_id, n, 'l' from device, generate_series(1, 4) n;
    insert into line_setting (line_id, key, reported, reported_at) select line_id, 'leakage.trip', 300, now() from line;
    insert into account (user_name, kind, password_hash) values ('admin', 'platform', '');
    insert into session (account_id, token, created_at, last_used_at, address) select account_id, '', now(), now(), '' from account`)
  const { rows } = await client.query('select account_id, session_id from account join session using (account_id)')
  await client.end()
  const plant = await loadPlant(database)
  return {
    database,
    plant,
    actor: actorOf(rows[0].account_id, rows[0].session_id),
    line(lineNo, project = 1) {
      const line = plant.lineAt(`dgp${project}`, lineNo)
      if (!line) throw new Error(`there is no line ${lineNo}`)
      return line
    },
    gate({ left, clock, reach = 'yes' }) {
      return new Gate({
        database,
        grants: { take: async () => true },
        execution: {
          async begin(command) {
            left.push(command)
            return command
          },
        },
        interlocks: new InterlockCheck({ database, ingest: { reach: () => reach }, quietUntil: () => null, clock }),
        impacts: { refuseUnlessConfirmed: async () => {} },
        clock,
      })
    },
    async lock(query) {
      const somebody = await database.connect()
      await somebody.query(`begin; ${query}`)
      return async (how = 'rollback') => {
        await somebody.query(how)
        await somebody.end()
      }
    },
    waiting: (count) =>
      vi.waitFor(async () => {
        const locks = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        expect((await locks.execute(database.general)).rows).toHaveLength(count)
      }),
    drop,
  }
}

const actorOf = (accountId: string, sessionId: string): Actor => ({
  accountId,
  sessionId,
  provedAt: null,
  userName: 'admin',
  nickName: '',
  kind: 'platform',
  tenant: null,
  platform: true,
  administrator: true,
  privileges: [],
  buttons: ['lineSwitch'],
  shared: false,
  hasControlPassword: false,
  mustEnrol: false,
  mustChangePassword: false,
  key: null,
  address: '',
  sees: () => true,
  seesPart: () => true,
  seesGateway: () => true,
  scope: { all: true, projectIds: [], gatewayIds: [], tenant: null, administrator: true, accountId },
})
