import type { Actor } from '../../../access/actor.ts'
import { type SubjectSource, sameText } from '../../../audit/names.ts'
import type { Database } from '../../../store/core/database.ts'
import { namesOfLinks } from '../../../store/screen/link.ts'

/** Screen links in the audit log: administrators alone see them. */
export function linkSubjects({ database }: { database: Database }) {
  const links = async (actor: Actor, ids: readonly string[] | null) => {
    const numbers = ids?.map(Number).filter((id) => Number.isSafeInteger(id) && id <= maxId) ?? null
    const rows = actor.administrator ? await namesOfLinks(database.general, numbers) : []
    const seen = rows.filter(({ owner_id }) => actor.platform || owner_id === actor.tenant)
    return new Map(seen.map(({ link_id, name }) => [String(link_id), sameText(name)]))
  }
  return {
    screen: {
      named: links,
      called: (actor) => links(actor, null),
      async ownerOf(id) {
        const [row] = /^[1-9]\d{0,8}$/.test(id) ? await namesOfLinks(database.general, [Number(id)]) : []
        return row?.owner_id
      },
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}

const maxId = 2_147_483_647
