import { randomBytes } from 'node:crypto'
import type { addPush, editPush, List, PushRecord, Reply, Request } from '@linewarden/contract'
import { aboutNothing, basePath, isMessageKey, Refusal, textOf } from '@linewarden/contract'
import { canBePushed, familyOfModel } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import { tenantOf } from '../../access/owner.ts'
import { by } from '../../audit/audited.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredPush } from '../../store/push/push.ts'
import * as stored from '../../store/push/push.ts'
import { hashSecret } from '../../store/site/gateway-secret.ts'
import type { Seal } from '../account/secrets.ts'

const maxPushes = 20
const dayS = 86_400

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly seal: Seal
  /** Writes down what was refused so far. */
  readonly flushRefusals: () => Promise<void>
  readonly clock: () => number
}

/** Subscriptions of a project: which platforms may push for it, and what their products are. */
export function createSubscriptions({ database, plant, seal, flushRefusals, clock }: Deps) {
  return {
    async list(project: PlantProject): Promise<List<PushRecord>> {
      await flushRefusals()
      const rows = await stored.pushesOf(database, project.id)
      return { items: rows.map((row) => recordOf(row, row.waiting)), total: rows.length }
    },

    async add(actor: Actor, project: PlantProject, body: Request<typeof addPush>['body']): Promise<Reply<typeof addPush>> {
      if (body.AesKey !== undefined && body.Platform !== 'onenet') throw new Refusal('push encryption wrong')
      const { secret, kept } = newSecret(body.Platform)
      const push: stored.NewPush = {
        projectId: project.id,
        platform: body.Platform,
        name: body.Name.trim(),
        secret: kept,
        aesKey: body.AesKey === undefined ? null : seal.seal(body.AesKey),
        products: productsIn(body.Products),
        reportingPeriodMs: (body.ReportingPeriodS ?? dayS) * 1_000,
      }
      const audit = { ...by(actor, clock(), 'push.add', project.ownerId), subject: aboutNothing }
      const pushId = await stored.insertPush(database, push, { most: maxPushes, owner: tenantOf(actor) }, audit)
      if (pushId === 'full') throw new Refusal('too many pushes', { most: maxPushes })
      if (pushId === 'gone') throw new Refusal('project not exists')
      return { Push: await recordOfId(project, pushId), Secret: secret }
    },

    async edit(actor: Actor, project: PlantProject, body: Request<typeof editPush>['body']): Promise<PushRecord> {
      const { platform } = await ofProject(project, body.PushID)
      if (body.AesKey && platform !== 'onenet') throw new Refusal('push encryption wrong')
      const audit = { ...by(actor, clock(), 'push.edit', project.ownerId), subject: aboutNothing }
      const change: stored.PushChange = {
        name: body.Name.trim(),
        products: JSON.stringify(productsIn(body.Products)),
        enabled: body.Enabled,
        ...(body.ReportingPeriodS !== undefined && { reporting_period_ms: body.ReportingPeriodS * 1_000 }),
        ...(body.AesKey !== undefined && { aes_key: body.AesKey === null ? null : seal.seal(body.AesKey) }),
      }
      refuseUnlessDone(await stored.changePush(database, target(actor, body.PushID, body.Version), change, audit))
      return recordOfId(project, body.PushID)
    },

    async rotate(actor: Actor, project: PlantProject, pushId: number): Promise<Reply<typeof addPush>> {
      const { platform } = await ofProject(project, pushId)
      const { secret, kept } = newSecret(platform)
      const audit = { ...by(actor, clock(), 'push.secret', project.ownerId), subject: aboutNothing }
      refuseUnlessDone(await stored.changePush(database, target(actor, pushId), { secret: kept }, audit))
      return { Push: await recordOfId(project, pushId), Secret: secret }
    },

    async remove(actor: Actor, project: PlantProject, pushId: number): Promise<null> {
      await ofProject(project, pushId)
      const audit = { ...by(actor, clock(), 'push.delete', project.ownerId), subject: aboutNothing }
      refuseUnlessDone(await stored.changePush(database, target(actor, pushId), { removed_at: new Date(clock()) }, audit))
      return null
    },

    /** A subscription found by its name, or made; either way with a new secret. */
    async enrol({ projectId, platform, name, products, reportingPeriodMs }: Omit<stored.NewPush, 'secret' | 'aesKey'>) {
      const { secret, kept } = newSecret(platform)
      const tenant = plant.projects.get(projectId)?.ownerId ?? null
      const audit = { ...by({ userName: 'system', address: '' }, clock(), 'push.add', tenant), subject: aboutNothing }
      const found = (await stored.pushesOf(database, projectId)).find((each) => each.name === name && each.platform === platform)
      const again = { ...audit, action: 'push.secret' } as const
      if (found)
        await stored.changePush(database, { pushId: found.push_id, version: null, owner: undefined }, { secret: kept }, again)
      const push = { projectId, platform, name, secret: kept, aesKey: null, products, reportingPeriodMs }
      const pushId = found?.push_id ?? (await stored.insertPush(database, push, { most: maxPushes, owner: undefined }, audit))
      return { path: `${basePath}/push/${pushId}`, secret }
    },
  }

  async function ofProject(project: PlantProject, pushId: number): Promise<StoredPush> {
    const push = await stored.pushById(database.general, pushId)
    if (push?.project_id !== project.id) throw new Refusal('push not exists')
    return push
  }

  async function recordOfId(project: PlantProject, pushId: number): Promise<PushRecord> {
    const found = (await stored.pushesOf(database, project.id)).find(({ push_id }) => push_id === pushId)
    if (!found) throw new Refusal('push not exists')
    return recordOf(found, found.waiting)
  }

  /** OneNET signs with its token, so it must be known again; the key of CTWing comes back each time, so its hash is enough. */
  function newSecret(platform: StoredPush['platform']): { secret: string; kept: string } {
    // The platforms' forms take 32 letters and digits.
    const secret = randomBytes(16).toString('hex')
    return { secret, kept: platform === 'onenet' ? seal.seal(secret) : hashSecret(secret) }
  }
}

