import { logTimers } from '@linewarden/contract'
import type { PlantGateway } from '../../plant/plant.ts'
import type { StoredTimer } from '../../store/automation/timer.ts'
import type { AutomationDeps } from './deps.ts'

/** Thousands of timers may be due in a minute: what happens within so long is published at once. */
const spaceMs = 500

/** Publishes that runs of timers began, went on or ended, for whoever sees one of their lines. */
export function createTimerLive({ plant, hub }: Pick<AutomationDeps, 'plant' | 'hub'>) {
  const moved = new Map<PlantGateway, Set<number>>()
  let waiting: NodeJS.Timeout | null = null
  return {
    changed(timers: readonly Pick<StoredTimer, 'timerId' | 'lineIds'>[]): void {
      for (const { timerId, lineIds } of timers)
        for (const id of lineIds) {
          const gateway = plant.lines.get(id)?.device.gateway
          if (gateway) moved.set(gateway, (moved.get(gateway) ?? new Set()).add(timerId))
        }
      if (moved.size > 0) waiting ??= setTimeout(publish, spaceMs).unref()
    },
    close(): void {
      if (waiting) clearTimeout(waiting)
    },
  }

  function publish(): void {
    waiting = null
    const live = [...moved].map(([gateway, timerIds]) => ({
      ...{ to: { gateway }, needs: logTimers },
      message: { t: 'timerRun' as const, TimerIDs: [...timerIds] },
    }))
    moved.clear()
    hub.publish({ live })
  }
}
