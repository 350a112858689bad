import type { Reclosing } from '@linewarden/rules/control'
import { newCause, positionStep } from '@linewarden/rules/control'
import type { Committed, Hub } from '../../plant/hub.ts'
import type { PlantLine } from '../../plant/plant.ts'

/** A line that opened before our eyes. */
export interface Opening {
  readonly lineId: number
  /** The newest cause told of it; null: none yet. */
  cause: string | null
  /** Where the line stood with its tries when it opened; null until a cause was reported. */
  before: Reclosing | null
}

interface Deps {
  readonly hub: Hub
  readonly wants: (lineId: number) => boolean
  /** A cause of the opening was told; a later one corrects it. */
  readonly causeReported: (opening: Opening, cause: string) => void
}

/**
 * Watches lines open. Only what was seen closed in this session of its gateway and its device can be seen to open: what a birth tells happened at some time
 * while nobody looked, and starts nothing.
 */
export function watchOpenings({ hub, wants, causeReported }: Deps) {
  const closed = new Set<number>()
  const openings = new Map<number, Opening>()
  const unsubscribe = hub.subscribe(listen)

  return { forget: (lineId: number) => openings.delete(lineId), close: unsubscribe }

  function listen({ births = [], gateways = [], reports = [], lines = [] }: Committed): void {
    for (const { gateway } of births) forgetAll(gateway.devices)
    for (const { link, devices } of gateways) if (link === 'offline') forgetAll(devices)
    for (const { line, state, value, first } of reports) if (state === 'position') moved(line.id, value, first)
    if (openings.size === 0) return
    for (const line of lines) {
      const opening = openings.get(line.id)
      const cause = opening ? newCause(opening.cause, line.states.get('trip.cause')) : null
      if (!opening || cause === null) continue
      opening.cause = cause
      causeReported(opening, cause)
    }
  }

  function moved(lineId: number, position: string, first: boolean): void {
    const { seenClosed, opening } = positionStep(closed.has(lineId), { value: position, first })
    if (seenClosed) closed.add(lineId)
    else closed.delete(lineId)
    if (opening === 'ends') openings.delete(lineId)
    if (opening === 'begins' && wants(lineId)) openings.set(lineId, { lineId, cause: null, before: null })
  }

  function forgetAll(devices: ReadonlyMap<string, { readonly lines: ReadonlyMap<number, PlantLine> }>): void {
    for (const { lines } of devices.values())
      for (const { id } of lines.values()) {
        closed.delete(id)
        openings.delete(id)
      }
  }
}
