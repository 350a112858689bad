import type { addGateway, Request } from '@linewarden/contract'
import { aboutNothing, maxGateways, Refusal } from '@linewarden/contract'
import { isImei } from '@linewarden/rules/site'
import type { Actor } from '../../access/actor.ts'
import { tenantOf } from '../../access/owner.ts'
import { by } from '../../audit/audited.ts'
import { treeChanged } from '../../plant/live-topics.ts'
import type { PlantGateway, PlantProject } from '../../plant/plant.ts'
import { newGateway } from '../../plant/plant.ts'
import * as stored from '../../store/site/gateway.ts'
import { hashSecret, makeSecret } from '../../store/site/gateway-secret.ts'
import type { SiteDeps } from './deps.ts'
import type { GatewayRecords } from './gateway-records.ts'
import { readRows } from './gateway-rows.ts'

type Rows = Parameters<typeof readRows>[0]
type NewGateway = Omit<stored.NewGateway, 'secretHash'> & { readonly secret: string }

const defaultReportingMs = 10_000

/** Gateways that are added: one by one, or many at once from a table. Each gets a secret that is answered this once. */
export class GatewayAdding {
  readonly #deps: SiteDeps
  readonly #records: GatewayRecords

  constructor(deps: SiteDeps, records: GatewayRecords) {
    this.#deps = deps
    this.#records = records
  }

  async proposeNumbers(count: number): Promise<{ Numbers: string[] }> {
    return { Numbers: await stored.freeNumbers(this.#deps.database, count) }
  }

  async add(actor: Actor, project: PlantProject, body: Request<typeof addGateway>['body']) {
    const { takenLimit } = this.#deps
    if (!isImei(body.IMEI)) throw new Refusal('IMEI wrong')
    const secret = makeSecret()
    const { Number: number, IMEI: imei, AddMethod: addMethod, Platform: platform, DeviceType: deviceType } = body
    const row = { number, name: body.Name.trim(), imei, addMethod, platform, deviceType, remark: body.Remark ?? '', secret }
    const [gateway] = await takenLimit(actor, async (foreign) => {
      try {
        return await this.#insert(actor, project, [row])
      } catch (error) {
        if (error instanceof Refusal && error.key === 'device exists' && !this.#isOwn(actor, number)) foreign(1)
        throw error
      }
    })
    if (!gateway) throw new Refusal('failed')
    return { Gateway: await this.#records.one(gateway), Secret: secret }
  }

  /** All rows or none; each bad cell is named. */
  async addMany(actor: Actor, project: PlantProject, { Rows, DryRun }: { Rows: Rows; DryRun: boolean }) {
    const { rows, problems } = await this.#validated(actor, project, Rows)
    if (DryRun || problems.length > 0) return { Added: 0, Problems: problems, Gateways: [] }
    const withSecret = rows.map((row) => ({ ...row, addMethod: 'batch' as const, secret: makeSecret() }))
    const made = await this.#insert(actor, project, withSecret).catch((error: unknown) => {
      if (error instanceof Refusal && error.key === 'device exists') return error
      throw error
    })
    if (made instanceof Refusal) {
      // Somebody took a number or an IMEI just now: which, another look at the rows says, unless it was let go again.
      const { problems: now } = await this.#validated(actor, project, Rows)
      if (now.length === 0) throw made
      return { Added: 0, Problems: now, Gateways: [] }
    }
    const Gateways = made.map(({ id, number }, index) => ({
      DeviceID: id,
      Number: number,
      Secret: withSecret[index]?.secret ?? '',
    }))
    return { Added: made.length, Problems: [], Gateways }
  }

  async #validated(actor: Actor, project: PlantProject, rows: Rows) {
    const { database, plant, takenLimit } = this.#deps
    const taken = await takenLimit(actor, async (foreign) => {
      const numbers = rows.map((row) => row.Number.trim())
      const imeis = rows.map((row) => row.IMEI.trim())
      const found = await stored.takenOf(database, numbers, imeis)
      foreign(numbers.filter((each, index) => !this.#isOwn(actor, each) && isTaken(found, each, imeis[index])).length)
      return found
    })
    const present = [...plant.gateways.values()].filter((gateway) => gateway.project === project).length
    return readRows(rows, taken, maxGateways - present)
  }

  async #insert(actor: Actor, project: PlantProject, rows: readonly NewGateway[]): Promise<PlantGateway[]> {
    const { clock, database, hub, ingest, plant } = this.#deps
    const audit = { ...by(actor, clock(), 'gateway.add', project.ownerId), subject: aboutNothing }
    const hashed = rows.map(({ secret, ...row }) => ({ ...row, secretHash: hashSecret(secret) }))
    const added = await stored.insertGateways(
      database,
      { projectId: project.id, owner: tenantOf(actor) },
      hashed,
      maxGateways,
      audit,
    )
    if (added.kind === 'taken') throw new Refusal('device exists', { number: added.number })
    if (added.kind !== 'added')
      throw added.kind === 'full' ? new Refusal('too many gateways', { most: maxGateways }) : new Refusal('project not exists')
    const made = rows.map(({ number, name }, index) =>
      newGateway({ id: added.gatewayIds[index] ?? 0, project, number, name, reportingPeriodMs: defaultReportingMs }),
    )
    for (const gateway of made) {
      plant.addGateway(gateway)
      ingest.attempts.forget(gateway.number)
    }
    hub.publish({ live: [treeChanged(project.id)] })
    return made
  }

  #isOwn(actor: Actor, number: string): boolean {
    const { plant } = this.#deps
    const gateway = plant.gatewayByNumber.get(number)
    return gateway !== undefined && actor.seesGateway(gateway)
  }
}

const isTaken = ({ numbers, imeis }: Awaited<ReturnType<typeof stored.takenOf>>, number: string, imei = ''): boolean =>
  numbers.has(number) || imeis.has(imei)
