import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@linewarden/client'
import { createClient, md5Hex } from '@linewarden/client'
import { login } from '@linewarden/contract'
import type { Server } from '@linewarden/server/compose'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import type { Fleet, FleetOptions, ProjectPlan } from '@linewarden/simulator'
import { demoPlan, startFleet } from '@linewarden/simulator'
import { pino } from 'pino'
import { seedPlan } from './seed.ts'

export interface StackOptions {
  /** What stands in the field; default: the demo's fleet. */
  readonly plan?: readonly ProjectPlan[]
  readonly clock?: () => number
  /** Kept when given; else a folder of its own, removed at the end. */
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
  readonly fleet?: Partial<FleetOptions>
  /** Errors that the tests bring about: they are not printed. */
  readonly expects?: RegExp
}

export interface Stack {
  readonly url: string
  readonly server: Server
  readonly fleet: Fleet
  readonly admin: { readonly userName: string; readonly password: string }
  /** The typed caller signed in as the first administrator. */
  readonly client: Client
  close(): Promise<void>
}

/** The whole house on free ports: server, embedded database, broker and a simulated fleet that has been born. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'linewarden-stack-')))
  const config = readConfig({
    LINEWARDEN_PORT: '0',
    LINEWARDEN_MQTT_PORT: '0',
    LINEWARDEN_DATA: dataDir,
    LINEWARDEN_LOG: 'error',
    ...options.env,
  })
  const server = await compose(config, {
    log: pino({ level: config.logLevel }, { write: (line: string) => options.expects?.test(line) || process.stderr.write(line) }),
    clock: options.clock ?? Date.now,
    env: {},
  })
  const gateways = await seedPlan(server, options.plan ?? demoPlan())
  const fleet = startFleet(gateways, {
    url: `mqtt://127.0.0.1:${server.mqttPort}`,
    firmwareKeys: server.firmwareKeys.map(({ key }) => key),
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
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A typed caller with a session of its own. `now`: its clock, where time is moved on. */
export async function signedIn(
  baseUrl: string,
  { userName, password }: { userName: string; password: string },
  now: () => number = Date.now,
): Promise<Client> {
  let session: { userId: string; token: string } | null = null
  const client = createClient({ baseUrl, session: () => session, now })
  const reply = await client.call(login, { body: { UserName: userName, Password: md5Hex(password) } })
  session = { userId: reply.UserID, token: reply.Token }
  return client
}
