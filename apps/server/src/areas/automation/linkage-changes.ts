import type {
  deleteLinkage,
  insertLinkage,
  Linkage,
  LinkageForm,
  Request,
  switchLinkage,
  updateLinkage,
} from '@linewarden/contract'
import { about, aboutNothing, linkageOperation, Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { LinkageValues, StoredLinkage } from '../../store/automation/linkage.ts'
import type { LinkageSaved, LinkageSwitch } from '../../store/automation/linkage-write.ts'
import * as stored from '../../store/automation/linkage-write.ts'
import type { StoredScene } from '../../store/automation/scene.ts'
import { scenesOf } from '../../store/automation/scene.ts'
import type { AutomationDeps } from './deps.ts'
import type { LinkageAccess } from './linkage-access.ts'
import { makesOrders } from './linkage-access.ts'
import { linkageDraft, sourceOf } from './linkage-draft.ts'
import { createGoneLinkages } from './linkage-gone.ts'
import { closesOf, closesUnwatched, refuseLoop } from './linkage-loops.ts'
import { peopleOf } from './linkage-people.ts'
import type { LinkageRecords } from './linkage-records.ts'

/** More than anybody finds their way in. */
const maxLinkagesOfProject = 500

type Mode = Request<typeof switchLinkage>['body']['Mode']

const switches = {
  enable: { enabled: true },
  disable: { enabled: false },
  shadow: { mode: 'shadow' },
  live: { mode: 'live' },
  clear: { clears: true },
} as const satisfies Record<Mode, LinkageSwitch['set']>

/** Who makes, changes, switches and removes linkages. `changed`: it is to be evaluated as it is stored now. */
export function createLinkageChanges(
  { database, plant, control, clock, actorNow }: AutomationDeps,
  access: LinkageAccess,
  records: LinkageRecords,
  changed: (linkageId: number) => Promise<void>,
) {
  const gone = createGoneLinkages({ database, plant })
  const people = (actor: Actor, body: LinkageForm) => peopleOf({ plant, actorNow }, actor, body)
  return {
    async insert(actor: Actor, project: PlantProject, body: Request<typeof insertLinkage>['body']): Promise<Linkage> {
      access.refuseUnlessManages(actor)
      const scenes = await scenesOf(database.general, [project.id])
      const read = linkageDraft(actor, { plant, projectId: project.id, scenes, people: await people(actor, body) }, body)
      await control.redeemGrant(actor, body.Grant ?? null, linkageOperation({ LinkageID: null, ...body }))
      const draft = { ...read, mode: modeOf(read, null, scenes) }
      const audit = {
        ...by(actor, clock(), 'linkage.add', project.ownerId),
        ...{ subject: aboutNothing, target: draft.name, after: auditedOf(plant, draft) },
      }
      const saved = await stored.insertLinkage(
        database,
        {
          ...draft,
          ...{ projectId: project.id, owner: ownerOf(actor), most: maxLinkagesOfProject },
          check: refuseLoop({ plant, actor }, { ...draft, linkageId: 0 }, scenes),
        },
        audit,
      )
      return done(actor, taken(saved))
    },

    /** Whoever saves becomes the owner: a linkage never carries rights that its last editor lacks. */
    async update(actor: Actor, body: Request<typeof updateLinkage>['body']): Promise<Linkage> {
      const before = await access.toChange(actor, body.LinkageID)
      const { linkageId, projectId } = before
      const scenes = await scenesOf(database.general, [projectId])
      await gone.refuseIfNamed(actor, before, scenes, body)
      const read = linkageDraft(actor, { plant, projectId, scenes, people: await people(actor, body) }, body)
      const draft = { ...read, mode: modeOf(read, before, scenes) }
      await control.redeemGrant(actor, body.Grant ?? null, linkageOperation(body))
      const audit = { ...auditOf(actor, 'edit', before), before: auditedOf(plant, before), after: auditedOf(plant, draft) }
      const saved = await stored.updateLinkage(
        database,
        {
          ...draft,
          ...{ linkageId, projectId, version: body.Version, owner: ownerOf(actor) },
          check: refuseLoop({ plant, actor }, { ...draft, linkageId }, scenes),
        },
        audit,
      )
      return done(actor, taken(saved))
    },

    async remove(actor: Actor, { LinkageID, Version }: Request<typeof deleteLinkage>['body']): Promise<null> {
      const before = await access.toChange(actor, LinkageID)
      const audit = { ...auditOf(actor, 'delete', before), before: auditedOf(plant, before) }
      if (!(await stored.removeLinkage(database, { linkageId: LinkageID, projectId: before.projectId, version: Version }, audit)))
        throw new Refusal('changed meanwhile')
      await changed(LinkageID)
      return null
    },

    /** What makes it order asks the control password as saving does, and makes whoever does so the owner; the opposite asks nothing. */
    async switch(actor: Actor, { LinkageID, Version, Mode, Grant }: Request<typeof switchLinkage>['body']): Promise<Linkage> {
      const before = await access.toChange(actor, LinkageID)
      const { linkageId, projectId } = before
      const answers = Mode === 'enable' || Mode === 'live' || Mode === 'clear'
      const scenes = answers ? await scenesOf(database.general, [projectId]) : []
      if (answers) {
        await gone.refuseIfBroken(actor, before, scenes)
        refuseIfUnfit(plant, actor, before, scenes)
        const mode = Mode === 'live' ? 'live' : before.mode
        await control.redeemGrant(actor, Grant ?? null, linkageOperation({ ...intentOf(plant, before), Mode: mode }))
      }
      const after = await stored.switchLinkage(
        database,
        {
          ...{ linkageId, projectId, version: Version, set: switches[Mode], owner: answers ? ownerOf(actor) : null },
          check: refuseLoop({ plant, actor }, before, scenes),
        },
        auditOf(actor, Mode, before),
      )
      if (!after) throw new Refusal('changed meanwhile')
      return done(actor, after)
    },
  }

  async function done(actor: Actor, linkage: StoredLinkage): Promise<Linkage> {
    await changed(linkage.linkageId)
    return records.one(actor, linkage)
  }

  function auditOf(actor: Actor, what: 'edit' | 'delete' | Mode, linkage: StoredLinkage) {
    const project = plant.projects.get(linkage.projectId)
    return {
      ...by(actor, clock(), `linkage.${what}`, project?.ownerId ?? actor.tenant),
      ...{ subject: about('linkage', linkage.linkageId), target: linkage.name },
    }
  }
}

export const ownerOf = ({ accountId, userName }: Actor) => ({ accountId, name: userName })

function taken(saved: LinkageSaved): StoredLinkage {
  if (saved === 'exists') throw new Refusal('linkage exists')
  if (saved === 'gone') throw new Refusal('device not exists')
  if (saved === 'full') throw new Refusal('too many linkages', { most: maxLinkagesOfProject })
  if (saved === 'changed') throw new Refusal('changed meanwhile')
  return saved
}

/** What closes lines is watched for a while before it does, also where it comes to do so by a change. */
const modeOf = (read: LinkageValues, before: StoredLinkage | null, scenes: readonly StoredScene[]): LinkageValues['mode'] =>
  closesUnwatched(read, before, { before: scenes, after: scenes }) ? 'shadow' : read.mode

const closes = (linkage: Pick<LinkageValues, 'actions'>, scenes: readonly StoredScene[]): boolean =>
  closesOf(linkage, scenes).length > 0

/** A scene may have got a close since it was saved, equipment may have been changed, and not everybody may have orders made. */
export function refuseIfUnfit(plant: Plant, actor: Actor, linkage: StoredLinkage, scenes: readonly StoredScene[]): void {
  if (makesOrders(linkage) && !permits('hazard.workorder', actor)) throw new Refusal('linkage needs work orders')
  const lines = linkage.conditions.map((condition) => {
    const line = plant.lines.get(condition.lineId)
    const source = line && sourceOf(line, condition)
    if (!source) throw new Refusal('point unknown', { point: condition.key })
    return source
  })
  if (closes(linkage, scenes) && (!linkage.mayClose || lines.some(({ barsCloses }) => barsCloses)))
    throw new Refusal('linkage may not close')
}

/** As the log tells it. */
function auditedOf(plant: Plant, linkage: LinkageValues) {
  const placeOf = (lineId: number | null) => {
    const line = lineId === null ? undefined : plant.lines.get(lineId)
    return line ? `${line.device.controllerId}/${line.lineNo}` : `line ${lineId}`
  }
  const { name, enabled, mode, match, activeHours, cooldownS, maxPerHour, maxPerDay, mayClose, conditions, actions } = linkage
  return {
    ...{ name, enabled, mode, match, activeHours, cooldownS, maxPerHour, maxPerDay, mayClose },
    conditions: conditions.map(
      ({ kind, lineId, key, op, value, release, forS }) =>
        `${placeOf(lineId)} ${kind} ${key} ${op} ${value}, release ${release}, for ${forS} s`,
    ),
    actions: actions.map(({ kind, lineId, sceneId, delayS, order }) => {
      const what = sceneId === null ? placeOf(lineId) : `scene ${sceneId}`
      const how = order ? ` “${order.title}” ${order.priority} ${order.personName}`.trimEnd() : ''
      return `${kind} ${what}${how}${delayS > 0 ? ` after ${delayS} s` : ''}`
    }),
  }
}

/** What is switched on, as its grant names it. */
export function intentOf(plant: Plant, linkage: StoredLinkage) {
  const place = (lineId: number | null) => {
    const line = lineId === null ? undefined : plant.lines.get(lineId)
    return { ControllerID: line?.device.controllerId ?? '', LineNo: line?.lineNo ?? 0 }
  }
  const { linkageId, name, mode, match, mayClose, conditions, actions } = linkage
  return {
    ...{ LinkageID: linkageId, Name: name, Mode: mode, Match: match, MayClose: mayClose },
    Conditions: conditions.map(({ kind, lineId, key, op, value, release, forS }) => ({
      ...{ Kind: kind, ...place(lineId), Key: key, Op: op, Value: value, Release: release, ForS: forS },
    })),
    Actions: actions.map(({ kind, lineId, sceneId, delayS, order }) => ({
      ...{ Kind: kind, ...(lineId !== null && place(lineId)), SceneID: sceneId, DelayS: delayS },
      Order: order && { Title: order.title, Priority: order.priority, PersonInCharge: order.personId },
    })),
  }
}
