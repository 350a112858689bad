import type { Plant } from '../../plant/plant.ts'

/** Every line as its timers find it where a test says nothing else: online, its values of this instant, open, tripped by nothing. */
export function foundOpen({ lines }: Pick<Plant, 'lines'>, at: number): void {
  for (const line of lines.values()) {
    line.device.gateway.link = 'online'
    Object.assign(line, { liveAt: at, liveReceivedAt: at })
    for (const [state, value] of [
      ['position', 'open'],
      ['trip.cause', 'none'],
      ['lock.local', 'off'],
      ['selfTest', 'notDone'],
    ] as const)
      line.states.set(state, value)
  }
}
