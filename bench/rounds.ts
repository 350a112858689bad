import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Request, startRound } from '@linewarden/contract'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { loadPlant } from '@linewarden/server/plant'
import type pg from 'pg'
import { pino } from 'pino'
import type { Actor } from '../apps/server/src/access/actor.ts'
import { createInspection } from '../apps/server/src/areas/inspection/service.ts'
import { Runner } from '../apps/server/src/jobs/runner.ts'
import { thousandQuestions } from './calibrate.ts'
import { report } from './report.ts'
import { roundOfPhone } from './rounds-phone.ts'

const targets = { onlineS: 60, packageMb: 2, lost: 0, duplicates: 0 }
const linesOfGateway = 20
const packageStops = 300

/**
 * How long an online round of so many lines takes from the press to its stored end; what a phone takes along of a round of 300 stops with all
 * their items, values and labels; and what comes of a round that a phone sends over a link that drops. The calibrator is a thousand empty
 * questions. `--part server` and `--part phone`: one of the two.
 */
export async function rounds({ lines = 10_000, stops = 300, photos = 900 }: Record<string, number>, part = ''): Promise<void> {
  const server = part === 'phone' ? null : await walkAndPackage(lines)
  const phone = part === 'server' ? null : await roundOfPhone(stops, photos)
  report('rounds', {
    ...server,
    phone,
    targets,
    verdict:
      (!server ||
        (server.state === 'finished' &&
          server.done === lines &&
          server.onlineS <= targets.onlineS &&
          server.packageMb <= targets.packageMb)) &&
      (!phone || (phone.state === 'finished' && phone.lost === targets.lost && phone.duplicates === targets.duplicates)),
  })
}

async function walkAndPackage(lines: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'lw-bench-'))
  const config = readConfig({ LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_DATA: dataDir, LINEWARDEN_LOG: 'warn' })
  const log = pino({ level: 'warn' })
  const server = await compose(config, { log, clock: Date.now, env: {} })
  const { database, ingest } = server
  const client = await database.connect()
  try {
    await plantOf(client, lines)
    const { rows } = await client.query<{ account_id: string }>("select account_id from account where kind = 'platform'")
    const everything = actorOf(rows[0]?.account_id ?? '')
    const plant = await loadPlant(database)
    const now = Date.now()
    for (const line of plant.lines.values()) {
      for (const { slot } of line.device.family.points) line.values[slot] = 20 + slot / 3
      line.liveAt = line.liveReceivedAt = now
    }
    const thousandQuestionsMs = await thousandQuestions(client)
    const runner = new Runner({ database, log })
    const inspection = createInspection({
      ...{ database, plant, hub: server.hub, ingest, runner, log, clock: Date.now, actorNow: async () => null },
      ...{ photos: server.photos, orders: { insert: () => Promise.reject(new Error('none here')) } },
    })
    const [project] = plant.projects.values()
    if (!project) throw new Error('the bench has a project')
    const start = (Without: NonNullable<Request<typeof startRound>['body']['Without']>) =>
      inspection.start(everything, project, { HouseID: project.id, RoundID: randomUUID(), Without })
    const gateways = [...plant.gateways.values()].map(({ id }) => ({ DeviceID: id }))
    const began = performance.now()
    const online = await start({ ...asks, Name: 'online', Kind: 'online', Stops: gateways })
    await runner.settled()
    const onlineS = (performance.now() - began) / 1_000
    const { Round } = await inspection.rounds.get(everything, online.RoundID)
    const Stops = [...plant.devices.values()].slice(0, packageStops).map(({ controllerId }) => ({ ControllerID: controllerId }))
    await inspection.codes.labels(everything, project, { HouseID: project.id, Of: Stops })
    const onSite = await start({ ...asks, Name: 'on site', Kind: 'onSite', Stops })
    const asked = performance.now()
    const packed = Buffer.from(JSON.stringify(await inspection.package(everything, onSite.RoundID)))
    const packageMs = Math.round(performance.now() - asked)
    await inspection.close()
    await runner.close()
    const packageMb = packed.length / 1_000_000
    return {
      ...{ lines: Round.Lines, done: Round.Done, state: Round.State, onlineS: Number(onlineS.toFixed(2)) },
      ...{ packageStops: Stops.length, packageMb: Number(packageMb.toFixed(2)), packageMs, thousandQuestionsMs },
    }
  } finally {
    await client.end()
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const asks = { LeftOut: [], OwnItems: [], Signature: 'none', PhotoOn: 'never' } satisfies Partial<
  NonNullable<Request<typeof startRound>['body']['Without']>
>

/** Whoever runs the installation. */
const actorOf = (accountId: string): Actor => ({
  ...{ accountId, sessionId: '', provedAt: null, userName: 'bench', nickName: '', kind: 'platform', tenant: null },
  ...{ platform: true, administrator: true, privileges: [], buttons: [], shared: false, hasControlPassword: false },
  ...{ mustEnrol: false, mustChangePassword: false, key: null, address: '' },
  ...{ sees: () => true, seesPart: () => true, seesGateway: () => true },
  scope: { all: true, projectIds: [], gatewayIds: [], tenant: null, administrator: true, accountId: null },
})

/** One project of gateways with a three-phase breaker each, set and closed. */
async function plantOf(client: pg.Client, lines: number): Promise<void> {
  await client.query(
    `with p as (insert into project (city_id, name, time_zone, standard)
         select city_id, 'bench', 'Asia/Shanghai', 'GB' from city order by city_id limit 1 returning project_id),
       g as (insert into gateway (project_id, number, name, secret_hash)
         select project_id, 'B' || n, 'B' || n, 'x' from p, generate_series(1, $1::int) n returning gateway_id, number),
       d as (insert into device (gateway_id, controller_id, name, family, model)
         select gateway_id, 'D' || number, 'Breaker ' || number, 'breaker3p', '3PN' from g returning device_id),
       l as (insert into line (device_id, line_no, name, rated_current_a)
         select device_id, n, 'line ' || n, 63 from d, generate_series(1, $2::int) n returning line_id)
     insert into line_setting (line_id, key, reported, reported_at)
       select line_id, key, value, now() from l, (values ('leakage.trip', 300), ('overvoltage', 266), ('undervoltage', 175),
         ('overload.trip', 69), ('temperature.alarm', 80)) as set_to (key, value)`,
    [Math.ceil(lines / linesOfGateway), linesOfGateway],
  )
  await client.query(
    `insert into line_state (line_id, states, changed_at) select line_id, '{"position": "closed"}', now() from line`,
  )
  await client.query('vacuum analyze')
}
