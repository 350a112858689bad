import type { GatewayRecord, List, listGateways, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { gatewayInterlocks } from '../../field/orders/interlocks.ts'
import { containsText } from '../../lib/contains-text.ts'
import type { Keys } from '../../lib/in-order.ts'
import { inOrder } from '../../lib/in-order.ts'
import type { Plant, PlantGateway, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import * as stored from '../../store/site/gateway.ts'
import type { SiteDeps } from './deps.ts'

type Filter = Request<typeof listGateways>['body']

/** Gateways as people read them. */
export class GatewayRecords {
  readonly #database: Database
  readonly #plant: Plant

  constructor({ database, plant }: Pick<SiteDeps, 'database' | 'plant'>) {
    this.#database = database
    this.#plant = plant
  }

  async one(gateway: PlantGateway): Promise<GatewayRecord> {
    const [record] = await this.of([gateway])
    if (!record) throw new Refusal('gateway not exists')
    return record
  }

  async of(gateways: readonly PlantGateway[]): Promise<GatewayRecord[]> {
    const rows = await stored.gatewaysById(
      this.#database,
      gateways.map(({ id }) => id),
    )
    return gateways.flatMap((gateway) => {
      const row = rows.get(gateway.id)
      return row ? [record(gateway, row)] : []
    })
  }

  async list(actor: Actor, project: PlantProject | null, filter: Filter): Promise<List<GatewayRecord>> {
    const found = [...this.#plant.gateways.values()]
      .filter((gateway) => actor.seesGateway(gateway) && (project === null || gateway.project === project))
      .filter(({ name, number }) => containsText(name, filter.GatewayName) && containsText(number, filter.Number))
      .filter(({ link }) => filter.Link === undefined || link === filter.Link)
      .filter(({ disabled }) => filter.Enabled === undefined || disabled !== filter.Enabled)
      .sort(byProjectAndNumber)
    const { Page = 1, Size = 10 } = filter
    const ordered = inOrder(found, filter.Sort, order)
    return { items: await this.of(ordered.slice((Page - 1) * Size, Page * Size)), total: found.length }
  }
}

const record = (gateway: PlantGateway, row: stored.StoredGateway): GatewayRecord => ({
  DeviceID: gateway.id,
  Number: gateway.number,
  Name: gateway.name,
  GatewayName: gateway.name,
  IMEI: row.imei,
  AddMethod: row.addMethod,
  Platform: row.platform,
  DeviceType: row.deviceType,
  Remark: row.remark,
  HouseID: gateway.project.id,
  HouseName: gateway.project.name,
  Enabled: !gateway.disabled,
  Link: gateway.link,
  Since: gateway.linkSince,
  Signal: gateway.signal && { Dbm: gateway.signal.dbm, At: gateway.signal.at },
  DeviceCount: gateway.devices.size,
  LineCount: linesOf(gateway),
  Tags: gatewayInterlocks(gateway).tags.length,
  Shared: row.shared,
  AddedAt: row.addedAt.getTime(),
  Version: row.version,
})

/** How well a gateway is reached, best first. */
export const linkOrder = { online: 0, stale: 1, offline: 2, never: 3 } as const

const order = {
  GatewayName: ({ name }) => name,
  Number: ({ number }) => number,
  HouseName: ({ project }) => project.name,
  Link: ({ link }) => linkOrder[link],
  Enabled: ({ disabled }) => (disabled ? 0 : 1),
  DeviceCount: ({ devices }) => devices.size,
  LineCount: linesOf,
} satisfies Keys<PlantGateway, string>

function linesOf({ devices }: PlantGateway): number {
  return [...devices.values()].reduce((sum, { lines }) => sum + lines.size - (lines.has(0) ? 1 : 0), 0)
}

export const byProjectAndNumber = (a: PlantGateway, b: PlantGateway): number =>
  a.project.id - b.project.id || (a.number < b.number ? -1 : 1)
