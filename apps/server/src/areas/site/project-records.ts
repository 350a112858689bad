import type { List, listProjects, ProjectRecord, projectsByGroup, projectsOfUser, Reply, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { mayGive } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { projectsSeen, seesGroup } from '../../access/seen.ts'
import type { Plant, PlantGroup } from '../../plant/plant.ts'
import { accountByName, assignmentsOf } from '../../store/account/account.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import * as stored from '../../store/site/project.ts'
import { seesAssigned } from '../people/assigning.ts'
import type { SiteDeps } from './deps.ts'

export const maxExported = 10_000

/** Projects as people read them: which there are, and what is written about each. */
export class ProjectRecords {
  readonly #database: Database
  readonly #plant: Plant

  constructor({ database, plant }: Pick<SiteDeps, 'database' | 'plant'>) {
    this.#database = database
    this.#plant = plant
  }

  async byId(actor: Actor, projectId: number): Promise<ProjectRecord> {
    return this.of(actor, await stored.projectById(this.#database, projectId))
  }

  of(actor: Actor, row: stored.StoredProject, gatewayCounts = this.#gatewaysPerProject(actor)): ProjectRecord {
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
      TimedLines: row.timedLines,
      Latitude: row.latitude,
      Longitude: row.longitude,
      CityID: row.groupId,
      CityName: row.groupName,
      CityIsDefault: row.groupIsDefault,
      // An account that equipment is shared with learns of nobody.
      UserName: actor.shared ? '' : row.ownerName,
      OwnerID: row.ownerId,
      GatewayCount: gatewayCounts.get(row.projectId) ?? 0,
      CreatedAt: row.createdAt.getTime(),
      Version: row.version,
    }
  }

  async list(
    actor: Actor,
    group: PlantGroup | null,
    { HouseName, Page = 1, Size = 10, Sort }: Request<typeof listProjects>['query'],
  ): Promise<List<ProjectRecord>> {
    const filter = {
      projectIds: actor.platform ? null : projectsSeen(actor, this.#plant).map(({ id }) => id),
      name: HouseName,
      groupId: group?.id,
      page: Page,
      size: Size,
      sort: Sort,
    }
    const { rows, total } = await withRowSecurity(this.#database, actor.scope, (db) => stored.listProjects(db, filter))
    const gatewayCounts = this.#gatewaysPerProject(actor)
    return { items: rows.map((row) => this.of(actor, row, gatewayCounts)), total }
  }

  lookup(actor: Actor, part = ''): List<{ HouseID: number; Name: string }> {
    const wanted = part.trim().toLowerCase()
    const items = projectsSeen(actor, this.#plant)
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .map(({ id, name }) => ({ HouseID: id, Name: name }))
    return { items, total: items.length }
  }

  /** What an account of the actor's tenant sees; below the administrator, of an account that sees no more than the actor. */
  async ofUser(actor: Actor, userName: string): Promise<Reply<typeof projectsOfUser>> {
    const account = await accountByName(this.#database.general, userName)
    const isOurs = account && (actor.platform || account.ownerId === actor.tenant || account.accountId === actor.tenant)
    if (!isOurs) throw new Refusal('username notexists')
    const tenant = account.kind === 'platform' ? null : await assignmentsOf(this.#database.general, account)
    const isWithin =
      tenant && seesAssigned(this.#plant, actor, { projectIds: [...tenant.projects], gatewayIds: [...tenant.gateways] })
    if (!actor.administrator && !(isWithin && mayGive(actor, account))) throw new Refusal('username notexists')
    const items = [...this.#plant.projects.values()]
      .filter(({ id }) => actor.seesPart(id) && (tenant === null || tenant.projects.has(id) || tenant.parts.has(id)))
      .map(({ id, name }) => ({ HouseID: id, Name: name, Whole: tenant === null || tenant.projects.has(id) }))
    return { items, total: items.length }
  }

  byGroup(actor: Actor): Reply<typeof projectsByGroup> {
    const seen = projectsSeen(actor, this.#plant)
    const items = [...this.#plant.cities.values()]
      .filter((group) => seesGroup(actor, this.#plant, group))
      .map((group) => ({
        CityID: group.id,
        Name: group.name,
        IsDefault: group.isDefault,
        OwnerID: group.ownerId,
        Houses: seen.filter(({ cityId }) => cityId === group.id).map(({ id, name }) => ({ HouseID: id, Name: name })),
      }))
    return { items, total: items.length }
  }

  /** How many gateways of each project the actor sees. */
  #gatewaysPerProject(actor: Actor): ReadonlyMap<number, number> {
    const gatewayCounts = new Map<number, number>()
    for (const gateway of this.#plant.gateways.values())
      if (actor.seesGateway(gateway)) gatewayCounts.set(gateway.project.id, (gatewayCounts.get(gateway.project.id) ?? 0) + 1)
    return gatewayCounts
  }
}
