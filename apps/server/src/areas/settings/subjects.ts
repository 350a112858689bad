import type { Actor } from '../../access/actor.ts'
import { tenantOf } from '../../access/owner.ts'
import { tenantOfGateway } from '../../audit/audited.ts'
import { type SubjectSource, sameText, unnamed } from '../../audit/names.ts'
import type { Plant } from '../../plant/plant.ts'
import { namesOfTemplates } from '../../store/audit/names.ts'
import type { Database } from '../../store/core/database.ts'
import { changesById } from '../../store/settings/setting-change.ts'
import { templateById } from '../../store/settings/setting-template.ts'

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/** Settings in the audit log. */
export function settingsSubjects({ database, plant }: { database: Database; plant: Plant }) {
  const templates = async (actor: Actor, ids: readonly number[] | null) => {
    const rows = actor.administrator ? await namesOfTemplates(database, tenantOf(actor), ids) : []
    return new Map(rows.map(({ id, name }) => [String(id), sameText(name)]))
  }
  return {
    batch: unnamed,
    change: {
      ...unnamed,
      ownerOf: async (id) => {
        const [change] = isUuid(id) ? await changesById(database, [id]) : []
        const gateway = change && plant.gateways.get(change.gatewayId)
        return gateway && tenantOfGateway(gateway)
      },
    },
    template: {
      named: (actor, ids) => templates(actor, ids.map(Number)),
      called: (actor) => templates(actor, null),
      ownerOf: async (id) => (await templateById(database, Number(id), { all: true }))?.owner_id,
    },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
