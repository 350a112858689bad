import type {
  AuditAction,
  addProject,
  editProject,
  ProjectRecord,
  Request,
  setProjectCcid,
  transferProject,
} from '@linewarden/contract'
import { about, aboutNothing, Refusal } from '@linewarden/contract'
import { isCurrency, isTimeZone } from '@linewarden/rules/site'
import type { Actor } from '../../access/actor.ts'
import { seesGroup } from '../../access/seen.ts'
import { by } from '../../audit/audited.ts'
import { treeChanged } from '../../plant/live-topics.ts'
import type { PlantGroup, PlantProject } from '../../plant/plant.ts'
import { accountByName } from '../../store/account/account.ts'
import * as stored from '../../store/site/project.ts'
import type { SiteDeps } from './deps.ts'
import { containedRefusal } from './gateways.ts'
import type { ProjectRecords } from './project-records.ts'

type Fields = Request<typeof addProject>['body'] | Request<typeof editProject>['body']

/** Projects: added, changed, handed over and taken out. */
export class Projects {
  readonly #deps: SiteDeps
  readonly #records: ProjectRecords

  constructor(deps: SiteDeps, records: ProjectRecords) {
    this.#deps = deps
    this.#records = records
  }

  async add(actor: Actor, group: PlantGroup | null, body: Request<typeof addProject>['body']): Promise<ProjectRecord> {
    const { clock, database, hub, plant, rightsChanged } = this.#deps
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
    return this.#records.of(actor, made)
  }

  async edit(actor: Actor, project: PlantProject, body: Request<typeof editProject>['body']): Promise<ProjectRecord> {
    const audit = this.#auditOf(actor, 'project.edit', project)
    return this.#changed(actor, project, body.Version, textOf(body), audit)
  }

  async setCcid(actor: Actor, project: PlantProject, { CCID, Version }: Request<typeof setProjectCcid>['body']) {
    const audit = this.#auditOf(actor, 'project.ccid', project)
    return this.#changed(actor, project, Version, { ccid: CCID }, audit)
  }

  async remove(actor: Actor, project: PlantProject): Promise<null> {
    const { database, hub, plant, rightsChanged } = this.#deps
    const audit = this.#auditOf(actor, 'project.delete', project)
    const count = await stored.removeProject(database, project.id, audit)
    if (count === 'statements') throw new Refusal('project has statements')
    if (count > 0) throw new Refusal('project not empty', { count })
    hub.publish({ live: [treeChanged(project.id)] })
    plant.projects.delete(project.id)
    rightsChanged({ tenants: [project.ownerId] })
    return null
  }

  async transfer(actor: Actor, project: PlantProject, body: Request<typeof transferProject>['body']): Promise<ProjectRecord> {
    const { database, hub, plant, rightsChanged } = this.#deps
    // Before anything is looked up: whoever may not hand it over learns of no other account whether it is there.
    if (body.UserName !== undefined && !actor.platform && body.UserName.toLowerCase() !== actor.userName.toLowerCase())
      throw new Refusal('user not admin')
    const ownerId = body.UserName === undefined ? project.ownerId : await this.#ownerOf(body.UserName)
    const groupId = body.CityID ?? (ownerId === project.ownerId ? project.cityId : null)
    const group = groupId === null ? undefined : plant.cities.get(groupId)
    if (group && !seesGroup(actor, plant, group)) throw new Refusal('group not exists')
    const audit = this.#auditOf(actor, 'project.transfer', project)
    const to = { projectId: project.id, version: body.Version, ownerId, groupId }
    const outcome = await stored.transferProject(database, to, audit)
    if (outcome === 'shared') throw new Refusal('Shared equipment')
    if (typeof outcome !== 'string') throw containedRefusal(outcome.contained)
    if (outcome !== 'done') throw new Refusal(outcome === 'changed' ? 'changed meanwhile' : outcome)
    const after = await stored.projectById(database, project.id)
    const owners = [project.ownerId, after.ownerId]
    project.ownerId = after.ownerId
    project.cityId = after.groupId
    hub.publish({ live: [treeChanged(project.id)] })
    rightsChanged({ tenants: owners })
    return this.#records.of(actor, after)
  }

  async #changed(
    actor: Actor,
    project: PlantProject,
    version: number | undefined,
    change: Parameters<typeof stored.updateProject>[3],
    audit: Parameters<typeof stored.updateProject>[4],
  ): Promise<ProjectRecord> {
    const { database, hub } = this.#deps
    const outcome = await stored.updateProject(database, project.id, version, change, audit)
    if (outcome === 'changed') throw new Refusal('changed meanwhile')
    if (outcome !== 'done') throw new Refusal('coordinates in use', { timers: listed(outcome.timers) })
    const after = await stored.projectById(database, project.id)
    project.name = after.name
    project.timeZone = after.timeZone
    project.standard = after.standard
    hub.publish({ live: [treeChanged(project.id)] })
    return this.#records.of(actor, after)
  }

  #auditOf(actor: Actor, action: AuditAction, project: PlantProject) {
    return { ...by(actor, this.#deps.clock(), action, project.ownerId), subject: about('project', project.id) }
  }

  async #ownerOf(userName: string): Promise<string | null> {
    const { database } = this.#deps
    if (userName === '') return null
    const account = await accountByName(database.general, userName)
    if (account?.kind !== 'project') throw new Refusal('username notexists')
    return account.accountId
  }
}

const unwritten = { number: '', address: '', remark: '', timeZone: 'Asia/Shanghai', currency: 'CNY', standard: 'GB' } as const

const listed = (names: readonly string[]) => ({ zh: names.join('、'), en: names.join(', ') })

/** What was sent of a project's fields, checked as far as its form cannot be. */
function textOf({ Name, Address, Remark, TimeZone, Currency, Standard, Latitude, Longitude, ...rest }: Fields) {
  if (typeof Latitude !== typeof Longitude) throw new Refusal('coordinates incomplete')
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
    ...(rest.TimedLines !== undefined && { timedLines: rest.TimedLines }),
    ...(Latitude !== undefined && { latitude: Latitude }),
    ...(Longitude !== undefined && { longitude: Longitude }),
  }
}
