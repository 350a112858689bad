import type {
  addGateway,
  announcedGateways,
  GatewayRecord,
  List,
  listGateways,
  Reply,
  Request,
  renameGateway,
  renameLine,
} from '@linewarden/contract'
import { aboutNothing, maxGateways, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { isImei } from '@linewarden/rules/site'
import type { Actor } from '../../access/actor.ts'
import { tenantOf } from '../../access/owner.ts'
import { by, tenantOfGateway } from '../../audit/audited.ts'
import { gatewayHolds } from '../../field/orders/interlocks.ts'
import type { Keys } from '../../lib/in-order.ts'
import { inOrder } from '../../lib/in-order.ts'
import { linkChanged, treeChanged } from '../../plant/live-topics.ts'
import type { PlantGateway, PlantProject } from '../../plant/plant.ts'
import { unheardGateway } from '../../plant/plant.ts'
import { aboutGateway, aboutLine } from '../../store/audit/subject.ts'
import type { Holder } from '../../store/control/tag.ts'
import * as stored from '../../store/site/gateway.ts'
import { hashSecret, makeSecret } from '../../store/site/gateway-secret.ts'
import { asideText } from './aside-texts.ts'
import type { SiteDeps } from './deps.ts'
import { readRows } from './gateway-rows.ts'

type Filter = Request<typeof listGateways>['body']
type Rows = Parameters<typeof readRows>[0]

const defaultReportingMs = 10_000

/** Gateways: added, named, moved, switched off and taken out. */
export function createGateways({ database, plant, hub, ingest, rightsChanged, takenLimit, clock }: SiteDeps) {
  return {
    recordsOf,

    /** Why it was turned away the last time, unless it was let in since. */
    refusalOf(gateway: PlantGateway) {
      const last = ingest.attempts.refusalOf(gateway)
      return last && { Reason: last.reason, At: last.at, Address: last.address }
    },

    /** What stands behind it and was not recognised. */
    refusedDevices: (gateway: PlantGateway) =>
      ingest.refusedDevices(gateway).map(({ controllerId, reason, detail, since, messages }) => ({
        ID: controllerId,
        Reason: reason,
        Detail: detail,
        Since: since,
        Messages: messages,
      })),

    /** What it says that cannot be taken, and what to do about it. Its devices that were not recognised are told by themselves. */
    setAside: (gateway: PlantGateway) =>
      ingest.asidesOf(gateway).flatMap(({ reason, detail, lastAt, messages }) => {
        const text = asideText(reason)
        return text ? [{ Reason: reason, Text: text, Detail: detail, LastAt: lastAt, Messages: messages }] : []
      }),

    /** Numbers that try to connect and that nobody has added. */
    announced(): Reply<typeof announcedGateways> {
      const items = ingest.attempts.unknownGateways().map((each) => ({
        Number: each.number,
        FirstAt: each.firstAt,
        LastAt: each.lastAt,
        Tries: each.tries,
        Address: each.address,
        Mqtt5: ingest.attempts.speaksMqtt5(each.number),
      }))
      return { items, total: items.length }
    },

    async dismiss(actor: Actor, number: string): Promise<null> {
      const audit = { ...by(actor, clock(), 'gateway.dismiss', actor.tenant), subject: aboutNothing, target: number }
      if (!(await ingest.attempts.dismiss(number, audit))) throw new Refusal('gateway not exists')
      return null
    },

    async add(actor: Actor, project: PlantProject, body: Request<typeof addGateway>['body']) {
      if (!isImei(body.IMEI)) throw new Refusal('IMEI wrong')
      const secret = makeSecret()
      const { Number: number, IMEI: imei, AddMethod: addMethod, Platform: platform, DeviceType: deviceType } = body
      const row = { number, name: body.Name.trim(), imei, addMethod, platform, deviceType, remark: body.Remark ?? '', secret }
      const [gateway] = await takenLimit(actor, async (foreign) => {
        try {
          return await insert(actor, project, [row])
        } catch (error) {
          if (error instanceof Refusal && error.key === 'device exists' && !isOwn(actor, number)) foreign(1)
          throw error
        }
      })
      if (!gateway) throw new Refusal('failed')
      return { Gateway: await recordOf(gateway), Secret: secret }
    },

    /** All rows or none; each bad cell is named. */
    async addMany(actor: Actor, project: PlantProject, { Rows, DryRun }: { Rows: Rows; DryRun: boolean }) {
      const { rows, problems } = await validated(actor, project, Rows)
      if (DryRun || problems.length > 0) return { Added: 0, Problems: problems, Gateways: [] }
      const withSecret = rows.map((row) => ({ ...row, addMethod: 'batch' as const, secret: makeSecret() }))
      const made = await insert(actor, project, withSecret).catch((error: unknown) => {
        if (error instanceof Refusal && error.key === 'device exists') return error
        throw error
      })
      if (made instanceof Refusal) {
        // Somebody took a number or an IMEI just now: which, another look at the rows says, unless it was let go again.
        const { problems: now } = await validated(actor, project, Rows)
        if (now.length === 0) throw made
        return { Added: 0, Problems: now, Gateways: [] }
      }
      const Gateways = made.map(({ id, number }, index) => ({
        DeviceID: id,
        Number: number,
        Secret: withSecret[index]?.secret ?? '',
      }))
      return { Added: made.length, Problems: [], Gateways }
    },

    proposeNumbers: async (count: number) => ({ Numbers: await stored.freeNumbers(database, count) }),

    async rename(actor: Actor, gateway: PlantGateway, { Name, Remark, Version }: Request<typeof renameGateway>['body']) {
      const name = Name.trim()
      const audit = { ...by(actor, clock(), 'gateway.rename', tenantOfGateway(gateway)), subject: aboutGateway(gateway) }
      const change = { gatewayId: gateway.id, version: Version, name, remark: Remark }
      if (!(await stored.renameGateway(database, change, audit))) throw new Refusal('changed meanwhile')
      gateway.name = name
      hub.publish({ live: [treeChanged(gateway.project.id)] })
      return recordOf(gateway)
    },

    async renameLine(
      actor: Actor,
      gateway: PlantGateway,
      lineId: number,
      { LineName, Was }: Request<typeof renameLine>['body'],
    ): Promise<null> {
      const line = plant.lines.get(lineId)
      if (line?.device.gateway !== gateway) throw new Refusal('line not exists')
      const name = LineName.trim()
      const audit = {
        ...by(actor, clock(), 'line.rename', tenantOfGateway(gateway)),
        subject: aboutLine(line),
      }
      const outcome = await stored.renameLine(database, { lineId, gatewayId: gateway.id, name, was: Was }, audit)
      if (outcome === 'gone') throw new Refusal('line not exists')
      // The answer to an earlier COMMIT may have been lost: then everybody still reads the name from before, and none could ever be given.
      line.name = outcome === 'done' ? name : outcome.changed
      hub.publish({ live: [treeChanged(gateway.project.id)], lines: [line] })
      if (outcome !== 'done') throw new Refusal('changed meanwhile')
      return null
    },

    async enable(actor: Actor, gateway: PlantGateway, enabled: boolean): Promise<GatewayRecord> {
      const action = enabled ? 'gateway.enable' : 'gateway.disable'
      const audit = { ...by(actor, clock(), action, tenantOfGateway(gateway)), subject: aboutGateway(gateway) }
      if (!(await stored.setGateway(database, gateway.id, { disabled: !enabled }, audit))) throw new Refusal('gateway not exists')
      gateway.disabled = !enabled
      if (!enabled) ingest.disconnect(gateway.number)
      hub.publish({ gateways: [gateway], live: [linkChanged(gateway), treeChanged(gateway.project.id)] })
      return recordOf(gateway)
    },

    async rotateSecret(actor: Actor, gateway: PlantGateway): Promise<{ Secret: string }> {
      const secret = makeSecret()
      const audit = { ...by(actor, clock(), 'gateway.secret', tenantOfGateway(gateway)), subject: aboutGateway(gateway) }
      if (!(await stored.setGateway(database, gateway.id, { secret_hash: hashSecret(secret) }, audit)))
        throw new Refusal('gateway not exists')
      ingest.disconnect(gateway.number)
      return { Secret: secret }
    },

    async remove(actor: Actor, gateway: PlantGateway): Promise<null> {
      const audit = { ...by(actor, clock(), 'gateway.delete', tenantOfGateway(gateway)), subject: aboutGateway(gateway) }
      const removed = await stored.removeGateway(database, gateway.id, audit)
      if (removed.is === 'busy') throw new Refusal('command under way', { gateway: gateway.name })
      if (removed.is === 'tagged')
        throw new Refusal('gateway tagged', { gateway: gateway.name, holders: holdersText(removed.holders) })
      ingest.disconnect(gateway.number)
      plant.removeGateway(gateway)
      hub.publish({ live: [treeChanged(gateway.project.id)] })
      return null
    },

    async transfer(actor: Actor, gateways: readonly PlantGateway[], project: PlantProject): Promise<null> {
      if (gateways.some((gateway) => gateway.project.ownerId !== project.ownerId) && !actor.platform)
        throw new Refusal('user not admin')
      const audit = { ...by(actor, clock(), 'gateway.transfer', project.ownerId), subject: aboutNothing }
      const to = { gatewayIds: gateways.map(({ id }) => id), projectId: project.id, most: maxGateways, owner: tenantOf(actor) }
      const outcome = await stored.moveGateways(database, to, audit)
      if (outcome === 'shared') throw new Refusal('Shared equipment')
      if (outcome === 'full') throw new Refusal('too many gateways', { most: maxGateways })
      if (outcome === 'gone') throw new Refusal('gateway not exists')
      const left = gateways.map((gateway) => gateway.project)
      for (const gateway of gateways) gateway.project = project
      // An event that was being stored meanwhile stands in the project that the gateway has left, where its new owner would never see it.
      await ingest.underCommit()
      await stored.bringEvents(database, to.gatewayIds, project.id)
      hub.publish({ live: [...new Set([...left, project].map(({ id }) => id))].map(treeChanged) })
      rightsChanged({ tenants: [...new Set([...left, project].map(({ ownerId }) => ownerId))] })
      return null
    },

    async list(actor: Actor, project: PlantProject | null, filter: Filter): Promise<List<GatewayRecord>> {
      const holds = (text: string, part = '') => text.toLowerCase().includes(part.trim().toLowerCase())
      const found = [...plant.gateways.values()]
        .filter((gateway) => actor.seesGateway(gateway) && (project === null || gateway.project === project))
        .filter(({ name, number }) => holds(name, filter.GatewayName) && holds(number, filter.Number))
        .filter(({ link }) => filter.Link === undefined || link === filter.Link)
        .filter(({ disabled }) => filter.Enabled === undefined || disabled !== filter.Enabled)
        .sort(byProjectAndNumber)
      const { Page = 1, Size = 10 } = filter
      const ordered = inOrder(found, filter.Sort, order)
      return { items: await recordsOf(ordered.slice((Page - 1) * Size, Page * Size)), total: found.length }
    },
  }

  function isOwn(actor: Actor, number: string): boolean {
    const gateway = plant.gatewayByNumber.get(number)
    return gateway !== undefined && actor.seesGateway(gateway)
  }

  async function validated(actor: Actor, project: PlantProject, rows: Rows) {
    const taken = await takenLimit(actor, async (foreign) => {
      const numbers = rows.map((row) => row.Number.trim())
      const imeis = rows.map((row) => row.IMEI.trim())
      const found = await stored.takenOf(database, numbers, imeis)
      foreign(numbers.filter((each, index) => !isOwn(actor, each) && isTaken(found, each, imeis[index])).length)
      return found
    })
    const held = [...plant.gateways.values()].filter((gateway) => gateway.project === project).length
    return readRows(rows, taken, maxGateways - held)
  }

  type Row = Omit<stored.NewGateway, 'secretHash'> & { readonly secret: string }

  async function insert(actor: Actor, project: PlantProject, rows: readonly Row[]): Promise<PlantGateway[]> {
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
      unheardGateway({ id: added.gatewayIds[index] ?? 0, project, number, name, reportingPeriodMs: defaultReportingMs }),
    )
    for (const gateway of made) {
      plant.addGateway(gateway)
      ingest.attempts.forget(gateway.number)
    }
    hub.publish({ live: [treeChanged(project.id)] })
    return made
  }

  async function recordOf(gateway: PlantGateway): Promise<GatewayRecord> {
    const [record] = await recordsOf([gateway])
    if (!record) throw new Refusal('gateway not exists')
    return record
  }

  async function recordsOf(gateways: readonly PlantGateway[]): Promise<GatewayRecord[]> {
    const rows = await stored.gatewaysById(
      database,
      gateways.map(({ id }) => id),
    )
    return gateways.flatMap((gateway) => {
      const row = rows.get(gateway.id)
      return row ? [record(gateway, row)] : []
    })
  }
}

const isTaken = ({ numbers, imeis }: Awaited<ReturnType<typeof stored.takenOf>>, number: string, imei = ''): boolean =>
  numbers.has(number) || imeis.has(imei)

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
  Tags: gatewayHolds(gateway).tags.length,
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

/** Who has a tag hanging, and where each is to be taken off. */
const holdersText = (holders: readonly Holder[]): Text => ({
  zh: holders.map(({ holder, places }) => `${holder}（${places.join('、')}）`).join('、'),
  en: holders.map(({ holder, places }) => `${holder} (${places.join(', ')})`).join(', '),
})
