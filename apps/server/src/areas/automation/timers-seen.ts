import type { Actor } from '../../access/actor.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredTimer, TimerFilter } from '../../store/automation/timer.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'

/** Timers and their lines as far as somebody sees them. */
export function timersSeen({ database, plant }: Pick<AutomationDeps, 'database' | 'plant'>) {
  return { seenTimers, linesSeen }

  /** Timers with those of their lines that the actor sees, then whole: what they do does not depend on who looks. */
  async function seenTimers(actor: Actor, filter: TimerFilter): Promise<readonly StoredTimer[]> {
    const seen = await withRowSecurity(database, actor.scope, ({ general }) => timersWhere(general, filter))
    return timersWhere(database.general, { timerIds: seen.map(({ timerId }) => timerId) })
  }

  function linesSeen(actor: Actor, { lineIds }: StoredTimer): readonly PlantLine[] {
    return lineIds.flatMap((id) => {
      const line = plant.lines.get(id)
      return line && actor.seesGateway(line.device.gateway) ? line : []
    })
  }
}
