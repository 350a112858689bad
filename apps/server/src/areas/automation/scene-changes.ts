import type { deleteScene, insertScene, Request, Scene, updateScene } from '@linewarden/contract'
import { about, aboutNothing, Refusal, sceneOperation } from '@linewarden/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import { amongLinkages } from '../../store/automation/linkage-among.ts'
import type { SceneSaved, SceneValues, StoredScene } from '../../store/automation/scene.ts'
import * as stored from '../../store/automation/scene.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { AutomationDeps } from './deps.ts'
import { refuseOfScene } from './linkage-loops.ts'
import type { SceneAccess } from './scene-access.ts'
import { sceneDraft } from './scene-draft.ts'

/** More than anybody finds their way in. */
const maxScenesOfProject = 500

/** Who makes, changes and removes scenes. */
export function createSceneChanges({ database, plant, control, clock }: AutomationDeps, access: SceneAccess) {
  const { records, toChange, refuseUnlessManages } = access
  return {
    async insert(actor: Actor, project: PlantProject, body: Request<typeof insertScene>['body']): Promise<Scene> {
      refuseUnlessManages(actor)
      const draft = sceneDraft(actor, plant, project.id, body)
      await control.redeemGrant(actor, body.Grant ?? null, sceneOperation({ SceneID: null, ...body }))
      const audit = {
        ...by(actor, clock(), 'scene.add', project.ownerId),
        subject: aboutNothing,
        target: draft.name,
        after: auditedOf(plant, draft),
      }
      const owner = { accountId: actor.accountId, name: actor.userName }
      const saved = await stored.insertScene(
        database,
        { ...draft, projectId: project.id, owner, most: maxScenesOfProject },
        audit,
      )
      return records.one(actor, changed(saved))
    },

    /** Whoever saves becomes the owner: a scene never carries rights that its last editor lacks. */
    async update(actor: Actor, body: Request<typeof updateScene>['body']): Promise<Scene> {
      const before = await toChange(actor, body.SceneID)
      const draft = sceneDraft(actor, plant, before.projectId, body)
      await control.redeemGrant(actor, body.Grant ?? null, sceneOperation(body))
      const audit = { ...auditOf(actor, 'scene.edit', before), before: auditedOf(plant, before), after: auditedOf(plant, draft) }
      const owner = { accountId: actor.accountId, name: actor.userName }
      const [sceneId, refuse] = [body.SceneID, refuseOfScene({ plant, actor }, { sceneId: body.SceneID, items: draft.items })]
      const check = async (trx: Kysely<Schema>) => refuse(await amongLinkages(trx, before.projectId))
      const saved = await stored.updateScene(database, { ...draft, sceneId, version: body.Version, owner, check }, audit)
      return records.one(actor, changed(saved))
    },

    async remove(actor: Actor, { SceneID, Version }: Request<typeof deleteScene>['body']): Promise<null> {
      const before = await toChange(actor, SceneID)
      const audit = { ...auditOf(actor, 'scene.delete', before), before: auditedOf(plant, before) }
      const done = await stored.removeScene(database, { sceneId: SceneID, version: Version }, audit)
      if (done === 'changed') throw new Refusal('changed meanwhile')
      if (done === 'running') throw new Refusal('scene running')
      if (typeof done !== 'string' && 'timers' in done)
        throw new Refusal('scene in timer', { timers: { zh: done.timers.join('、'), en: done.timers.join(', ') } })
      if (typeof done !== 'string')
        throw new Refusal('scene in linkage', { linkages: { zh: done.linkages.join('、'), en: done.linkages.join(', ') } })
      return null
    },

    /** Enabling asks the control password as saving does, and makes whoever does so the owner; disabling asks nothing. */
    async enable(actor: Actor, scene: StoredScene, version: number, enabled: boolean, grant: string | null): Promise<void> {
      refuseUnlessManages(actor)
      if (enabled) await control.redeemGrant(actor, grant, sceneOperation(intentOf(plant, scene)))
      const owner = enabled ? { accountId: actor.accountId, name: actor.userName } : null
      const audit = auditOf(actor, enabled ? 'scene.enable' : 'scene.disable', scene)
      if (!(await stored.enableScene(database, { sceneId: scene.sceneId, version, owner }, audit)))
        throw new Refusal('changed meanwhile')
    },
  }

  function auditOf(actor: Actor, action: 'scene.edit' | 'scene.delete' | 'scene.enable' | 'scene.disable', scene: StoredScene) {
    const project = plant.projects.get(scene.projectId)
    return {
      ...by(actor, clock(), action, project?.ownerId ?? actor.tenant),
      subject: about('scene', scene.sceneId),
      target: scene.name,
    }
  }
}

function changed(saved: SceneSaved): StoredScene {
  if (saved === 'exists') throw new Refusal('scene exists')
  if (saved === 'gone') throw new Refusal('device not exists')
  if (saved === 'full') throw new Refusal('too many scenes', { most: maxScenesOfProject })
  if (saved === 'changed') throw new Refusal('changed meanwhile')
  return saved
}

/** As the log tells it. */
function auditedOf(plant: Plant, { name, ifRefused, enabled, items }: SceneValues) {
  const lines = items.map(({ lineId, action, order }) => {
    const line = plant.lines.get(lineId)
    return `${line ? `${line.device.controllerId}/${line.lineNo}` : `line ${lineId}`} ${action} ${order}`
  })
  return { name, ifRefused, enabled, lines }
}

/** What is enabled, as its grant names it. */
function intentOf(plant: Plant, { sceneId, name, ifRefused, items }: StoredScene) {
  return {
    ...{ SceneID: sceneId, Name: name, IfRefused: ifRefused },
    Items: items.flatMap(({ lineId, action, order }) => {
      const line = plant.lines.get(lineId)
      return line ? [{ ControllerID: line.device.controllerId, LineNo: line.lineNo, Action: action, Order: order }] : []
    }),
  }
}
