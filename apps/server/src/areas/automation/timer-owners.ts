import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import type { StoredTimer } from '../../store/automation/timer.ts'
import type { AutomationDeps } from './deps.ts'

/** Timers whose owner is gone, or may not do any more what they do. */
export async function orphansOf(
  { plant, actorNow }: Pick<AutomationDeps, 'plant' | 'actorNow'>,
  timers: readonly Pick<StoredTimer, 'timerId' | 'ownerId' | 'lineIds'>[],
): Promise<ReadonlySet<number>> {
  const owners = new Map<string, Actor | null>()
  for (const id of new Set(timers.flatMap(({ ownerId }) => ownerId ?? [])))
    owners.set(id, await actorNow({ accountId: id, sessionId: '', address: '' }))
  const orphans = new Set<number>()
  for (const { timerId, ownerId, lineIds } of timers) {
    const owner = ownerId === null ? null : (owners.get(ownerId) ?? null)
    const may =
      owner !== null &&
      permits('lineSwitch', owner) &&
      lineIds.every((id) => {
        const line = plant.lines.get(id)
        return !line || owner.seesGateway(line.device.gateway)
      })
    if (!may) orphans.add(timerId)
  }
  return orphans
}
