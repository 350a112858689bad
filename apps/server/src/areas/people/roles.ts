import type { addRole, editRole, List, queryRoles, Request, RoleRecord } from '@linewarden/contract'
import { about, aboutNothing, buttons, isButtonPermission, pages, Refusal } from '@linewarden/contract'
import { mayGive } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import { ownerFor, tenantOf } from '../../access/owner.ts'
import { partialScopeOf } from '../../access/seen.ts'
import { by } from '../../audit/audited.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import * as stored from '../../store/people/role.ts'
import type { UserDeps } from './user-deps.ts'

type Fields = Request<typeof addRole>['body'] | Request<typeof editRole>['body']

const pageKeys: ReadonlySet<string> = new Set(pages.flatMap(({ key, subs }) => [key, ...subs.map((sub) => sub.key)]))

const maxListed = 10_000

const editRefusals = { taken: 'role exists', changed: 'changed meanwhile', beyond: 'role held beyond' } as const

/** Roles: named sets of permissions. Nobody gives, or edits, what goes beyond their own. */
export function createRoles({ database, rightsChanged, clock }: Pick<UserDeps, 'database' | 'rightsChanged' | 'clock'>) {
  return {
    async add(actor: Actor, body: Request<typeof addRole>['body']): Promise<RoleRecord> {
      const role = textOf(actor, body)
      const ownerId = await ownerFor(database, actor, body.OwnerID)
      const audit = { ...by(actor, clock(), 'role.add', ownerId), subject: aboutNothing }
      const roleId = await stored.insertRole(database.general, { ...role, ownerId }, audit)
      if (roleId === null) throw new Refusal('role exists')
      return recordOf(await find(actor, roleId))
    },

    async list(actor: Actor, { Name, Page, Size, Sort }: Request<typeof queryRoles>['body']): Promise<List<RoleRecord>> {
      const { rows, total } = await read(actor, Name, Page, Size, Sort)
      return { items: rows.map(recordOf), total }
    },

    async edit(actor: Actor, body: Request<typeof editRole>['body']): Promise<RoleRecord> {
      const before = await find(actor, body.RoleID)
      if (!mayGive(actor, before)) throw new Refusal('permission beyond own')
      const role = textOf(actor, body)
      const audit = { ...by(actor, clock(), 'role.edit', before.ownerId), subject: about('role', body.RoleID) }
      const holders = { owner: tenantOf(actor), within: partialScopeOf(actor) }
      const outcome = await stored.updateRole(database, body.RoleID, body.Version, role, holders, audit)
      if (typeof outcome === 'string') throw new Refusal(editRefusals[outcome])
      rightsChanged({ accounts: outcome.accountIds })
      return recordOf(await find(actor, body.RoleID))
    },

    async remove(actor: Actor, roleId: number): Promise<null> {
      const role = await find(actor, roleId)
      if (!mayGive(actor, role)) throw new Refusal('permission beyond own')
      const audit = { ...by(actor, clock(), 'role.delete', role.ownerId), subject: about('role', roleId) }
      const count = await stored.deleteRole(database, roleId, audit)
      // Below the administrator nobody learns how many people there are beyond those they see.
      if (count > 0) throw actor.administrator ? new Refusal('role in use', { count }) : new Refusal('role in use unseen')
      return null
    },

    /** What the actor may give to an account. */
    async choices(actor: Actor) {
      const { rows } = await read(actor, undefined, 1, maxListed)
      const items = rows
        .filter((row) => mayGive(actor, row))
        .map((row) => ({ RoleID: row.roleId, Number: row.number, Name: row.name, OwnerID: row.ownerId }))
      return { items, total: items.length }
    },

    permissions(actor: Actor) {
      const page = (key: string) => mayGive(actor, { privileges: [key], buttons: [] })
      return {
        Pages: pages.map(({ key, name, subs }) => ({
          Key: key,
          Name: name,
          Mine: page(key),
          Subs: subs.map((sub) => ({ Key: sub.key, Name: sub.name, Mine: page(sub.key) })),
        })),
        Buttons: Object.entries(buttons).map(([key, name]) => ({
          Key: key,
          Name: name,
          Mine: mayGive(actor, { privileges: [], buttons: [key] }),
        })),
      }
    },
  }

  function read(actor: Actor, name: string | undefined, page = 1, size = 10, sort?: Request<typeof queryRoles>['body']['Sort']) {
    return withRowSecurity(database, actor.scope, (db) =>
      stored.listRoles(db, { owner: tenantOf(actor), within: partialScopeOf(actor), name, page, size, sort }),
    )
  }

  async function find(actor: Actor, roleId: number): Promise<stored.StoredRole> {
    const role = await stored.roleById(database, roleId, tenantOf(actor))
    if (!role) throw new Refusal('role not exists')
    return role
  }
}

/** A role as its form sends it: at least one permission, all of them known, none beyond the actor's own. */
function textOf(actor: Actor, body: Fields): stored.RoleText {
  if (body.Privileges.length + body.Buttons.length === 0) throw new Refusal('role empty')
  const unknown = [
    ...body.Privileges.filter((key) => !pageKeys.has(key)),
    ...body.Buttons.filter((key) => !isButtonPermission(key)),
  ]
  if (unknown.length > 0) throw new Refusal('permission unknown', { key: unknown[0] })
  if (!mayGive(actor, { privileges: body.Privileges, buttons: body.Buttons })) throw new Refusal('permission beyond own')
  return {
    number: body.Number.trim(),
    name: body.Name.trim(),
    description: body.Description ?? '',
    privileges: body.Privileges,
    buttons: body.Buttons,
  }
}

const recordOf = (row: stored.StoredRole): RoleRecord => ({
  RoleID: row.roleId,
  Number: row.number,
  Name: row.name,
  Description: row.description,
  Privileges: [...row.privileges],
  Buttons: [...row.buttons],
  UserCount: row.users,
  OwnerID: row.ownerId,
  OwnerName: row.ownerName,
  Version: row.version,
})
