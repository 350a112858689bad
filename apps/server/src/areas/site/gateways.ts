import type { AuditAction, GatewayRecord, Request, renameGateway, renameLine } from '@linewarden/contract'
import { aboutNothing, maxGateways, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import { tenantOf } from '../../access/owner.ts'
import { by, tenantOfGateway } from '../../audit/audited.ts'
import { linkChanged, treeChanged } from '../../plant/live-topics.ts'
import type { PlantGateway, PlantProject } from '../../plant/plant.ts'
import { aboutGateway, aboutLine } from '../../store/audit/subject.ts'
import type { Contained } from '../../store/automation/contained.ts'
import type { Holder } from '../../store/control/tag.ts'
import * as stored from '../../store/site/gateway.ts'
import { hashSecret, makeSecret } from '../../store/site/gateway-secret.ts'
import type { SiteDeps } from './deps.ts'
import type { GatewayRecords } from './gateway-records.ts'

/** Gateways that are there: renamed, enabled and disabled, given a new secret, moved and taken out. */
export class Gateways {
  readonly #deps: SiteDeps
  readonly #records: GatewayRecords

  constructor(deps: SiteDeps, records: GatewayRecords) {
    this.#deps = deps
    this.#records = records
  }

  async rename(actor: Actor, gateway: PlantGateway, { Name, Remark, Version }: Request<typeof renameGateway>['body']) {
    const { database, hub } = this.#deps
    const name = Name.trim()
    const audit = this.#auditOf(actor, 'gateway.rename', gateway)
    const change = { gatewayId: gateway.id, version: Version, name, remark: Remark }
    if (!(await stored.renameGateway(database, change, audit))) throw new Refusal('changed meanwhile')
    gateway.name = name
    hub.publish({ live: [treeChanged(gateway.project.id)] })
    return this.#records.one(gateway)
  }

  async renameLine(
    actor: Actor,
    gateway: PlantGateway,
    lineId: number,
    { LineName, Was }: Request<typeof renameLine>['body'],
  ): Promise<null> {
    const { clock, database, hub, plant } = this.#deps
    const line = plant.lines.get(lineId)
    if (line?.device.gateway !== gateway) throw new Refusal('line not exists')
    const name = LineName.trim()
    const audit = { ...by(actor, clock(), 'line.rename', tenantOfGateway(gateway)), subject: aboutLine(line) }
    const outcome = await stored.renameLine(database, { lineId, gatewayId: gateway.id, name, was: Was }, audit)
    if (outcome === 'gone') throw new Refusal('line not exists')
    // The answer to an earlier COMMIT may have been lost: then everybody still reads the name from before, and none could ever be given.
    line.name = outcome === 'done' ? name : outcome.changed
    hub.publish({ live: [treeChanged(gateway.project.id)], lines: [line] })
    if (outcome !== 'done') throw new Refusal('changed meanwhile')
    return null
  }

  async enable(actor: Actor, gateway: PlantGateway, enabled: boolean): Promise<GatewayRecord> {
    const { database, hub, ingest } = this.#deps
    const action = enabled ? 'gateway.enable' : 'gateway.disable'
    const audit = this.#auditOf(actor, action, gateway)
    if (!(await stored.setGateway(database, gateway.id, { disabled: !enabled }, audit))) throw new Refusal('gateway not exists')
    gateway.disabled = !enabled
    if (!enabled) ingest.disconnect(gateway.number)
    hub.publish({ gateways: [gateway], live: [linkChanged(gateway), treeChanged(gateway.project.id)] })
    return this.#records.one(gateway)
  }

  async rotateSecret(actor: Actor, gateway: PlantGateway): Promise<{ Secret: string }> {
    const { database, ingest } = this.#deps
    const secret = makeSecret()
    const audit = this.#auditOf(actor, 'gateway.secret', gateway)
    if (!(await stored.setGateway(database, gateway.id, { secret_hash: hashSecret(secret) }, audit)))
      throw new Refusal('gateway not exists')
    ingest.disconnect(gateway.number)
    return { Secret: secret }
  }

  async remove(actor: Actor, gateway: PlantGateway): Promise<null> {
    const { database, hub, ingest, plant } = this.#deps
    const audit = this.#auditOf(actor, 'gateway.delete', gateway)
    const removed = await stored.removeGateway(database, gateway.id, audit)
    if (removed.is === 'busy') throw new Refusal('command under way', { gateway: gateway.name })
    if (removed.is === 'tagged')
      throw new Refusal('gateway tagged', { gateway: gateway.name, holders: holdersText(removed.holders) })
    if (removed.is === 'contained') throw containedRefusal(removed.contained)
    ingest.disconnect(gateway.number)
    plant.removeGateway(gateway)
    hub.publish({ live: [treeChanged(gateway.project.id)] })
    return null
  }

  async transfer(actor: Actor, gateways: readonly PlantGateway[], project: PlantProject): Promise<null> {
    const { clock, database, hub, ingest, rightsChanged } = this.#deps
    if (gateways.some((gateway) => gateway.project.ownerId !== project.ownerId) && !actor.platform)
      throw new Refusal('user not admin')
    const audit = { ...by(actor, clock(), 'gateway.transfer', project.ownerId), subject: aboutNothing }
    const to = { gatewayIds: gateways.map(({ id }) => id), projectId: project.id, most: maxGateways, owner: tenantOf(actor) }
    const outcome = await stored.moveGateways(database, to, audit)
    if (outcome === 'shared') throw new Refusal('Shared equipment')
    if (outcome === 'full') throw new Refusal('too many gateways', { most: maxGateways })
    if (outcome === 'gone') throw new Refusal('gateway not exists')
    if (outcome !== 'done') throw containedRefusal(outcome.contained)
    const left = gateways.map((gateway) => gateway.project)
    for (const gateway of gateways) gateway.project = project
    // An event that was being stored meanwhile stands in the project that the gateway has left, where its new owner would never see it.
    await ingest.underCommit()
    await stored.bringEvents(database, to.gatewayIds, project.id)
    hub.publish({ live: [...new Set([...left, project].map(({ id }) => id))].map(treeChanged) })
    rightsChanged({ tenants: [...new Set([...left, project].map(({ ownerId }) => ownerId))] })
    return null
  }

  #auditOf(actor: Actor, action: AuditAction, gateway: PlantGateway) {
    return { ...by(actor, this.#deps.clock(), action, tenantOfGateway(gateway)), subject: aboutGateway(gateway) }
  }
}

/** Equipment that scenes, linkages or enabled timers contain stays where it is; each is named. */
export function containedRefusal({ scenes, timers, linkages }: Contained): Refusal {
  if (timers.length + linkages.length === 0) return new Refusal('scenes contain equipment', { scenes: named(scenes) })
  if (timers.length + scenes.length === 0) return new Refusal('linkages contain equipment', { linkages: named(linkages) })
  const all = (timer: string, scene: string, linkage: string) => [
    ...timers.map((name) => timer.replace('{}', () => name)),
    ...scenes.map((name) => scene.replace('{}', () => name)),
    ...linkages.map((name) => linkage.replace('{}', () => name)),
  ]
  const names = {
    zh: all('定时「{}」', '场景「{}」', '联动「{}」').join('、'),
    en: all('timer “{}”', 'scene “{}”', 'linkage “{}”').join(', '),
  }
  return new Refusal('timers contain equipment', { names })
}

const named = (names: readonly string[]): Text => ({ zh: names.join('、'), en: names.join(', ') })

/** Who has a tag hanging, and where each is to be taken off. */
const holdersText = (holders: readonly Holder[]): Text => ({
  zh: holders.map(({ holder, places }) => `${holder}（${places.join('、')}）`).join('、'),
  en: holders.map(({ holder, places }) => `${holder} (${places.join(', ')})`).join(', '),
})
