import type {
  addProject,
  editProject,
  List,
  listProjects,
  ProjectRecord,
  projectsOfUser,
  Reply,
  Request,
  setProjectCcid,
  transferProject,
} from '@linewarden/contract'
import { about, aboutNothing, Refusal } from '@linewarden/contract'
import { mayGive } from '@linewarden/rules/account'
import { isCurrency, isTimeZone } from '@linewarden/rules/site'
import type { Actor } from '../../access/actor.ts'
import { projectsSeen, seesGroup } from '../../access/seen.ts'
import { by } from '../../audit/audited.ts'
import { treeChanged } from '../../plant/live-topics.ts'
import type { PlantGroup, PlantProject } from '../../plant/plant.ts'
import { accountByName, assignmentsOf } from '../../store/account/account.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import * as stored from '../../store/site/project.ts'
import { seesAssigned } from '../people/assigning.ts'
import type { SiteDeps } from './deps.ts'

type Fields = Request<typeof addProject>['body'] | Request<typeof editProject>['body']

export const maxExported = 10_000

/** Projects: what is written about them, and whose they are. */
export function createProjects({ database, plant, hub, rightsChanged, clock }: SiteDeps) {
  return {
    recordById: async (actor: Actor, projectId: number) => recordOf(actor, await stored.projectById(database, projectId)),

    async add(actor: Actor, group: PlantGroup | null, body: Request<typeof addProject>['body']): Promise<ProjectRecord> {
      const ownerId = group ? group.ownerId : actor.tenant
      const text = { ...unwritten, ...textOf(body) }
      const forAccount = actor.administrator ? null : actor.accountId
      const audit = { ...by(actor, clock(), 'project.add', ownerId), subject: aboutNothing }
      const projectId = await stored.insertProject(database, { ...text, groupId: group?.id ?? null, ownerId, forAccount }, audit)
      const made = await stored.projectById(database, projectId)
      plant.projects.set(projectId, {
        id: projectId,
        cityId: made.groupId,
        ownerId,
        name: text.name,
        timeZone: text.timeZone,
        standard: text.standard,
      })
      // Whoever sees the owner's tenant does so by a set of projects that did not hold this one.
      rightsChanged({ tenants: [ownerId] })
      hub.publish({ live: [treeChanged(projectId)] })
      return recordOf(actor, made)
    },

    async edit(actor: Actor, project: PlantProject, body: Request<typeof editProject>['body']): Promise<ProjectRecord> {
      const audit = { ...by(actor, clock(), 'project.edit', project.ownerId), subject: about('project', project.id) }
      return changed(actor, project, body.Version, textOf(body), audit)
    },

    async setCcid(actor: Actor, project: PlantProject, { CCID, Version }: Request<typeof setProjectCcid>['body']) {
      const audit = { ...by(actor, clock(), 'project.ccid', project.ownerId), subject: about('project', project.id) }
      return changed(actor, project, Version, { ccid: CCID }, audit)
    },

    async remove(actor: Actor, project: PlantProject): Promise<null> {
      const audit = { ...by(actor, clock(), 'project.delete', project.ownerId), subject: about('project', project.id) }
      const count = await stored.removeProject(database, project.id, audit)
      if (count > 0) throw new Refusal('project not empty', { count })
      hub.publish({ live: [treeChanged(project.id)] })
      plant.projects.delete(project.id)
      rightsChanged({ tenants: [project.ownerId] })
      return null
    },

    async transfer(actor: Actor, project: PlantProject, body: Request<typeof transferProject>['body']): Promise<ProjectRecord> {
      // Before anything is looked up: whoever may not hand it over learns of no other account whether it is there.
      if (body.UserName !== undefined && !actor.platform && body.UserName.toLowerCase() !== actor.userName.toLowerCase())
        throw new Refusal('user not admin')
      const ownerId = body.UserName === undefined ? project.ownerId : await ownerOf(body.UserName)
      const groupId = body.CityID ?? (ownerId === project.ownerId ? project.cityId : null)
      const group = groupId === null ? undefined : plant.cities.get(groupId)
      if (group && !seesGroup(actor, plant, group)) throw new Refusal('group not exists')
      const audit = { ...by(actor, clock(), 'project.transfer', project.ownerId), subject: about('project', project.id) }
      const to = { projectId: project.id, version: body.Version, ownerId, groupId }
      const outcome = await stored.transferProject(database, to, audit)
      if (outcome === 'shared') throw new Refusal('Shared equipment')
      if (outcome !== 'done') throw new Refusal(outcome === 'changed' ? 'changed meanwhile' : outcome)
      const after = await stored.projectById(database, project.id)
      const owners = [project.ownerId, after.ownerId]
      project.ownerId = after.ownerId
      project.cityId = after.groupId
      hub.publish({ live: [treeChanged(project.id)] })
      rightsChanged({ tenants: owners })
      return recordOf(actor, after)
    },

    async list(
      actor: Actor,
      group: PlantGroup | null,
      { HouseName, Page = 1, Size = 10, Sort }: Request<typeof listProjects>['query'],
    ): Promise<List<ProjectRecord>> {
      const filter = {
        projectIds: actor.platform ? null : projectsSeen(actor, plant).map(({ id }) => id),
        name: HouseName,
        groupId: group?.id,
        page: Page,
        size: Size,
        sort: Sort,
      }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) => stored.listProjects(db, filter))
      const held = gatewaysPerProject(actor)
      return { items: rows.map((row) => recordOf(actor, row, held)), total }
    },

    lookup(actor: Actor, part = ''): List<{ HouseID: number; Name: string }> {
      const wanted = part.trim().toLowerCase()
      const items = projectsSeen(actor, plant)
        .filter(({ name }) => name.toLowerCase().includes(wanted))
        .map(({ id, name }) => ({ HouseID: id, Name: name }))
      return { items, total: items.length }
    },

    /** What an account of the actor's tenant sees; below the administrator, of an account that sees no more than the actor. */
    async ofUser(actor: Actor, userName: string): Promise<Reply<typeof projectsOfUser>> {
      const account = await accountByName(database.general, userName)
      const isOurs = account && (actor.platform || account.ownerId === actor.tenant || account.accountId === actor.tenant)
      if (!isOurs) throw new Refusal('username notexists')
      const tenant = account.kind === 'platform' ? null : await assignmentsOf(database.general, account)
      const isWithin =
        tenant && seesAssigned(plant, actor, { projectIds: [...tenant.projects], gatewayIds: [...tenant.gateways] })
      if (!actor.administrator && !(isWithin && mayGive(actor, account))) throw new Refusal('username notexists')
      const items = [...plant.projects.values()]
        .filter(({ id }) => actor.seesPart(id) && (tenant === null || tenant.projects.has(id) || tenant.parts.has(id)))
        .map(({ id, name }) => ({ HouseID: id, Name: name, Whole: tenant === null || tenant.projects.has(id) }))
      return { items, total: items.length }
    },

    byGroup(actor: Actor) {
      const seen = projectsSeen(actor, plant)
      const items = [...plant.cities.values()]
        .filter((group) => seesGroup(actor, plant, group))
        .map((group) => ({
          CityID: group.id,
          Name: group.name,
          IsDefault: group.isDefault,
          OwnerID: group.ownerId,
          Houses: seen.filter(({ cityId }) => cityId === group.id).map(({ id, name }) => ({ HouseID: id, Name: name })),
        }))
      return { items, total: items.length }
    },
  }

  async function changed(
    actor: Actor,
    project: PlantProject,
    version: number | undefined,
    change: Parameters<typeof stored.updateProject>[3],
    audit: Parameters<typeof stored.updateProject>[4],
  ): Promise<ProjectRecord> {
    if (!(await stored.updateProject(database, project.id, version, change, audit))) throw new Refusal('changed meanwhile')
    const after = await stored.projectById(database, project.id)
    project.name = after.name
    project.timeZone = after.timeZone
    project.standard = after.standard
    hub.publish({ live: [treeChanged(project.id)] })
    return recordOf(actor, after)
  }

  async function ownerOf(userName: string): Promise<string | null> {
    if (userName === '') return null
    const account = await accountByName(database.general, userName)
    if (account?.kind !== 'project') throw new Refusal('username notexists')
    return account.accountId
  }

  /** How many gateways of each project the actor sees. */
  function gatewaysPerProject(actor: Actor): ReadonlyMap<number, number> {
    const held = new Map<number, number>()
    for (const gateway of plant.gateways.values())
      if (actor.seesGateway(gateway)) held.set(gateway.project.id, (held.get(gateway.project.id) ?? 0) + 1)
    return held
  }

  function recordOf(actor: Actor, row: stored.StoredProject, held = gatewaysPerProject(actor)): ProjectRecord {
    return {
      HouseID: row.projectId,
      Name: row.name,
      Number: row.number,
      PersonInCharge: row.personInCharge,
      ContactPhone: row.contactPhone,
      Province: row.province,
      City: row.city,
      District: row.district,
      Address: row.address,
      Remark: row.remark,
      TimeZone: row.timeZone,
      Currency: row.currency,
      Standard: row.standard,
      CCID: row.ccid,
      CityID: row.groupId,
      CityName: row.groupName,
      CityIsDefault: row.groupIsDefault,
      // An account that equipment is shared with learns of nobody.
      UserName: actor.shared ? '' : row.ownerName,
      OwnerID: row.ownerId,
      GatewayCount: held.get(row.projectId) ?? 0,
      CreatedAt: row.createdAt.getTime(),
      Version: row.version,
    }
  }
}

const unwritten = { number: '', address: '', remark: '', timeZone: 'Asia/Shanghai', currency: 'CNY', standard: 'GB' } as const

/** What was sent of a project's fields, checked as far as its form cannot be. */
function textOf({ Name, Address, Remark, TimeZone, Currency, Standard, ...rest }: Fields) {
  if (TimeZone !== undefined && !isTimeZone(TimeZone)) throw new Refusal('time zone unknown')
  if (Currency !== undefined && !isCurrency(Currency)) throw new Refusal('currency unknown')
  return {
    name: Name.trim(),
    personInCharge: rest.PersonInCharge.trim(),
    contactPhone: rest.ContactPhone.trim(),
    province: rest.Province.trim(),
    city: rest.City.trim(),
    district: rest.District.trim(),
    ...(rest.Number !== undefined && { number: rest.Number.trim() }),
    ...(Address !== undefined && { address: Address.trim() }),
    ...(Remark !== undefined && { remark: Remark }),
    ...(TimeZone !== undefined && { timeZone: TimeZone }),
    ...(Currency !== undefined && { currency: Currency }),
    ...(Standard !== undefined && { standard: Standard }),
    ...(rest.CCID !== undefined && { ccid: rest.CCID }),
  }
}
