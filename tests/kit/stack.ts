import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client, Session } from '@linewarden/client'
import { createClient, md5Hex } from '@linewarden/client'
import { login } from '@linewarden/contract'
import type { Server } from '@linewarden/server/compose'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { ownDatabase } from '@linewarden/server/test-database'
import type { Fleet, FleetOptions, ProjectPlan } from '@linewarden/simulator'
import { demoPlan, startFleet } from '@linewarden/simulator'
import { pino } from 'pino'
import { fieldDoor } from '../../scripts/demo/field-door.ts'
import { seedPlan } from '../../scripts/demo/seed.ts'
import { byContract } from './by-contract.ts'
import { peopleChosePasswords } from './chosen-passwords.ts'

export interface StackOptions {
  /** What stands in the field; default: the demo's fleet. */
  readonly plan?: readonly ProjectPlan[]
  readonly clock?: () => number
  /**
   * Kept when given, with the embedded database in it; else a folder of its own, removed at the end, beside a database of the run's PostgreSQL
   * where there is one: a bench has the embedded one.
   */
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
  readonly fleet?: Partial<FleetOptions>
  /** Who got a password from somebody else has not chosen another yet. */
  readonly givenPasswords?: true
  /** Errors that the tests bring about: they are not printed. */
  readonly expects?: RegExp
}

export interface Stack {
  readonly url: string
  readonly server: Server
  readonly fleet: Fleet
  readonly admin: Account
  /** The typed caller signed in as the first administrator. */
  readonly client: Client
  close(): Promise<void>
}

/** The whole house on free ports: server, database, broker and a simulated fleet that has been born. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'linewarden-stack-')))
  const own = options.dataDir === undefined && process.env.TEST_POSTGRES ? await ownDatabase() : null
  const config = readConfig({
    LINEWARDEN_PORT: '0',
    LINEWARDEN_MQTT_PORT: '0',
    LINEWARDEN_DATA: dataDir,
    LINEWARDEN_LOG: 'error',
    ...(own && { DATABASE_URL: own.url }),
    ...options.env,
  })
  const server = await compose(config, {
    log: pino({ level: config.logLevel }, { write: (line: string) => options.expects?.test(line) || process.stderr.write(line) }),
    clock: options.clock ?? Date.now,
    ...(options.clock && { dueClock: options.clock }),
    env: options.env ?? {},
  })
  if (!options.givenPasswords) await peopleChosePasswords(server)
  const gateways = await seedPlan(server, options.plan ?? demoPlan())
  const fleet = startFleet(gateways, {
    ...fieldDoor(server),
    firmwareKeys: server.firmwareKeys.map(({ key }) => key),
    // What is called the first line in a test is the same each time.
    inTurn: true,
    ...options.fleet,
  })
  await fleet.ready
  const admin = server.accounts.firstPassword
  if (!admin) throw new Error('startStack needs a folder nobody has started in: the first password is shown only once')
  return {
    url: server.url,
    server,
    fleet,
    admin,
    client: await signedIn(server.url, admin, options.clock),
    async close() {
      await fleet.close()
      await server.close()
      await own?.drop()
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * For tests that move time on in one step: nobody takes a gateway for silent because of it. Holds until its next birth, which tells its
 * reporting period anew.
 */
export function calm({ server }: Stack): void {
  for (const gateway of server.plant.gateways.values()) gateway.reportingPeriodMs = 600_000
}

interface Account {
  readonly userName: string
  readonly password: string
}

/** A session of its own. `now`: its clock, where time is moved on. */
export async function sessionOf(baseUrl: string, account: Account, now: () => number = Date.now): Promise<Session> {
  const open = createClient({ baseUrl, session: () => null, now })
  const body = { UserName: account.userName, Password: md5Hex(account.password) }
  const { UserID, Token } = await open.call(login, { body })
  return { userId: UserID, token: Token }
}

/** A typed caller with a session of its own. */
export async function signedIn(baseUrl: string, account: Account, now: () => number = Date.now): Promise<Client> {
  const session = await sessionOf(baseUrl, account, now)
  return byContract(createClient({ baseUrl, session: () => session, now }))
}
