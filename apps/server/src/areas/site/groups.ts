import type { addGroup, editGroup, GroupRecord, List, moveToGroup, queryGroups, Reply, Request } from '@linewarden/contract'
import { about, aboutNothing, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { ownerFor, tenantOf } from '../../access/owner.ts'
import { ownsGroup } from '../../access/seen.ts'
import { by } from '../../audit/audited.ts'
import { treeChanged } from '../../plant/live-topics.ts'
import type { PlantGroup, PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import * as stored from '../../store/site/group.ts'
import type { SiteDeps } from './deps.ts'

/** Folders of projects, each owner's own. */
export function createGroups({ database, plant, hub, clock }: SiteDeps) {
  return {
    async add(actor: Actor, { Name, Remark, OwnerID }: Request<typeof addGroup>['body']): Promise<Reply<typeof addGroup>> {
      const ownerId = await ownerFor(database, actor, OwnerID)
      const name = Name.trim()
      const audit = { ...by(actor, clock(), 'group.add', ownerId), subject: aboutNothing }
      const groupId = await stored.insertGroup(database, { name, remark: Remark ?? '', ownerId, madeBy: actor.accountId }, audit)
      if (groupId === null) throw new Refusal('group exists')
      plant.cities.set(groupId, { id: groupId, ownerId, isDefault: false, madeBy: actor.accountId, name })
      return recordOf(await stored.groupById(database, groupId), true)
    },

    async list(actor: Actor, { Name, Page, Size, Sort }: Request<typeof queryGroups>['body']): Promise<List<GroupRecord>> {
      const seen = actor.administrator
        ? null
        : { projectIds: [...plant.projects.keys()].filter((id) => actor.seesPart(id)), accountId: actor.accountId }
      const filter = { owner: tenantOf(actor), seen, name: Name, page: Page ?? 1, size: Size ?? 10, sort: Sort }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) => stored.listGroups(db, filter))
      return { items: rows.map((row) => recordOf(row, isMine(actor, row.groupId))), total }
    },

    async edit(actor: Actor, group: PlantGroup, { Name, Remark, Version }: Request<typeof editGroup>['body']) {
      if (!ownsGroup(actor, plant, group)) throw new Refusal('permission beyond own')
      const name = Name.trim()
      const audit = { ...by(actor, clock(), 'group.edit', group.ownerId), subject: about('group', group.id) }
      const change = { groupId: group.id, name, remark: Remark, version: Version }
      const outcome = await stored.updateGroup(database, change, audit)
      if (outcome !== 'done') throw new Refusal(outcome === 'taken' ? 'group exists' : 'changed meanwhile')
      group.name = name
      publish([...plant.projects.values()].filter((project) => project.cityId === group.id))
      return recordOf(await stored.groupById(database, group.id), true)
    },

    async move(actor: Actor, projects: readonly PlantProject[], group: PlantGroup): Promise<Reply<typeof moveToGroup>> {
      if (projects.some((project) => project.ownerId !== group.ownerId)) throw new Refusal('other owner')
      const audit = { ...by(actor, clock(), 'group.move', group.ownerId), subject: about('group', group.id) }
      const to = { groupId: group.id, projectIds: projects.map(({ id }) => id) }
      if (!(await stored.moveProjects(database, to, audit))) throw new Refusal('changed meanwhile')
      for (const project of projects) project.cityId = group.id
      publish(projects)
      return null
    },

    async remove(actor: Actor, group: PlantGroup): Promise<null> {
      if (!ownsGroup(actor, plant, group)) throw new Refusal('permission beyond own')
      if (group.isDefault) throw new Refusal('Default City')
      const audit = { ...by(actor, clock(), 'group.delete', group.ownerId), subject: about('group', group.id) }
      const count = await stored.deleteGroup(database, group.id, audit)
      if (count > 0) throw new Refusal('group not empty', { count })
      plant.cities.delete(group.id)
      return null
    },
  }

  function isMine(actor: Actor, groupId: number): boolean {
    const group = plant.cities.get(groupId)
    return group !== undefined && ownsGroup(actor, plant, group)
  }

  function publish(projects: readonly PlantProject[]): void {
    if (projects.length > 0) hub.publish({ live: projects.map(({ id }) => treeChanged(id)) })
  }
}

const recordOf = (row: stored.StoredGroup, Mine: boolean): GroupRecord => ({
  Mine,
  CityID: row.groupId,
  Name: row.name,
  Remark: row.remark,
  IsDefault: row.isDefault,
  HouseCount: row.projects,
  OwnerID: row.ownerId,
  OwnerName: row.ownerName,
  Version: row.version,
})
