import type { Actor } from '../../access/actor.ts'
import { type SubjectSource, sameText } from '../../audit/names.ts'
import { namesOfPushes } from '../../store/audit/names.ts'
import type { Database } from '../../store/core/database.ts'

/** Push subscriptions in the audit log: administrators alone see them. */
export function pushSubjects({ database }: { database: Database }) {
  const pushes = async (actor: Actor, ids: readonly string[] | null) => {
    const numbers = ids?.map((id) => Number(id.split('/')[1])) ?? null
    const rows = actor.administrator ? await namesOfPushes(database, numbers) : []
    const seen = rows.filter(({ projectId }) => actor.sees(projectId))
    return new Map(seen.map(({ pushId, projectId, name }) => [`${projectId}/${pushId}`, sameText(name)]))
  }
  return {
    push: { named: pushes, called: (actor) => pushes(actor, null) },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
