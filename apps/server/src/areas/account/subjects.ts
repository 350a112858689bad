import { tenantOfAccount } from '../../audit/audited.ts'
import { type SubjectSource, unnamed } from '../../audit/names.ts'
import { storableText } from '../../lib/storable-text.ts'
import { accountByName } from '../../store/account/account.ts'
import type { Database } from '../../store/core/database.ts'
import { userById } from '../../store/people/user.ts'

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/** Accounts in the audit log. */
export function accountSubjects({ database }: { database: Database }) {
  return {
    account: {
      ...unnamed,
      ownerOf: async (name) => {
        const account = await accountByName(database.general, storableText(name))
        return account && tenantOfAccount(account)
      },
    },
    accountId: {
      ...unnamed,
      ownerOf: async (id) => {
        const account = isUuid(id) ? await userById(database, id) : undefined
        return account && tenantOfAccount(account)
      },
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
