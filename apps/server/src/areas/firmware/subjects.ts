import type { Actor } from '../../access/actor.ts'
import { type SubjectSource, sameText } from '../../audit/names.ts'
import { namesOfCampaigns, namesOfImages } from '../../store/audit/names.ts'
import type { Database } from '../../store/core/database.ts'

/** Upgrades and firmware in the audit log: whoever runs the installation sees them. */
export function firmwareSubjects({ database }: { database: Database }) {
  const seen =
    (namesOf: typeof namesOfCampaigns) =>
    async (actor: Actor, ids: readonly string[] | null): Promise<Map<string, ReturnType<typeof sameText>>> => {
      const rows = actor.platform ? await namesOf(database, ids?.map(Number) ?? null) : new Map<number, string>()
      return new Map([...rows].map(([id, name]) => [String(id), sameText(name)]))
    }
  const [campaigns, images] = [seen(namesOfCampaigns), seen(namesOfImages)]
  return {
    campaign: { named: campaigns, called: (actor) => campaigns(actor, null) },
    image: { named: images, called: (actor) => images(actor, null) },
  } as const satisfies Readonly<Record<string, SubjectSource>>
}