function productsIn(products: Request<typeof addPush>['body']['Products']): Record<string, string> {
  const byId: Record<string, string> = {}
  for (const { ProductID, Model } of products) {
    if (Object.hasOwn(byId, ProductID)) throw new Refusal('product twice', { product: ProductID })
    const family = familyOfModel(Model)
    if (!family || !canBePushed(family)) throw new Refusal('model unknown', { model: Model })
    byId[ProductID] = Model
  }
  return byId
}

/** The subscription that somebody changes, while its project is of their tenant. */
const target = (actor: Actor, pushId: number, version: number | null = null) => ({ pushId, version, owner: tenantOf(actor) })

function refuseUnlessDone(outcome: 'done' | 'changed' | 'gone'): void {
  if (outcome === 'changed') throw new Refusal('changed meanwhile')
  if (outcome === 'gone') throw new Refusal('push not exists')
}

const recordOf = (row: StoredPush, waiting: number): PushRecord => ({
  PushID: row.push_id,
  HouseID: row.project_id,
  Platform: row.platform,
  Name: row.name,
  Path: `${basePath}/push/${row.push_id}`,
  Products: Object.entries(row.products).map(([ProductID, Model]) => ({ ProductID, Model })),
  ReportingPeriodS: row.reporting_period_ms / 1_000,
  Encrypted: row.aes_key !== null,
  Enabled: row.enabled,
  Accepted: Number(row.accepted),
  Refused: Number(row.refused),
  Duplicates: Number(row.duplicates),
  SetAside: Number(row.set_aside),
  Waiting: waiting,
  LastAt: row.last_at?.getTime() ?? null,
  LastRefusedAt: row.last_refused_at?.getTime() ?? null,
  OwnerChangedAt: row.owner_changed_at?.getTime() ?? null,
  LastRefusal: row.last_refusal !== null && isMessageKey(row.last_refusal) ? textOf(row.last_refusal) : null,
  Version: row.version,
})
