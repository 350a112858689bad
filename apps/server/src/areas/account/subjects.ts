import type { Actor } from '../../access/actor.ts'
import { treeOwner } from '../../access/owner.ts'
import { narrowed } from '../../access/seen.ts'
import { treeOfAccount } from '../../audit/audited.ts'
import { type SubjectSource, sameText, unnamed } from '../../audit/names.ts'
import { storableText } from '../../lib/storable-text.ts'
import { accountByName } from '../../store/account/account.ts'
import { namesOfRoles } from '../../store/audit/names.ts'
import type { Database } from '../../store/core/database.ts'
import { asSeenBy } from '../../store/core/seen-by.ts'
import { roleById } from '../../store/people/role.ts'
import { userById } from '../../store/people/user.ts'

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/** Accounts and roles in the audit log. */
export function accountSubjects({ database }: { database: Database }) {
  const roles = async (actor: Actor, ids: readonly number[] | null) => {
    const rows = await asSeenBy(database, actor.sight, (db) => namesOfRoles(db, treeOwner(actor), narrowed(actor), ids))
    return new Map([...rows].map(([id, name]) => [String(id), sameText(name)]))
  }
  return {
    account: {
      ...unnamed,
      ownerOf: async (name) => {
        const account = await accountByName(database.general, storableText(name))
        return account && treeOfAccount(account)
      },
    },
    accountId: {
      ...unnamed,
      ownerOf: async (id) => {
        const account = isUuid(id) ? await userById(database, id) : undefined
        return account && treeOfAccount(account)
      },
    },
    role: {
      named: (actor, ids) => roles(actor, ids.map(Number)),
      called: (actor) => roles(actor, null),
      ownerOf: async (id) => (await roleById(database, Number(id), undefined))?.ownerId,
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
