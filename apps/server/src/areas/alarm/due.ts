import { dangerKeys, dueStep } from '@linewarden/rules/alarm'
import { tagsInForce } from '@linewarden/rules/control'
import { Loop } from '../../lib/every.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Places, SteppedEvent } from '../../store/alarm/due.ts'
import { announceChattered, isDue, isInServiceOn, isSuppressed, stepOpenEvents } from '../../store/alarm/due.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { eventTopic } from '../../store/alarm/event-record.ts'
import type { MovedEvent } from '../../store/alarm/fold.ts'
import { endIncidents, foldProject, projectsWithIncidents } from '../../store/alarm/incident-end.ts'
import { applyMoved } from '../../store/alarm/moved.ts'
import { conditionOf } from '../../store/alarm/step.ts'
import type { AlarmDeps } from './deps.ts'

const everyMs = 1_000
const allIncidentsEveryMs = 60_000
const chatteredEveryMs = 10_000

/**
 * What happens to open alarms by itself: a shelf or an acknowledgement that is over, a tag that takes a place out of service or gives it
 * back, an incident that is over. When each is due stands in its row, and a look does it once, on whichever server it comes first: docs/adr/0076.
 */
export class DueAlarms {
  readonly #deps: AlarmDeps
  readonly #looking: Loop
  /** When all open incidents were looked at last, Unix ms. */
  #lookedAtAll = 0
  /** When it was looked for what chattered and stayed, Unix ms. */
  #lookedAtChattered = 0
  #paused = false

  constructor(deps: AlarmDeps) {
    this.#deps = deps
    this.#looking = new Loop(everyMs, () => this.#look(), {
      log: deps.log,
      failed: 'looking after due alarms failed; it is tried again',
      spaced: true,
      unref: true,
    })
  }

  start(): void {
    this.#looking.start()
  }

  close(): Promise<void> {
    return this.#looking.close()
  }

  /** Nothing happens by itself on this server until the answered function is called: a past that is being written has a time of its own. */
  async pause(): Promise<() => void> {
    this.#paused = true
    await this.#looking.settled()
    return () => {
      this.#paused = false
    }
  }

  /** Ends shelves, acknowledgements and incidents that are over by then, and shows it to nobody. */
  async stepUntil(now: number): Promise<readonly SteppedEvent[]> {
    const stepped = await this.#stepDue(now)
    await this.#moveIncidents(now, true)
    return stepped
  }

  #stepDue(now: number): Promise<readonly SteppedEvent[]> {
    return stepOpenEvents(this.#deps.database, isDue(now), (row) => dueStep(conditionOf(row), now), now)
  }

  async #look(): Promise<void> {
    if (this.#paused) return
    const { database, plant, hub, clock } = this.#deps
    const now = clock()
    this.#publish(await this.#stepDue(now))
    const tagged = taggedPlaces(plant)
    if (tagged) {
      const inService = isInServiceOn(tagged, dangerKeys())
      this.#publish(await stepOpenEvents(database, inService, () => ({ act: 'suppress', at: now }), now))
    }
    const release = (row: EventRow) => (isTagged(plant, row) ? null : ({ act: 'release', at: now } as const))
    this.#publish(await stepOpenEvents(database, isSuppressed, release, now))
    if (now - this.#lookedAtChattered >= chatteredEveryMs) {
      this.#lookedAtChattered = now
      this.#publish(await announceChattered(database, now))
    }
    const all = now - this.#lookedAtAll >= allIncidentsEveryMs
    if (all) this.#lookedAtAll = now
    const moved = await this.#moveIncidents(now, all)
    if (moved.length > 0) hub.publish(applyMoved(plant, moved))
  }

  async #moveIncidents(now: number, all: boolean): Promise<readonly MovedEvent[]> {
    const { database, plant } = this.#deps
    const moved: MovedEvent[] = []
    for (const project of await projectsWithIncidents(database, now, all))
      moved.push(...(await foldProject(database, project, now)))
    moved.push(...(await endIncidents(database, now, (row) => isTagged(plant, row))))
    return moved
  }

  #publish(stepped: readonly SteppedEvent[]): void {
    const { plant, hub } = this.#deps
    if (stepped.length > 0) hub.publish({ live: stepped.map(({ row, isNew }) => eventTopic(plant, row, isNew)) })
  }
}

/** Everything that a tag holds; null: none hangs. */
function taggedPlaces(plant: Plant): Places | null {
  const lineIds: number[] = []
  const deviceIds: number[] = []
  const gatewayIds: number[] = []
  for (const gateway of plant.gateways.values()) {
    const all = gateway.ownTags.length > 0
    if (all) gatewayIds.push(gateway.id)
    for (const device of gateway.devices.values()) {
      const whole = all || device.ownTags.length > 0
      if (whole) deviceIds.push(device.id)
      for (const line of device.lines.values()) if (whole || line.ownTags.length > 0) lineIds.push(line.id)
    }
  }
  return lineIds.length + deviceIds.length + gatewayIds.length > 0 ? { lineIds, deviceIds, gatewayIds } : null
}

/** Whether a tag hangs on where an event is; of what was taken out of the plant none does. */
function isTagged(plant: Plant, row: EventRow): boolean {
  const line = row.line_id === null ? undefined : plant.lines.get(row.line_id)
  if (line) return tagsInForce(line).length > 0
  const device = row.line_id !== null || row.device_id === null ? undefined : plant.devices.get(row.device_id)
  const gateway =
    device?.gateway ?? (row.line_id !== null || row.gateway_id === null ? undefined : plant.gateways.get(row.gateway_id))
  return (device?.ownTags.length ?? 0) + (gateway?.ownTags.length ?? 0) > 0
}
